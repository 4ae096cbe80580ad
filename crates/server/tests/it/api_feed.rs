//! Live feeds over real sockets: nothing lost, nothing twice, nobody who may not.

use std::net::SocketAddr;
use std::time::Duration;

use axum::http::HeaderValue;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::support::{Hall, first_message};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Puts a house behind a socket.
async fn listen(hall: &Hall) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("an address");
    let address = listener.local_addr().expect("an address");
    let service = hall.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
    address
}

async fn connect(address: SocketAddr, headers: &[(&'static str, String)]) -> Result<Socket, u16> {
    let mut request = format!("ws://{address}/api/feed").into_client_request().expect("a request");
    for (name, value) in headers {
        request.headers_mut().insert(*name, HeaderValue::from_str(value).expect("a header"));
    }
    match connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

fn bearer(hall: &Hall, name: &str) -> (&'static str, String) {
    ("authorization", format!("Bearer {}", hall.tokens[name]))
}

async fn say(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.expect("it is sent");
}

/// What a feed says when there is no news.
fn alive() -> Value {
    json!({ "alive": true })
}

/// The next message with news; a close is its code.
async fn next(socket: &mut Socket) -> Result<Value, u16> {
    let news = async {
        loop {
            let message = received(socket).await;
            if message != Ok(alive()) {
                return message;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), news).await.expect("something comes")
}

/// The next message of any kind.
async fn received(socket: &mut Socket) -> Result<Value, u16> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).expect("JSON")),
            Some(Ok(Message::Close(frame))) => return Err(frame.map_or(0, |frame| frame.code.into())),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return Err(0),
        }
    }
}

fn versions(message: &Value) -> Vec<u64> {
    let told = message["events"].as_array().expect("what is told");
    told.iter().map(|told| told["version"].as_u64().expect("a version")).collect()
}

#[tokio::test]
async fn a_feed_has_every_entry_once_and_goes_on() {
    let hall = Hall::open().await;
    let address = listen(&hall).await;
    let mut socket = connect(address, &[bearer(&hall, "Ann")]).await.expect("it opens");
    say(&mut socket, json!({ "follow": "table/H1", "after": 0 })).await;
    let first = next(&mut socket).await.expect("a message");
    let mut seen = versions(&first);
    assert_eq!(first["table"]["table"], "H1");
    hall.seat("H1", &["Ann", "Bob"]).await;
    let head = hall.app.board.head(&"table/H1".parse().expect("a stream")).expect("a head").version.0;
    while seen.last() != Some(&head) {
        seen.extend(versions(&next(&mut socket).await.expect("a message")));
    }
    assert_eq!(seen, (1..=head).collect::<Vec<_>>(), "every entry, once, in order");
    // Another goes on from the middle, by the other way of following; what is told is the same.
    let whole = first_message(&hall.client("Ann"), "table/H1").await;
    say(&mut socket, json!({ "unfollow": "table/H1" })).await;
    say(&mut socket, json!({ "follow": "table/H1", "after": 3 })).await;
    let rest = next(&mut socket).await.expect("a message");
    assert_eq!(
        rest["events"].as_array().expect("events")[..],
        whole["events"].as_array().expect("events")[3..]
    );
    // What cannot be followed is said, and the feed goes on.
    for wrong in
        [json!({ "follow": "table/none" }), json!({ "follow": "moon" }), json!({ "dance": true }), json!({})]
    {
        say(&mut socket, wrong).await;
        assert!(next(&mut socket).await.expect("a message")["problem"]["reason"].is_string());
    }
}

/// A page cannot see a ping: without words it could not tell a table where nothing happens from a network that is gone.
#[tokio::test]
async fn a_feed_without_news_says_that_it_is_there() {
    let hall = Hall::open().await;
    let address = listen(&hall).await;
    let mut socket = connect(address, &[]).await.expect("it opens");
    say(&mut socket, json!({ "follow": "table/H1" })).await;
    assert_eq!(next(&mut socket).await.expect("a message")["stream"], "table/H1");
    for _ in 0..2 {
        let said = tokio::time::timeout(Duration::from_secs(15), received(&mut socket)).await;
        assert_eq!(said.expect("something comes"), Ok(alive()));
    }
}

#[tokio::test]
async fn a_feed_ends_with_its_session() {
    let hall = Hall::open().await;
    let address = listen(&hall).await;
    let mut sue = connect(address, &[bearer(&hall, "Sue")]).await.expect("it opens");
    let mut ann = connect(address, &[bearer(&hall, "Ann")]).await.expect("it opens");
    for socket in [&mut sue, &mut ann] {
        say(socket, json!({ "follow": "table/H1" })).await;
        next(socket).await.expect("a message");
    }
    hall.two_sign("Gus", "Abe", json!({ "kind": "appoint", "person": "Sue", "office": "dealer" })).await.ok();
    assert_eq!(next(&mut sue).await, Err(4401));
    hall.client("Ann").delete("/api/session").await.ok();
    assert_eq!(next(&mut ann).await, Err(4401));
}

