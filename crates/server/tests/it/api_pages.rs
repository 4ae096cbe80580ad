//! The pages: each by its name, in the form a browser takes.

use axum::http::Method;
use tower::ServiceExt;

use super::support::Hall;

#[tokio::test]
async fn pages_come_in_the_form_a_browser_takes() {
    let hall = Hall::empty(|_| {}).await;
    let plain = hall.public().get("/").await;
    assert_eq!(plain.headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(plain.headers["vary"], "accept-encoding");
    assert!(!plain.headers.contains_key("content-encoding"));
    for (accepted, encoding) in [
        ("gzip, deflate, br", Some("br")),
        ("gzip;q=1.0, br;q=0", Some("gzip")),
        ("GZIP", Some("gzip")),
        ("identity", None),
        ("br;q=0, gzip;q=0.0", None),
    ] {
        let request = hall.public().with("accept-encoding", accepted).request(Method::GET, "/", None);
        let reply = hall.router.clone().oneshot(request).await.expect("the router answers");
        let headers = reply.headers().clone();
        let body = axum::body::to_bytes(reply.into_body(), usize::MAX).await.expect("a body");
        assert_eq!(headers.get("content-encoding").and_then(|name| name.to_str().ok()), encoding);
        assert_eq!(headers["content-type"], "text/html; charset=utf-8");
        assert_ne!(headers["etag"] == plain.headers["etag"], encoding.is_some(), "{accepted}");
        assert_eq!(body.len() < plain.text.len(), encoding.is_some(), "{accepted}");
    }
}

/// A browser that has the page is told so; its policy lets nothing in from elsewhere and nothing inline.
#[tokio::test]
async fn pages_are_kept_and_closed() {
    let hall = Hall::empty(|_| {}).await;
    let page = hall.public().get("/").await;
    let tag = page.headers["etag"].to_str().expect("text").to_owned();
    let again = hall.public().with("if-none-match", &tag).get("/").await;
    assert_eq!((again.status.as_u16(), again.text.len()), (304, 0));
    assert_eq!(page.headers["cache-control"], "no-cache");
    let policy = page.headers["content-security-policy"].to_str().expect("text");
    for part in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"] {
        assert!(policy.split("; ").any(|one| one == part), "{part}: {policy}");
    }
    assert!(!page.text.contains("<script>") && !page.text.contains("style=\""), "nothing inline");
    assert_eq!(hall.public().get("/no-such-page").await.reason(404), "NotFound");
}

/// Whoever opens an address that does not exist gets a page with a way home; a program, and the API, a problem.
#[tokio::test]
async fn an_address_that_does_not_exist_has_a_way_home() {
    let hall = Hall::empty(|_| {}).await;
    let browser = hall.public().with("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for path in ["/no-such-page", "/missing", "/tables/H1"] {
        let page = browser.get(path).await;
        assert_eq!(
            (page.status.as_u16(), &page.headers["content-type"]),
            (404, &"text/html; charset=utf-8".parse().expect("a type"))
        );
        assert!(page.text.contains("<a ") && page.text.contains("href=\"/\""), "{}", page.text);
        let tag = page.headers["etag"].to_str().expect("text").to_owned();
        let again = hall.public().with("accept", "text/html").with("if-none-match", &tag).get(path).await;
        assert_eq!((again.status.as_u16(), again.text.len()), (404, page.text.len()), "never empty");
        assert_eq!(hall.public().with("accept", "*/*").get(path).await.reason(404), "NotFound");
    }
    assert_eq!(browser.get("/api/none").await.reason(404), "NotFound");
}
