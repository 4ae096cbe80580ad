//! A field of a line of comma-separated values.

use std::borrow::Cow;

/// A text as a field: in quotation marks where it needs them, and with a ' before what a spreadsheet would compute. People and
/// tables have the names that somebody gave them.
pub fn field(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t']) && text.parse::<f64>().is_err();
    let text = if is_formula { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) };
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_computed() {
        for (text, written) in [
            ("Ann", "Ann"),
            ("Tan, Bob", "\"Tan, Bob\""),
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-2+3", "'-2+3"),
            ("+65 1234", "'+65 1234"),
            ("=\"a,b\"", "\"'=\"\"a,b\"\"\""),
            ("-4390", "-4390"),
            ("-1.5", "-1.5"),
        ] {
            assert_eq!(field(text), written);
        }
    }
}
