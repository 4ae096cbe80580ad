//! What a request carries: JSON within its bounds, read strictly, and the key that makes a retry safe.

use std::fmt;
use std::time::Duration;

use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use journal::CommandId;
use serde::de::{DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::app::App;
use crate::problem::Problem;

/// How deep JSON may be nested.
const DEPTH_MAX: usize = 16;

/// The body of a request, read as a form.
#[derive(Clone, Debug)]
pub(super) struct JsonBody<T> {
    pub(super) form: T,
    /// The one text of it: two requests that ask the same have the same.
    pub(super) text: String,
}

impl<T: DeserializeOwned + Serialize> FromRequest<App> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<JsonBody<T>, Problem> {
        check_type(request.headers(), "application/json")?;
        let limits = &app.config.limits;
        let most = limits.body_bytes;
        if length(request.headers()).is_some_and(|length| most < length) {
            return Err(too_large(most));
        }
        let reading = axum::body::to_bytes(request.into_body(), most);
        match tokio::time::timeout(Duration::from_secs(limits.read_seconds), reading).await {
            Err(_) => Err(Problem::new(
                StatusCode::REQUEST_TIMEOUT,
                "TooSlow",
                "The request took too long to arrive.",
            )),
            Ok(Err(_)) => Err(too_large(most)),
            Ok(Ok(bytes)) => read(&bytes),
        }
    }
}

/// Reads a form, strictly: what it does not know is refused, at any depth.
fn read<T: DeserializeOwned + Serialize>(bytes: &[u8]) -> Result<JsonBody<T>, Problem> {
    if DEPTH_MAX < depth(bytes) {
        let detail = format!("The JSON is nested deeper than {DEPTH_MAX} levels.");
        return Err(Problem::new(StatusCode::BAD_REQUEST, "TooDeep", detail));
    }
    let given = serde_json::from_slice(bytes).map(|Distinct(given)| given).map_err(|error| {
        let why = if error.is_data() { "A field is there twice" } else { "This is not JSON" };
        let detail = format!("{why}: line {}, column {}.", error.line(), error.column());
        Problem::new(StatusCode::BAD_REQUEST, "NotJson", detail)
    })?;
    let form: T = serde_path_to_error::deserialize(given.clone()).map_err(|error| {
        let path = error.path().to_string();
        // What the parser says may quote the request; it is cut, so that an answer has its bounds.
        let what: String = error.inner().to_string().chars().take(200).collect();
        let problem = Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "FormIsWrong",
            format!("This cannot be read: {what}."),
        );
        if path == "." { problem } else { problem.at(path) }
    })?;
    let known = serde_json::to_value(&form).map_err(|_| Problem::broken())?;
    if let Some(path) = unknown(&given, &known) {
        let detail = "There is no such field; leave it out.";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "FormIsWrong", detail).at(path));
    }
    Ok(JsonBody { form, text: known.to_string() })
}

/// JSON in which no field of an object is there twice: two readers could take different ones for the one that counts.
struct Distinct(Value);

impl<'de> Deserialize<'de> for Distinct {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Distinct, D::Error> {
        deserializer.deserialize_any(DistinctVisitor).map(Distinct)
    }
}

struct DistinctVisitor;

impl<'de> Visitor<'de> for DistinctVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Distinct(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Distinct(value))) = fields.next_entry::<String, Distinct>()? {
            if object.insert(name, value).is_some() {
                return Err(serde::de::Error::custom("a field is there twice"));
            }
        }
        Ok(Value::Object(object))
    }
}

/// The first field that was given and not read.
fn unknown(given: &Value, known: &Value) -> Option<String> {
    match (given, known) {
        (Value::Object(given), Value::Object(known)) => {
            given.iter().find_map(|(name, value)| match known.get(name) {
                // A field that may be left out may be null too.
                None if value.is_null() => None,
                None => Some(name.chars().take(60).collect()),
                Some(known) => unknown(value, known).map(|path| format!("{name}.{path}")),
            })
        }
        (Value::Array(given), Value::Array(known)) => {
            let pairs = given.iter().zip(known).enumerate();
            pairs
                .into_iter()
                .find_map(|(at, (given, known))| unknown(given, known).map(|path| format!("{at}.{path}")))
        }
        _ => None,
    }
}

/// How deep brackets are nested, those in strings aside. Counted before anything is built from it.
fn depth(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in bytes {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b'{' | b'[') => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Refuses a body of another type.
pub(super) fn check_type(headers: &HeaderMap, wanted: &str) -> Result<(), Problem> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let bare = given.split(';').next().unwrap_or_default().trim();
    if bare.eq_ignore_ascii_case(wanted) {
        return Ok(());
    }
    let detail = format!("Send the body as {wanted}.");
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "WrongType", detail))
}

/// How long a body says it is.
pub(super) fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// A body beyond its bounds.
pub(super) fn too_large(most: usize) -> Problem {
    let detail = format!("The request is longer than {most} bytes.");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", detail)
}

/// The sender's id for a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key(pub(super) CommandId);

impl FromRequestParts<App> for Key {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Key, Problem> {
        let given = parts.headers.get("idempotency-key").and_then(|value| value.to_str().ok());
        let id = given.and_then(|text| text.parse().ok());
        id.map(Key).ok_or_else(|| {
            let detail = "Send a header Idempotency-Key with a UUID of your own. A retry with the same key gets the same \
                          answer, and nothing happens twice.";
            Problem::new(StatusCode::BAD_REQUEST, "KeyIsMissing", detail)
        })
    }
}

/// The parameters of a path. One that cannot be read is a 404.
#[derive(Clone, Debug)]
pub(super) struct PathParams<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for PathParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<PathParams<T>, Problem> {
        match Path::<T>::from_request_parts(parts, app).await {
            Ok(Path(at)) => Ok(PathParams(at)),
            Err(_) => Err(Problem::not_found("There is nothing at this address.")),
        }
    }
}

/// The parameters of a query.
#[derive(Clone, Debug)]
pub(super) struct QueryParams<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<App> for QueryParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<QueryParams<T>, Problem> {
        match Query::<T>::from_request_parts(parts, app).await {
            Ok(Query(asking)) => Ok(QueryParams(asking)),
            Err(error) => {
                let what: String = error.body_text().chars().take(200).collect();
                Err(Problem::new(
                    StatusCode::BAD_REQUEST,
                    "QueryIsWrong",
                    format!("This cannot be read: {what}."),
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::depth;

    #[test]
    fn depth_is_counted_outside_of_strings() {
        for (text, deepest) in
            [("1", 0), ("{}", 1), ("[[[]]]", 3), (r#"{"a":"[[[["}"#, 1), (r#"{"a":"\"[[","b":[]}"#, 2)]
        {
            assert_eq!(depth(text.as_bytes()), deepest, "{text}");
        }
        assert_eq!(depth("[".repeat(100_000).as_bytes()), 100_000);
    }
}
