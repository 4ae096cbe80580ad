//! Rule numbers as the code knows them, and clauses: a rule number of one rulebook.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of a rule, such as 3.10.2, without its book. Related books mostly use the same numbers. Where they
/// differ, the book's data has the number next to the figure it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = String, example = "3.10.2"))]
pub struct Rule([u8; 4]);

/// The text is not a rule number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no rule number; write it as \"3.10.2\" or \"Appendix A\"")]
pub struct RuleError(String);

/// Appendices sort after every numbered section.
const APPENDIX: u8 = u8::MAX;

impl Rule {
    /// A rule by its parts. Unused parts are zero.
    pub const fn new(parts: [u8; 4]) -> Rule {
        Rule(parts)
    }

    /// An appendix by its letter.
    pub const fn appendix(letter: u8) -> Rule {
        Rule([APPENDIX, letter, 0, 0])
    }

    /// The section of a rule, or `None` for an appendix.
    pub const fn section(self) -> Option<u8> {
        if self.0[0] == APPENDIX { None } else { Some(self.0[0]) }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0[0] == APPENDIX {
            return write!(f, "Appendix {}", char::from(self.0[1]));
        }
        write!(f, "{}", self.0[0])?;
        self.0[1..].iter().take_while(|part| **part != 0).try_for_each(|part| write!(f, ".{part}"))
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        let wrong = || RuleError(text.to_owned());
        if let Some(letter) = text.strip_prefix("Appendix ") {
            return match letter.as_bytes() {
                [letter @ b'A'..=b'Z'] => Ok(Rule::appendix(*letter)),
                _ => Err(wrong()),
            };
        }
        let mut parts = [0; 4];
        let mut count = 0;
        for part in text.split('.') {
            let number = part.parse().ok().filter(|number| (1..APPENDIX).contains(number));
            *parts.get_mut(count).ok_or_else(wrong)? = number.ok_or_else(wrong)?;
            count += 1;
        }
        if count < 2 { Err(wrong()) } else { Ok(Rule(parts)) }
    }
}

impl Rule {
    /// Appends the number without `fmt`, which is too slow for a batch that writes one for every wager.
    pub fn write(self, out: &mut Vec<u8>) {
        if self.0[0] == APPENDIX {
            out.extend_from_slice(b"Appendix ");
            out.push(self.0[1]);
            return;
        }
        for (place, part) in self.0.into_iter().take_while(|part| *part != 0).enumerate() {
            if place != 0 {
                out.push(b'.');
            }
            if 100 <= part {
                out.push(b'0' + part / 100);
            }
            if 10 <= part {
                out.push(b'0' + part / 10 % 10);
            }
            out.push(b'0' + part % 10);
        }
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rule, D::Error> {
        deserializer.deserialize_str(TextVisitor("a rule such as \"3.10.2\"", |text| text.parse().ok()))
    }
}

/// Parses a text without copying it: a log has one for every wager.
struct TextVisitor<T>(&'static str, fn(&str) -> Option<T>);

impl<T> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).ok_or_else(|| E::custom(format_args!("{text:?} is not {}", self.0)))
    }
}

/// The short name a book is cited by, such as MTHB9: letters and a version, at most eight bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = String, example = "MTHB9"))]
pub struct Citation([u8; 8]);

impl Citation {
    /// A short name of one to eight capital letters and digits, or `None` for any other text.
    pub fn new(text: &str) -> Option<Citation> {
        let mut bytes = [0; 8];
        let fits = (1..=8).contains(&text.len());
        if !fits || !text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) {
            return None;
        }
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Some(Citation(bytes))
    }
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take_while(|byte| **byte != 0).try_for_each(|byte| write!(f, "{}", char::from(*byte)))
    }
}

impl fmt::Debug for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A rule of one rulebook: MTHB9 3.10.2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause {
    /// The book that has the rule.
    pub book: Citation,
    /// The number of the rule in that book.
    pub rule: Rule,
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.book, self.rule)
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Citation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Citation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Citation, D::Error> {
        deserializer.deserialize_str(TextVisitor("the short name of a book", Citation::new))
    }
}

impl<'de> Deserialize<'de> for Clause {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Clause, D::Error> {
        let clause = |text: &str| {
            let (book, rule) = text.split_once(' ')?;
            Some(Clause { book: Citation::new(book)?, rule: rule.parse().ok()? })
        };
        deserializer.deserialize_str(TextVisitor("a clause such as \"MTHB9 3.10.2\"", clause))
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Clause {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, Type};
        ObjectBuilder::new().schema_type(Type::String).examples(["MTHB9 3.10.2"]).into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Clause {}

/// Does not use `fmt`, which is too slow for a view that has one for every wager.
impl Serialize for Clause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = Vec::with_capacity(24);
        text.extend(self.book.0.iter().take_while(|byte| **byte != 0));
        text.push(b' ');
        self.rule.write(&mut text);
        serializer.serialize_str(std::str::from_utf8(&text).expect("a citation and a number are ASCII"))
    }
}

/// What a clause requires of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClauseKind {
    /// The program decides it: there is code and a test.
    Decided,
    /// An office decides it: there is a command and a test.
    Discretion,
    /// It is about the layout, the cards and spoken words.
    Physical,
    /// It defines a word, or introduces the clauses below it.
    Definition,
}

impl fmt::Display for ClauseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ClauseKind::Decided => "decided",
            ClauseKind::Discretion => "discretion",
            ClauseKind::Physical => "physical",
            ClauseKind::Definition => "definition",
        })
    }
}

/// A line of a book's clause register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClauseEntry {
    pub number: Rule,
    /// What it requires of the program.
    pub kind: ClauseKind,
    /// What it says, in our own words.
    pub gist: String,
    /// For `physical` and `definition`: why there is no code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}
