//! `megalink school`: courses that people write, and certificates of examinations.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use journal::{Hash, Seal};
use rulebook::Rulebook;
use school::{CERTIFICATE_FORM, Certificate, Course, Given, Level, Paper};
use serde::Deserialize;
use serde_json::json;

use crate::audit::{LogBooks, public_key};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Check course files, and show what learners will see of them. Exit status 1 where one cannot be used.
    Check(Check),
    /// Verify the certificate of a supervised examination. Exit status 1 where something is wrong with it.
    #[command(
        after_help = "With the answers (the examination as the register exports it), the examination is made again from its \
                      seed and marked again."
    )]
    Verify(Verify),
    /// Make a supervised examination again from its seed, with the right answers, as JSON.
    Paper(PaperOf),
}

#[derive(clap::Args)]
pub(crate) struct PaperOf {
    /// The rulebook's id.
    rulebook: String,
    /// The level: trainee, dealer or supervisor.
    #[arg(value_parser = level)]
    level: Level,
    /// The seed, as the register shows it once the answers were handed in: 16 hexadecimal digits.
    #[arg(value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    books: LogBooks,
}

fn level(text: &str) -> Result<Level, String> {
    let found = Level::ALL.into_iter().find(|level| level.name() == text);
    found.ok_or_else(|| "a level is trainee, dealer or supervisor".to_owned())
}

fn seed(text: &str) -> Result<u64, String> {
    let number = (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok()).flatten();
    number.ok_or_else(|| "a seed is 16 hexadecimal digits".to_owned())
}

#[derive(clap::Args)]
pub(crate) struct Check {
    /// The course files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Show the right answers too, as the engine gives them.
    #[arg(long)]
    answers: bool,
    #[command(flatten)]
    books: LogBooks,
}

#[derive(clap::Args)]
pub(crate) struct Verify {
    /// The certificate, or the examination with its certificate and answers.
    file: PathBuf,
    /// The house's public key: 64 hexadecimal digits. Without it only the key in the certificate is used.
    #[arg(long, value_name = "HEX", value_parser = public_key)]
    public_key: Option<[u8; 32]>,
    #[command(flatten)]
    books: LogBooks,
}

/// What may be in a file: a certificate, or an examination of the register with its answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum GivenFile {
    Certificate(Box<Certificate>),
    Examination { handed_in: Box<Sheet> },
}

#[derive(Deserialize)]
struct Sheet {
    answers: Vec<Vec<Given>>,
    certificate: Certificate,
}

pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Check(arguments) => check(arguments),
        Command::Verify(arguments) => verify(arguments),
        Command::Paper(arguments) => paper(arguments),
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

