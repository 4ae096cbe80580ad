//! The answer to a line of a script.

use rulebook::Rule;

/// An answer: its text, the rules it cites, and whether it is a refusal.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) text: String,
    /// Further lines for a transcript.
    pub(super) details: Vec<String>,
    pub(super) rules: Vec<Rule>,
    pub(super) refused: bool,
}

impl Answer {
    /// An answer that cites nothing.
    pub(super) fn plain(text: impl Into<String>) -> Answer {
        Answer { text: text.into(), ..Answer::default() }
    }

    /// An answer followed by the rules it is based on.
    pub(super) fn citing(text: &str, rules: &[Rule]) -> Answer {
        Answer { text: with_rules(text, rules), rules: rules.to_vec(), ..Answer::default() }
    }

    /// Joins several answers into one.
    pub(super) fn joined(answers: Vec<Answer>, none: &str) -> Answer {
        if answers.is_empty() {
            return Answer::plain(none);
        }
        let mut all = Answer::default();
        let texts: Vec<String> = answers.iter().map(|answer| answer.text.clone()).collect();
        for answer in answers {
            all.rules.extend(answer.rules);
            all.details.extend(answer.details);
            all.refused |= answer.refused;
        }
        all.text = texts.join("; ");
        all
    }
}

/// The text with its rules in brackets, each once.
pub(super) fn with_rules(text: &str, rules: &[Rule]) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in rules.iter().map(ToString::to_string) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() { text.to_owned() } else { format!("{text} ({})", names.join(", ")) }
}
