//! A body is read as the description says: every field that it documents is taken, and no other, at any depth.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::matrix::{all_rows, commands};
use super::support::{Hall, Reply};

/// A body as described, or a part of one, and the objects in it that take no further field.
#[derive(Clone)]
struct Sample {
    value: Value,
    closed: Vec<Closed>,
}

/// An object that takes no further field.
#[derive(Clone)]
struct Closed {
    /// Where it is, as a JSON pointer.
    pointer: String,
    /// Whether it has one field alone, whose name may say which of several it is.
    may_be_choice: bool,
}

impl Sample {
    fn plain(value: Value) -> Sample {
        Sample { value, closed: Vec::new() }
    }

    /// Its closed objects, as a field or an item of something larger.
    fn closed_under(&self, step: &str) -> impl Iterator<Item = Closed> {
        self.closed.iter().map(move |at| Closed { pointer: format!("/{step}{}", at.pointer), ..*at })
    }
}

/// Values of fields and forms whose description does not say enough to make them up. No rulebook is called "none", so nothing
/// is counted.
fn known(name: &str) -> Option<Value> {
    match name {
        "rulebook" | "instead_of" => Some(json!("none")),
        "Hash" | "key" => Some(json!("00".repeat(32))),
        "layout" => Some(json!("A")),
        _ => None,
    }
}

struct Description(Value);

impl Description {
    /// The path and the schema of each body that is one JSON value.
    fn bodies(&self) -> Vec<(&str, &Value)> {
        let paths = self.0["paths"].as_object().expect("paths");
        let schema = "/post/requestBody/content/application~1json/schema";
        paths.iter().filter_map(|(path, item)| Some((path.as_str(), item.pointer(schema)?))).collect()
    }

    /// Bodies as described: with as few fields as possible, with each value of each field, and with every field.
    fn samples(&self, schema: &Value, name: &str) -> Vec<Sample> {
        if let Some(value) = known(name) {
            return vec![Sample::plain(value)];
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().expect("a name");
            return self.samples(&self.0["components"]["schemas"][name], name);
        }
        if let Some(choices) = schema["oneOf"].as_array() {
            return choices.iter().flat_map(|choice| self.samples(choice, name)).collect();
        }
        if let Some(values) = schema["enum"].as_array() {
            return values.iter().cloned().map(Sample::plain).collect();
        }
        let kinds = match &schema["type"] {
            Value::Array(kinds) => kinds.clone(),
            kind => vec![kind.clone()],
        };
        let example = [&schema["example"], &schema["examples"][0]].into_iter().find(|value| !value.is_null());
        let of_kind = |kind: &Value| match (kind.as_str().expect("a type"), example) {
            ("null", _) => vec![Sample::plain(Value::Null)],
            ("object", _) => self.objects(schema),
            (_, Some(example)) => vec![Sample::plain(example.clone())],
            // The place of a card: a position, and which card of its hand.
            ("array", None) if name == "player" => vec![Sample::plain(json!([1, 0]))],
            // The limits of a table.
            ("array", None) if name == "bonus" => vec![Sample::plain(json!([500, 50_000]))],
            ("array", None) => self.arrays(schema),
            ("boolean", None) => [false, true].map(|value| Sample::plain(json!(value))).to_vec(),
            ("integer", None) => vec![Sample::plain(json!(schema["minimum"].as_u64().unwrap_or(0).max(1)))],
            ("number", None) => vec![Sample::plain(json!(0.5))],
            ("string", None) => ["x", ""].map(|text| Sample::plain(json!(text))).to_vec(),
            (kind, None) => panic!("a {kind} of {name}"),
        };
        kinds.iter().flat_map(of_kind).collect()
    }

    fn arrays(&self, schema: &Value) -> Vec<Sample> {
        let mut arrays = vec![Sample::plain(json!([]))];
        for item in self.samples(&schema["items"], "") {
            arrays.push(Sample { value: json!([item.value]), closed: item.closed_under("0").collect() });
        }
        arrays
    }

