//! Exported proofs. A proof with any change must fail the check, and the check must not panic.

use floor::Library;
use floor::audit::proof;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::decoders::{Checked, Outcome};

/// The fields of a proof, in the order they are written.
const FIELDS: [&str; 26] = [
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
    "cause",
    "actor",
    "at",
    "kind",
    "body",
    "transfers",
];

/// Checks a proof with the key that it names. Only the samples pass, byte for byte.
pub(super) fn exported(library: &Library, known: &[Vec<u8>], input: &[u8]) -> Checked {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(Outcome::Refused);
    };
    match proof::check(text, library, None) {
        Ok(checked) if checked.is_well() => {
            let is_sample = known.iter().any(|known| known == input);
            if is_sample { Ok(Outcome::Accepted) } else { Err("a changed proof passed the check".to_owned()) }
        }
        Ok(_) | Err(_) => Ok(Outcome::Refused),
    }
}

/// Writes a changed proof in the exact form of a proof. Any other text is refused before it is checked.
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
                    // The subject of an award starts with the award number, that of a round with its table.
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
    fn a_proof_is_written_unchanged() {
        let decoder = Decoder::named("proof").expect("a decoder");
        for sample in decoder.samples() {
            let tree: Value = serde_json::from_slice(sample).expect("JSON");
            assert_eq!(written(&tree).as_bytes(), sample);
        }
    }
}