fn check(arguments: &Check) -> anyhow::Result<ExitCode> {
    let library = arguments.books.library()?;
    let books: Vec<Arc<Rulebook>> = library.iter().cloned().collect();
    let mut well = true;
    for path in &arguments.files {
        match Course::parse(&read(path)?, &books) {
            Ok(course) => show(path, &course, arguments.answers),
            Err(error) => {
                well = false;
                say!("WRONG {}: {error}", path.display());
            }
        }
    }
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show(path: &Path, course: &Course, answers: bool) {
    say!(
        "{}: {} ({}), exercises: {}",
        path.display(),
        course.title,
        course.book.citation,
        course.drills.len()
    );
    for (number, (line, drill)) in course.drills.iter().enumerate() {
        let exercise = drill.exercise();
        say!("\n{}. {} (line {line})", number + 1, exercise.kind.title());
        exercise.story.iter().for_each(|sentence| say!("   {sentence}"));
        let marking = drill.mark(&drill.solution()).expect("the engine's own answers have the right form");
        for (question, marked) in exercise.questions.iter().zip(&marking.questions) {
            say!("   - {}", question.ask);
            if answers {
                let clauses: Vec<String> =
                    marked.clauses.iter().map(|cited| cited.clause.to_string()).collect();
                say!("     {} ({})", marked.words, clauses.join(", "));
            }
        }
    }
}

fn paper(arguments: &PaperOf) -> anyhow::Result<ExitCode> {
    let library = arguments.books.library()?;
    let Some((book, _)) = library.get(&arguments.rulebook) else {
        bail!("there is no rulebook {}; `megalink rules` lists them", arguments.rulebook);
    };
    let paper = Paper::of_secret(book, arguments.level, arguments.seed);
    let made = json!({ "examination": paper.examination(), "answers": paper.solution() });
    say!("{}", serde_json::to_string(&made)?);
    Ok(ExitCode::SUCCESS)
}

fn verify(arguments: &Verify) -> anyhow::Result<ExitCode> {
    let text = read(&arguments.file)?;
    let given = serde_json::from_str(&text);
    let (certificate, answers) = match given {
        Ok(GivenFile::Certificate(certificate)) => (*certificate, None),
        Ok(GivenFile::Examination { handed_in }) => (handed_in.certificate, Some(handed_in.answers)),
        Err(_) => {
            say!("WRONG {}: it is not a certificate of a supervised examination", arguments.file.display());
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut findings = signature(&certificate, arguments.public_key);
    let mut remarks = Vec::new();
    if arguments.public_key.is_none() {
        remarks.push(format!("no public key was given: compare {} with the house's own", certificate.key));
    }
    match answers {
        None => remarks.push("no answers were given: the examination was not marked again".to_owned()),
        Some(answers) => again(arguments, &certificate, &answers, &mut findings, &mut remarks)?,
    }
    let Certificate { candidate, trainer, house, rulebook, right, of, needed, number, .. } = &certificate;
    for finding in &findings {
        say!("WRONG {}: {finding}", arguments.file.display());
    }
    if findings.is_empty() {
        say!(
            "All is well: {candidate} passed examination {number} of {house} ({}, {rulebook}), set by {trainer}: {right} of {of} \
             right, {needed} needed.",
            certificate.level.name()
        );
    }
    for remark in &remarks {
        say!("Note: {remark}.");
    }
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is wrong with the form, the house, the key and the signature.
fn signature(certificate: &Certificate, key: Option<[u8; 32]>) -> Vec<String> {
    let mut findings = Vec::new();
    if certificate.form != CERTIFICATE_FORM {
        findings.push(format!("its form is {:?}, not {CERTIFICATE_FORM:?}", certificate.form));
    }
    if floor::is_practice_name(&certificate.house) {
        findings.push("it is of a practice floor, which signs no certificate".to_owned());
    }
    let Ok(named) = certificate.key.parse::<Hash>() else {
        return vec!["its key is not a key".to_owned()];
    };
    if key.is_some_and(|key| Hash(key) != named) {
        findings.push("it is signed with another key than the house's".to_owned());
    }
    let seal = Seal { key: named, signature: certificate.signature.clone() };
    if !seal.holds(&Hash::of([certificate.message().as_slice()])) {
        findings.push("the signature does not hold: something was changed".to_owned());
    }
    findings
}

/// Makes the examination again from its seed, and marks the answers again.
fn again(
    arguments: &Verify,
    certificate: &Certificate,
    answers: &[Vec<Given>],
    findings: &mut Vec<String>,
    remarks: &mut Vec<String>,
) -> anyhow::Result<()> {
    if Hash::of([serde_json::to_vec(answers)?.as_slice()]).to_string() != certificate.answers {
        findings.push("the answers are not those that were handed in".to_owned());
    }
    let library = arguments.books.library()?;
    let runs = server::identity::running(&library).context("reading the program's own file")?;
    let digest = runs.rulebooks.get(&certificate.rulebook).map(ToString::to_string);
    if digest.as_ref() != Some(&certificate.digest) {
        remarks
            .push("this program has another edition of the rulebook, so it was not marked again".to_owned());
        return Ok(());
    }
    let (book, _) = library.get(&certificate.rulebook).expect("it has a digest");
    let Some(secret) = certificate.secret() else {
        findings.push("its seed is not 16 hexadecimal digits".to_owned());
        return Ok(());
    };
    let marked = Paper::of_secret(book, certificate.level, secret).mark(answers);
    match marked {
        Ok(score)
            if (score.right, score.of, score.needed)
                == (certificate.right, certificate.of, certificate.needed) =>
        {
            remarks
                .push(format!("made again from its seed and marked again: {} of {}", score.right, score.of));
        }
        Ok(score) => findings.push(format!("marked again it is {} of {}", score.right, score.of)),
        Err(error) => findings.push(format!("it cannot be marked again: {error}")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use journal::checkpoint::Signer;

    use super::*;

    fn signed(house: &str) -> Certificate {
        let signer = Signer::generate().expect("a key");
        let mut certificate = Certificate {
            form: CERTIFICATE_FORM.to_owned(),
            house: house.to_owned(),
            number: "main-000001".to_owned(),
            candidate: "Dora".to_owned(),
            trainer: "Sue".to_owned(),
            rulebook: "megalink-holdem-v9".to_owned(),
            digest: String::new(),
            version: String::new(),
            program: String::new(),
            level: Level::Trainee,
            seed: "0000000000000001".to_owned(),
            answers: String::new(),
            right: 1,
            of: 1,
            needed: 1,
            seconds: 1,
            at: 1,
            key: Hash(signer.public_key()).to_string(),
            signature: String::new(),
        };
        certificate.signature = Seal::of(&signer, &Hash::of([certificate.message().as_slice()])).signature;
        certificate
    }

    /// Whatever signed it: a practice floor is no house.
    #[test]
    fn a_practice_floor_certifies_nothing() {
        assert_eq!(signature(&signed("The House"), None), [""; 0]);
        let findings = signature(&signed("PRACTICE FLOOR"), None);
        assert_eq!(findings, ["it is of a practice floor, which signs no certificate"]);
    }
}
