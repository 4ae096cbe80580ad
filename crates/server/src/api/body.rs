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

/// Reads a form, strictly: its types refuse what they do not know, at any depth.
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
    let form: T = serde_path_to_error::deserialize(&given).map_err(|error| unreadable(&given, &error))?;
    let text = serde_json::to_value(&form).map_err(|_| Problem::broken())?.to_string();
    Ok(JsonBody { form, text })
}

/// Says what is wrong with a form, and where.
fn unreadable(given: &Value, error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    // Both may quote the request; they are cut, so that an answer has its bounds.
    let cut = |text: &str| text.chars().take(200).collect::<String>();
    let what = error.inner().to_string();
    let path = path_of_unknown(given, &what).unwrap_or_else(|| error.path().to_string());
    let detail = format!("This cannot be read: {}.", cut(&what));
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "FormIsWrong", detail);
    if path == "." { problem } else { problem.at(cut(&path)) }
}

/// Where the field is that the reader names as unknown, if there is one field of that name. The reader loses the path inside
/// of a form that it picks by a tag, such as a command by its `do`.
fn path_of_unknown(given: &Value, what: &str) -> Option<String> {
    let named = what.strip_prefix("unknown field `")?;
    let is_named = |name: &str| named.strip_prefix(name).is_some_and(|rest| rest.starts_with('`'));
    let mut paths = Vec::new();
    find_fields(given, &is_named, "", &mut paths);
    paths.pop().filter(|_| paths.is_empty())
}

fn find_fields(given: &Value, is_meant: &impl Fn(&str) -> bool, at: &str, paths: &mut Vec<String>) {
    match given {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                find_fields(value, is_meant, &path, paths);
                if is_meant(name) {
                    paths.push(path);
                }
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                find_fields(item, is_meant, &format!("{at}[{number}]"), paths);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
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
    use journal::HouseCommand;

    use super::{depth, read};

    /// A retry may be written in another way: what may be left out is left out, null, or what it is without being named.
    #[test]
    fn the_same_request_has_one_text() {
        let text = |given: &str| read::<HouseCommand>(given.as_bytes()).expect("it can be read").text;
        for (bare, others) in [
            (
                r#"{"do":"appoint","person":"Dan","office":"dealer"}"#,
                [
                    r#"{ "office": "dealer", "person": "Dan", "do": "appoint" }"#,
                    r#"{"do":"appoint","person":"Dan","office":"dealer","department":"table-games"}"#,
                ],
            ),
            (
                r#"{"do":"buy-in","player":"Ann","amount":1,"means":"chips"}"#,
                [
                    r#"{"do":"buy-in","player":"Ann","amount":1,"means":"chips","identity":null}"#,
                    r#"{"do":"buy-in","player":"\u0041nn","amount":1,"means":"chips"}"#,
                ],
            ),
        ] {
            for other in others {
                assert_eq!(text(bare), text(other), "{other}");
            }
        }
        let of = |person: &str| text(&format!(r#"{{"do":"appoint","person":"{person}","office":"dealer"}}"#));
        assert_ne!(of("Dan"), of("Ann"));
    }

    /// An unknown field is named with its place, also inside of forms that are picked by a tag.
    #[test]
    fn unknown_fields_are_named() {
        let at = |given: &str| {
            let problem = read::<HouseCommand>(given.as_bytes()).expect_err(given);
            assert_eq!(problem.reason, "FormIsWrong", "{given}");
            assert!(problem.detail.contains("unknown field `odd`"), "{}", problem.detail);
            problem.at
        };
        let rule = |effects: &str, last: &str| {
            format!(
                r#"{{"do":"propose","proposal":{{"kind":"rule","table":"H1","round":1,
                    "ruling":{{"words":"x","effects":[{effects}]}}{last}}}}}"#
            )
        };
        let hand = r#"{"hand-out":{"position":1,"odd":null}}"#;
        assert_eq!(
            at(&rule(&format!(r#""void",{hand}"#), "")).as_deref(),
            Some("proposal.ruling.effects[1].hand-out.odd")
        );
        assert_eq!(at(&rule("", r#","odd":[]"#)).as_deref(), Some("proposal.odd"));
        assert_eq!(at(r#"{"do":"sign-rollback","odd":0}"#).as_deref(), Some("odd"));
        // Which of two is meant, the reader does not say.
        assert_eq!(at(&rule(hand, r#","odd":1"#)), None);
    }

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
