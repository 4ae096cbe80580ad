//! A program that takes each checkpoint on its standard input: for mail, a printer, a cloud's own tool.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use journal::checkpoint::Checkpoint;
use journal::witness::Cosigned;

use super::{AskError, SendError};

/// How often it is looked whether a program has ended.
const LOOKED: Duration = Duration::from_millis(10);

/// How much of a program's errors is reported.
const ERRORS_MAX: usize = 500;

/// A program, with its arguments.
#[derive(Clone, Debug)]
pub(super) struct Program {
    command: Vec<String>,
    /// A program that writes the newest checkpoint it has seen to its standard output.
    latest: Option<Vec<String>>,
    timeout: Duration,
}

impl Program {
    pub(super) fn new(
        command: &[String],
        latest: Option<&[String]>,
        timeout: Duration,
    ) -> Result<Program, String> {
        if command.is_empty() || latest.is_some_and(<[String]>::is_empty) {
            return Err("command and latest: name a program".to_owned());
        }
        Ok(Program { command: command.to_vec(), latest: latest.map(<[String]>::to_vec), timeout })
    }

    /// Gives the program a checkpoint. It has taken it if it ends with status 0.
    pub(super) fn send(&self, checkpoint: &Checkpoint) -> Result<(), SendError> {
        let text = checkpoint.to_text() + "\n";
        run(&self.command, &text, self.timeout).map(|_| ()).map_err(SendError::Unreachable)
    }

    /// The newest checkpoint it has seen, if it can be asked.
    pub(super) fn latest(&self) -> Result<Option<Vec<Checkpoint>>, AskError> {
        let Some(latest) = &self.latest else {
            return Ok(None);
        };
        let text = run(latest, "", self.timeout).map_err(AskError::Unreachable)?;
        let read = |line: &str| {
            let what = |error| AskError::Changed(format!("{}: {error}", name(latest)));
            Cosigned::from_text(line).map(|line| line.checkpoint).map_err(what)
        };
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines.map(read).collect::<Result<_, _>>().map(Some)
    }
}

fn name(command: &[String]) -> &str {
    command.first().map_or("", String::as_str)
}

/// Runs a program with some input, and returns its output if it ends well and in time.
fn run(command: &[String], input: &str, timeout: Duration) -> Result<String, String> {
    let program = name(command);
    let failed = |error: std::io::Error| format!("{program}: {error}");
    let mut child = Command::new(program)
        .args(command.get(1..).unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(if input.is_empty() { Stdio::piped() } else { Stdio::null() })
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    // Each pipe has a thread of its own, so that a program that reads nothing or writes much does not hang.
    let mut stdin = child.stdin.take();
    let text = input.to_owned();
    let writer = thread::spawn(move || stdin.take().map(|mut stdin| stdin.write_all(text.as_bytes())));
    let (output, errors) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let status = match wait(&mut child, timeout) {
        Ok(Some(status)) => status,
        Ok(None) => {
            // It is over for this one, whatever becomes of it.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{program}: it did not end within {timeout:?}"));
        }
        Err(error) => return Err(failed(error)),
    };
    // A program may end well without reading its input.
    let _ = writer.join();
    if !status.success() {
        let errors: String = errors.join().unwrap_or_default().trim().chars().take(ERRORS_MAX).collect();
        return Err(format!("{program} ended with {status}: {errors}"));
    }
    Ok(output.join().unwrap_or_default())
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before a failure is reported as it is.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, timeout: Duration) -> std::io::Result<Option<std::process::ExitStatus>> {
    let until = Instant::now() + timeout;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if until <= Instant::now() {
            return Ok(None);
        }
        thread::sleep(LOOKED);
    }
}
