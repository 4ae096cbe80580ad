//! What is reported to the service manager (systemd), where there is one.

use std::sync::Arc;

use floor::node::Service;
use sd_notify::NotifyState;
use tokio::sync::oneshot;

/// Requests are served from here on.
pub(super) fn ready() {
    notify(&[NotifyState::Ready]);
}

/// They are no more.
pub(super) fn stopping() {
    notify(&[NotifyState::Stopping]);
}

/// Tells the manager again and again that the node's thread does its work, where the manager wants to know.
pub(super) async fn watchdog(service: Arc<Service>) {
    let Some(time) = sd_notify::watchdog_enabled() else {
        return;
    };
    loop {
        tokio::time::sleep(time / 3).await;
        let (sender, receiver) = oneshot::channel();
        // Nothing is kept; that the thread says so is what counts. A database that is away is not its fault.
        service.keep_with(Vec::new(), Box::new(move |_| sender.send(()).unwrap_or_default()));
        if receiver.await.is_ok() {
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
