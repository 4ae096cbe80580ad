//! Signals to the processes that a test started. The program `kill` is not on every machine.

use std::process::Child;

use rustix::process::{Pid, kill_process};

pub use rustix::process::Signal;

/// Sends a process a signal.
pub fn signal(process: &Child, signal: Signal) {
    kill_process(Pid::from_child(process), signal).expect("a process of ours takes signals");
}
