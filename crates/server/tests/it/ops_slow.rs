//! Slow and idle clients over real sockets: each has its time, and keeps nobody else waiting.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use testkit::PATIENCE;

use crate::ops_serve::{read_to_end, serve};

/// Sends a text a letter at a time, until the other side has had enough.
async fn drip(mut stream: TcpStream, text: &str) -> String {
    for letter in text.bytes() {
        if stream.write_all(&[letter]).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    read_to_end(stream).await
}

/// However a head is late, its connection ends; each letter that comes gains it no time.
#[tokio::test]
async fn a_slow_head_is_cut_off() {
    let served = serve(|config| config.limits.read_seconds = 1).await;
    let head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    let mut silent = served.connect().await;
    silent.write_all(head.as_bytes()).await.expect("it reads");
    let long = format!("{head}X-Long: {}", "x".repeat(2000));
    let (nothing, silent, dripping) = tokio::join!(
        read_to_end(served.connect().await),
        read_to_end(silent),
        // All of it would take longer.
        tokio::time::timeout(PATIENCE, drip(served.connect().await, &long)),
    );
    for answer in [nothing, silent, dripping.expect("it is cut off in time")] {
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
    assert_eq!(served.status("/healthz").await, 200);
    served.end().await.expect("it stops in order");
}

/// A body that is late is answered by a problem document, whether it stands still or drips.
#[tokio::test]
async fn a_slow_body_is_answered() {
    let served = serve(|config| config.limits.read_seconds = 1).await;
    let head = "POST /api/session HTTP/1.1\r\nHost: localhost\r\nX-Megalink: 1\r\nContent-Type: application/json\r\n\
                Connection: close\r\nContent-Length: 2000\r\n\r\n";
    let ask = async |body: &str| {
        let mut stream = served.connect().await;
        stream.write_all(head.as_bytes()).await.expect("it reads");
        let (mut reads, mut writes) = stream.into_split();
        let body = body.to_owned();
        let dripping = tokio::spawn(async move {
            for letter in body.bytes() {
                if writes.write_all(&[letter]).await.is_err() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(40)).await;
            }
            writes
        });
        let mut answer = String::new();
        let read = tokio::time::timeout(PATIENCE, reads.read_to_string(&mut answer)).await;
        // What comes after the answer may be a reset: half a body was never read.
        let _ = read.expect("it is answered in time");
        dripping.abort();
        answer
    };
    let dripping = " ".repeat(1000);
    let (still, dripping) = tokio::join!(ask("{"), ask(&dripping));
    for answer in [still, dripping] {
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(answer.contains("application/problem+json") && answer.contains("\"TooSlow\""), "{answer}");
    }
    served.end().await.expect("it stops in order");
}

/// Two thousand who connect and say nothing keep nobody out, and hold up no stop.
#[tokio::test]
async fn idle_sockets_keep_nobody_out() {
    // Both ends of each are open here.
    let files = Rlimit { current: Some(6000), ..getrlimit(Resource::Nofile) };
    if getrlimit(Resource::Nofile).current.is_some_and(|current| current < 6000) {
        setrlimit(Resource::Nofile, files).expect("so many files may be open");
    }
    let served = serve(|config| {
        config.limits.read_seconds = 300;
        config.limits.connections_per_address = 3000;
    })
    .await;
    let mut idle = Vec::new();
    for _ in 0..2000 {
        idle.push(served.connect().await);
    }
    for path in ["/healthz", "/readyz", "/api/lobby"] {
        let status = tokio::time::timeout(PATIENCE, served.status(path)).await;
        assert_eq!(status.expect("it answers before the idle ones leave"), 200, "{path}");
    }
    served.end().await.expect("it stops in order");
    assert_eq!(read_to_end(idle.swap_remove(0)).await, "");
}

/// One address cannot take all connections: one too many is closed at once, and others come in.
#[tokio::test]
async fn an_address_has_its_share_of_connections() {
    let served = serve(|config| {
        config.limits.read_seconds = 300;
        config.limits.connections = 20;
        config.limits.connections_per_address = 5;
    })
    .await;
    let from = async |address: [u8; 4]| {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((address, 0).into()).expect("an address of this machine");
        socket.connect(served.address).await.expect("it listens")
    };
    let mut idle = Vec::new();
    for _ in 0..5 {
        idle.push(from([127, 0, 0, 2]).await);
    }
    for _ in 0..30 {
        assert_eq!(read_to_end(from([127, 0, 0, 2]).await).await, "", "one too many");
    }
    assert_eq!(served.status("/healthz").await, 200, "another address is served");
    drop(idle.pop());
    // Its place is free as soon as the server has seen it go.
    let ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answered = async {
        loop {
            let mut stream = from([127, 0, 0, 2]).await;
            if stream.write_all(ask).await.is_ok() && read_to_end(stream).await.starts_with("HTTP/1.1 200") {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, answered).await.expect("a freed place is taken");
    served.end().await.expect("it stops in order");
}