    fn objects(&self, schema: &Value) -> Vec<Sample> {
        let Some(properties) = schema["properties"].as_object() else {
            // Names and values of any kind.
            return vec![Sample::plain(json!({}))];
        };
        let required: BTreeSet<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let fields: Vec<(&str, Vec<Sample>)> =
            properties.iter().map(|(name, field)| (name.as_str(), self.samples(field, name))).collect();
        let is_tag = |field: &Value| field["enum"].as_array().is_some_and(|words| words.len() == 1);
        let may_be_choice = schema["additionalProperties"].is_null()
            && properties.len() == 1
            && !properties.values().any(is_tag);
        let with = |chosen: &[(&str, &Sample)]| {
            let value = chosen.iter().map(|(name, sample)| ((*name).to_owned(), sample.value.clone()));
            let mut closed = vec![Closed { pointer: String::new(), may_be_choice }];
            closed.extend(chosen.iter().flat_map(|(name, sample)| sample.closed_under(name)));
            Sample { value: Value::Object(value.collect::<Map<_, _>>()), closed }
        };
        let all: Vec<(&str, &Sample)> = fields.iter().map(|(name, samples)| (*name, &samples[0])).collect();
        let few: Vec<(&str, &Sample)> =
            all.iter().filter(|(name, _)| required.contains(name)).copied().collect();
        let mut objects = vec![with(&few), with(&all)];
        for (name, samples) in &fields {
            for sample in samples {
                let others = few.iter().filter(|(other, _)| other != name).copied();
                objects.push(with(&others.chain([(*name, sample)]).collect::<Vec<_>>()));
            }
        }
        objects
    }
}

/// Whether a body was not understood: what it says is another question.
fn is_unread(reply: &Reply) -> bool {
    reply.status == 422
        && reply.json()["detail"].as_str().is_some_and(|said| said.starts_with("This cannot be read"))
}

impl Closed {
    /// Whether a problem says what is too much here, and where. Of a choice it says that there is one field alone.
    fn is_named(&self, problem: &Value) -> bool {
        let detail = problem["detail"].as_str().expect("a sentence");
        if self.may_be_choice && detail.contains("single key") {
            return true;
        }
        let mut path = String::new();
        for step in self.pointer.split('/').skip(1).chain(["invented"]) {
            match step.parse::<usize>() {
                Ok(number) => path += &format!("[{number}]"),
                Err(_) if path.is_empty() => path += step,
                Err(_) => path += &format!(".{step}"),
            }
        }
        detail.contains("unknown field `invented`") && problem["at"] == path
    }
}

/// What is described is read, and one further field at any depth is refused and named.
#[tokio::test]
async fn bodies_are_read_as_described() {
    let hall = Hall::open().await;
    let description = Description(serde_json::to_value(server::description()).expect("JSON"));
    let rows = all_rows();
    let routes = commands().into_iter().map(|(route, ..)| route);
    let paths: Vec<(&str, String)> = rows
        .iter()
        .map(|(route, path, ..)| (*route, (*path).to_owned()))
        .chain(routes.map(|route| {
            (route, route.replace("post ", "").replace("{table}", "H1").replace("{link}", "mega"))
        }))
        .collect();
    let (mut asked, mut wrong) = (BTreeSet::new(), Vec::new());
    for (path, schema) in description.bodies() {
        let route = format!("post {path}");
        let (_, path) = paths.iter().find(|(of, _)| *of == route).expect("every route has a row");
        // What a stranger may ask is asked by another stranger each time, who has not tried too often.
        let mut ask = async |body: &Value| {
            let client = hall.client("Gia").from(&format!("2001:db8:{:x}::1", asked.len() % 0xffff));
            asked.insert(format!("{route} {body}")).then_some(())?;
            Some(client.post(path, body.clone()).await)
        };
        for Sample { value, closed } in description.samples(schema, "") {
            let Some(reply) = ask(&value).await else { continue };
            if is_unread(&reply) {
                wrong.push(format!("{route} {value}: {}", reply.text));
            }
            for at in closed {
                let mut further = value.clone();
                let object = further.pointer_mut(&at.pointer).and_then(Value::as_object_mut);
                object.expect("an object").insert("invented".to_owned(), Value::Null);
                let Some(reply) = ask(&further).await else { continue };
                if !(is_unread(&reply) && at.is_named(&reply.json())) {
                    wrong.push(format!("{route} {further}: {} {}", reply.status, reply.text));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(2000 < asked.len(), "only {} bodies were asked", asked.len());
}

/// What the pages send when nothing is chosen: a field with the value that it has when it is left out.
#[tokio::test]
async fn a_field_may_have_its_default() {
    let hall = Hall::open().await;
    let appoint =
        json!({ "kind": "appoint", "person": "Dan", "office": "dealer", "department": "table-games" });
    hall.two_sign("Gus", "Abe", appoint).await.ok();
    assert_eq!(hall.app.board.house().office(&jackpot::Person::new("Dan")), Some(rulebook::Office::Dealer));
}
