//! Moves closed periods out of the log into archive files, where the configuration says so: written and verified first, then
//! taken out of the log a little at a time.

use std::sync::Arc;
use std::time::Duration;

use journal::archive::{Pruning, archive_until};
use journal::{Moment, StoreError};
use tokio::sync::oneshot;

use crate::app::App;

/// How often it is looked whether a period is due.
pub(crate) const LOOKED: Duration = Duration::from_mins(10);

/// How many entries are taken out at once, and how long the floor has the log for itself in between.
const AT_ONCE: usize = 500;
const BETWEEN: Duration = Duration::from_millis(100);

/// The milliseconds of a day.
const DAY: u64 = 24 * 60 * 60 * 1000;

/// Archives what is due.
pub(crate) async fn archive_due(app: App) {
    let Some(folder) = app.config.storage.archives.clone() else { return };
    let days = u64::from(app.config.storage.keep_days);
    let before = Moment(Moment::now().0.saturating_sub(days.saturating_mul(DAY)));
    let rule = app.board.house().day_rule();
    let written = app.vault.read(move |reader| {
        std::fs::create_dir_all(&folder).map_err(|error| StoreError::Full(error.to_string()))?;
        archive_until(reader, &folder, before, rule)
    });
    match written.await {
        Ok(archived) => {
            for written in &archived.written {
                let path = written.path.display();
                tracing::info!(%path, entries = written.entries, bytes = written.bytes, "archived");
            }
            prune(&app, Arc::new(archived.pruning)).await;
        }
        Err(problem) => tracing::error!(reason = problem.reason, "the log could not be archived"),
    }
}

async fn prune(app: &App, pruning: Arc<Pruning>) {
    loop {
        let (sender, receiver) = oneshot::channel();
        let reply = Box::new(move |taken| {
            let _ = sender.send(taken);
        });
        app.service.prune_with(Arc::clone(&pruning), AT_ONCE, reply);
        match receiver.await {
            Ok(Ok(0)) | Err(_) => return,
            Ok(Ok(_)) => {}
            Ok(Err(failure)) => {
                tracing::warn!(%failure, "what is archived could not be taken out of the log; tried again later");
                return;
            }
        }
        tokio::select! {
            () = app.stopping.cancelled() => return,
            () = tokio::time::sleep(BETWEEN) => {}
        }
    }
}
