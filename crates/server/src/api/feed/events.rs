//! One stream as server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use journal::{Stream, Version};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{ended, resume, stream};
use crate::api::body::{PathParams, QueryParams};
use crate::app::App;
use crate::auth::devices::KnownDevice;
use crate::auth::guard::Visitor;
use crate::auth::limits::Permit;
use crate::auth::sessions::Session;
use crate::caller::Caller;
use crate::hub::{Following, Update};
use crate::problem::Problem;

/// From where on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::api) struct From {
    /// The last version seen; from now on where none is named. `Last-Event-ID` says the same.
    after: Option<u64>,
}

/// What an open feed holds.
struct Open {
    app: App,
    first: Option<Update>,
    following: Following,
    session: Option<Session>,
    device: Option<KnownDevice>,
    _permit: Permit,
}

impl Open {
    /// The next message; `None` where the feed ends.
    async fn next(&mut self) -> Option<Update> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        tokio::select! {
            () = ended(self.session.as_ref()) => None,
            () = revoked(&self.app, self.device.as_ref()) => None,
            () = self.app.stopping.cancelled() => None,
            sent = self.following.updates.recv() => sent,
        }
    }
}

/// Waits until the key of a device no longer holds; never returns where it is none.
async fn revoked(app: &App, device: Option<&KnownDevice>) {
    match device {
        Some(device) => app.devices.ended(device).await,
        None => std::future::pending().await,
    }
}

/// A table or a link as server-sent events, from the last version seen.
#[utoipa::path(get, path = "/api/streams/{kind}/{name}/feed", tag = "feeds",
    params(("kind" = String, Path, description = "`table` or `link`", example = "table"),
        ("name" = String, Path, description = "Its name", example = "MTHB9-1"), From,
        ("Last-Event-ID" = Option<u64>, Header, description = "The last version seen")),
    responses((status = 200, description = "Messages as they come; the id of each is the version it leads up to",
        body = String, content_type = "text/event-stream")))]
pub(in crate::api) async fn events(
    State(app): State<App>,
    PathParams((kind, name)): PathParams<(String, String)>,
    QueryParams(from): QueryParams<From>,
    caller: Caller,
    visitor: Visitor,
    device: Option<Extension<KnownDevice>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let stream = stream(&app, &format!("{kind}/{name}"))?;
    let who = (visitor, device.map(|Extension(device)| device));
    open(app, stream, from, caller, who, &headers).await
}

/// The house as server-sent events, from the last version seen.
#[utoipa::path(get, path = "/api/streams/house/feed", tag = "feeds",
    params(From, ("Last-Event-ID" = Option<u64>, Header, description = "The last version seen")),
    responses((status = 200, description = "Messages as they come; the id of each is the version it leads up to",
        body = String, content_type = "text/event-stream")))]
pub(in crate::api) async fn house_events(
    State(app): State<App>,
    QueryParams(from): QueryParams<From>,
    caller: Caller,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    open(app, Stream::House, from, caller, (visitor, None), &headers).await
}

async fn open(
    app: App,
    stream: Stream,
    from: From,
    caller: Caller,
    (visitor, device): (Visitor, Option<KnownDevice>),
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let after = last.or(from.after).map(Version);
    let permit = app.limiter.feed(caller)?;
    let (first, following) = resume::follow(&app, stream, visitor.viewer(), after).await?;
    let session = visitor.signed_in.map(|(session, _)| session);
    let open = Open { app, first: Some(first), following, session, device, _permit: permit };
    let messages = unfold(open, async |mut open: Open| {
        let sent = open.next().await?;
        let event = Event::default().id(sent.version.0.to_string()).data(sent.text.as_str());
        Some((Ok::<_, Infallible>(event), open))
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(messages).keep_alive(alive).into_response())
}