#[tokio::test]
async fn handshakes_and_messages_have_their_bounds() {
    let hall = Hall::open_with(|config| config.limits.feeds_per_address = 5).await;
    let address = listen(&hall).await;
    let own = ("origin", format!("http://{address}"));
    let foreign = ("origin", "https://evil.example".to_owned());
    let cookie = ("cookie", format!("__Host-megalink={}", hall.tokens["Bob"]));
    assert_eq!(connect(address, &[foreign]).await.err(), Some(403), "a foreign page");
    assert_eq!(
        connect(address, std::slice::from_ref(&cookie)).await.err(),
        Some(403),
        "a cookie, and no origin"
    );
    connect(address, &[cookie, own]).await.expect("our own page");
    assert_eq!(hall.public().get("/api/feed").await.reason(426), "UpgradeNeeded");
    // A message of more than 16 KiB closes; so does a flood.
    let mut socket = connect(address, &[]).await.expect("it opens");
    socket.send(Message::text("x".repeat(17 * 1024))).await.expect("it is sent");
    assert!(next(&mut socket).await.is_err());
    let mut socket = connect(address, &[]).await.expect("it opens");
    let mut closed = None;
    for _ in 0..400 {
        if socket.send(Message::text("{}")).await.is_err() {
            break;
        }
    }
    while closed.is_none() {
        closed = next(&mut socket).await.err();
    }
    assert!(closed == Some(1008) || closed == Some(0), "{closed:?}");
    // So many feeds from one address, and no more.
    let mut open = Vec::new();
    let refused = loop {
        match connect(address, &[]).await {
            Ok(socket) => open.push(socket),
            Err(status) => break status,
        }
        assert!(open.len() < 10);
    };
    assert_eq!(refused, 429);
}

/// What the link says is wrong.
async fn faults(hall: &Hall) -> Vec<String> {
    let sign = hall.public().get("/api/links/mega").await.ok();
    let faults = sign["faults"].as_array().expect("faults").iter();
    faults.map(|fault| fault["kind"].as_str().expect("a kind").to_owned()).collect()
}

/// A sign says over its feed what it shows. What the meter shows is well; another amount becomes a fault once it has been
/// shown for too long, once, and everybody at the link's sign sees it. Nobody without the key is believed.
#[tokio::test]
async fn a_sign_that_shows_another_amount_is_a_fault() {
    const KEY: &str = "the key of the signs";
    let hall = Hall::open_with(|config| {
        config.floor.display_seconds = 1;
        config.floor.sign_key = Some(KEY.to_owned());
    })
    .await;
    let address = listen(&hall).await;
    let mut sign = connect(address, &[]).await.expect("it opens");
    say(&mut sign, json!({ "follow": "link/mega" })).await;
    let displayed = next(&mut sign).await.expect("a message")["link"]["displayed"].as_u64().expect("cents");
    let shows = |amount: u64, key: &str| json!({ "shown": "link/mega", "displayed": amount, "key": key });
    for (wrong, reason) in [
        (shows(displayed, "another key of signs"), "NotASign"),
        (json!({ "shown": "link/mega", "displayed": 1 }), "NotASign"),
        (json!({ "shown": "house", "displayed": 1, "key": KEY }), "NoMeter"),
        (json!({ "shown": "link/mega", "key": KEY }), "NotUnderstood"),
    ] {
        say(&mut sign, wrong).await;
        assert_eq!(next(&mut sign).await.expect("a message")["problem"]["reason"], reason);
    }
    let until = |seconds: u64| tokio::time::Instant::now() + Duration::from_secs(seconds);
    // The right amount for longer than is allowed, then a wrong one for a moment only.
    let enough = until(2);
    while tokio::time::Instant::now() < enough {
        say(&mut sign, shows(displayed, KEY)).await;
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    say(&mut sign, shows(displayed + 1, KEY)).await;
    say(&mut sign, shows(displayed, KEY)).await;
    assert_eq!(faults(&hall).await, Vec::<String>::new());
    let patience = until(30);
    while faults(&hall).await.is_empty() {
        assert!(tokio::time::Instant::now() < patience, "nothing was reported");
        say(&mut sign, shows(displayed + 1, KEY)).await;
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    say(&mut sign, shows(displayed + 1, KEY)).await;
    assert_eq!(faults(&hall).await, ["display-differs"], "reported once");
    // Everything goes on: it locks nothing.
    let told = next(&mut sign).await.expect("the sign is told");
    assert_eq!((&told["link"]["state"], &told["link"]["displayed"]), (&json!("fault"), &json!(displayed)));
    // A table's console is believed by the session of the staff, and never by a Player's.
    let mut dora = connect(address, &[bearer(&hall, "Dora")]).await.expect("it opens");
    let patience = until(30);
    while faults(&hall).await.len() < 2 {
        assert!(tokio::time::Instant::now() < patience, "nothing was reported");
        say(&mut dora, json!({ "shown": "table/H1", "displayed": 1 })).await;
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let mut ann = connect(address, &[bearer(&hall, "Ann")]).await.expect("it opens");
    say(&mut ann, json!({ "shown": "table/H1", "displayed": 1 })).await;
    assert_eq!(next(&mut ann).await.expect("a message")["problem"]["reason"], "NotASign");
}
