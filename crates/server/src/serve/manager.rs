//! What is reported to the service manager (systemd), where there is one.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use floor::node::Service;
use sd_notify::NotifyState;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

use crate::writing::Writing;

/// How often the manager hears that the start goes on, and for how long each time it is asked to wait.
const START_TOLD: Duration = Duration::from_secs(10);
const START_EXTENDED_MICROSECONDS: u32 = 60_000_000;

/// A start that goes on: until this is dropped, the manager is asked to wait for it, and a closed terminal does not end it.
pub(crate) struct Starting {
    _ended: mpsc::Sender<()>,
}

impl Starting {
    pub(crate) fn new() -> std::io::Result<Starting> {
        // From the first time it is listened for, SIGHUP does not end the process.
        drop(signal(SignalKind::hangup())?);
        let (sender, ended) = mpsc::channel();
        let tell = move || {
            loop {
                notify(&[
                    NotifyState::ExtendTimeoutUsec(START_EXTENDED_MICROSECONDS),
                    NotifyState::Status("the log is read"),
                ]);
                if ended.recv_timeout(START_TOLD) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        };
        thread::Builder::new().name("starting".to_owned()).spawn(tell)?;
        Ok(Starting { _ended: sender })
    }
}

/// Requests are served from here on.
pub(super) fn ready() {
    notify(&[NotifyState::Ready, NotifyState::Status("serving")]);
}

/// They are no more.
pub(super) fn stopping() {
    notify(&[NotifyState::Stopping]);
}

/// Tells the manager again and again that the node's thread does its work, where the manager wants to know. A database that
/// is away is not the thread's fault.
pub(super) async fn watchdog(service: Arc<Service>, writing: Writing) {
    let Some(time) = sd_notify::watchdog_enabled() else {
        return;
    };
    let often = time / 3;
    loop {
        tokio::time::sleep(often).await;
        let (sender, mut receiver) = oneshot::channel();
        // Nothing is kept; that the thread says so is what counts.
        service.keep_with(Vec::new(), Box::new(move |_| sender.send(()).unwrap_or_default()));
        let mut answer = tokio::time::timeout(often, &mut receiver).await;
        while answer.is_err() {
            if writing.is_waiting() {
                notify(&[NotifyState::Watchdog]);
            }
            answer = tokio::time::timeout(often, &mut receiver).await;
        }
        if answer.is_ok_and(|answer| answer.is_ok()) {
            notify(&[NotifyState::Watchdog]);
        }
    }
}

fn notify(state: &[NotifyState<'_>]) {
    // Without a manager there is nobody to tell.
    if let Err(error) = sd_notify::notify(state) {
        tracing::debug!(%error, "the service manager was not notified");
    }
}
