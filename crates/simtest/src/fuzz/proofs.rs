//! Exported proofs. One that was changed in any way does not hold; whatever is wrong in it, it is looked at to the end.

use floor::Library;
use floor::audit::proof;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::decoders::{Checked, Outcome};

/// The fields of a proof, in the order they are written.
const FIELDS: [&str; 25] = [
    "form",
    "about",
    "house",
    "rulebooks",
    "segments",
    "checkpoints",
    "award",
    "link",
    "table",
    "number",
    "round",
    "name",
    "key",
    "id",
    "digest",
    "stream",
    "after",
    "hash",
    "entries",
    "command",
    "actor",
    "at",
    "kind",
    "body",
    "transfers",
];

/// A proof, with the key it names itself. One that holds is one of the samples, to the letter.
pub(super) fn exported(library: &Library, known: &[Vec<u8>], input: &[u8]) -> Checked {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(Outcome::Refused);
    };
    match proof::check(text, library, None) {
        Ok(checked) if checked.is_well() => {
            let is_sample = known.iter().any(|known| known == input);
            if is_sample { Ok(Outcome::Accepted) } else { Err("a changed proof holds".to_owned()) }
        }
        Ok(_) | Err(_) => Ok(Outcome::Refused),
    }
}

/// Writes a changed proof the way proofs are written: any other text is refused before it is looked at.
pub(super) fn written(tree: &Value) -> String {
    let text = serde_json::to_string_pretty(&InOrder(tree));
    text.map_or_else(|_| String::new(), |text| text + "\n")
}

fn place(name: &str) -> usize {
    FIELDS.iter().position(|field| *field == name).unwrap_or(FIELDS.len())
}

/// JSON with its fields in the order of a proof.
struct InOrder<'a>(&'a Value);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(fields) => {
                let place = |name: &str| match name {
                    // What an award is about begins with the number of its slip, and a round with its table.
                    "number" if fields.contains_key("link") => place("link"),
                    name => place(name),
                };
                let mut fields: Vec<_> = fields.iter().collect();
                fields.sort_by_key(|(name, _)| place(name));
                serializer.collect_map(fields.into_iter().map(|(name, value)| (name, InOrder(value))))
            }
            Value::Array(items) => serializer.collect_seq(items.iter().map(InOrder)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                self.0.serialize(serializer)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::Decoder;

    #[test]
    fn a_proof_is_written_as_it_was() {
        let decoder = Decoder::named("proof").expect("a decoder");
        for sample in decoder.samples() {
            let tree: Value = serde_json::from_slice(sample).expect("JSON");
            assert_eq!(written(&tree).as_bytes(), sample);
        }
    }
}
