//! The pages of a pack: plain HTML that prints well and needs nothing else. Documents of the project are written in
//! Markdown; what they use of it is turned into HTML here.

use journal::checkpoint::Signer;
use journal::{Hash, Identity};
use sha2::{Digest, Sha256};

use super::File;

const STYLE: &str = "body{font:15px/1.5 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111}\
                     h1,h2,h3{line-height:1.2}table{border-collapse:collapse;margin:1rem 0;width:100%}\
                     th,td{border:1px solid #999;padding:.25rem .5rem;text-align:left;vertical-align:top}\
                     code,.digest{font:13px/1.4 monospace;overflow-wrap:anywhere}pre{white-space:pre-wrap}\
                     .notice{border:1px solid #111;padding:.5rem 1rem}@media print{body{margin:0;max-width:none}}";

/// A page of this title.
pub(super) fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

/// The index: what runs, and every file with its digest.
pub(super) fn index(
    files: &[File],
    identity: &Identity,
    date: Option<&str>,
    signer: Option<&Signer>,
) -> String {
    let mut body = String::from("<h1>Megalink: submission pack</h1>\n");
    if let Some(date) = date {
        body += &format!("<p>{}</p>\n", escaped(date));
    }
    body += "<p class=\"notice\">This program is not approved by any regulator. What follows is the project's own \
             assessment, made by the program itself; nothing here is certified.</p>\n<h2>What was examined</h2>\n<table>\n";
    let mut rows = vec![
        ("Version".to_owned(), identity.version.clone()),
        ("SHA-256 of the program".to_owned(), identity.program.to_string()),
    ];
    rows.extend(
        identity
            .rulebooks
            .iter()
            .map(|(id, digest)| (format!("SHA-256 of rulebook {id}"), digest.to_string())),
    );
    for (name, value) in rows {
        body +=
            &format!("<tr><th>{}</th><td class=\"digest\">{}</td></tr>\n", escaped(&name), escaped(&value));
    }
    body += "</table>\n<h2>Contents</h2>\n<table>\n<tr><th>document</th><th>SHA-256</th></tr>\n";
    for File { name, about, text } in files {
        let digest = Hash(Sha256::digest(text.as_bytes()).into());
        body += &format!(
            "<tr><td><a href=\"{name}\">{}</a></td><td class=\"digest\">{digest}</td></tr>\n",
            escaped(about)
        );
    }
    body += "</table>\n<p><a href=\"files.json\">files.json</a> lists every file, this page included, with its SHA-256";
    body += &match signer {
        Some(signer) => {
            format!(
                ", signed with the key <span class=\"digest\">{}</span>.</p>\n",
                Hash(signer.public_key())
            )
        }
        None => ". It is not signed: no key was given.</p>\n".to_owned(),
    };
    page("Megalink: submission pack", &body)
}

/// A document as a page.
pub(super) fn of_document(text: &str) -> String {
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Megalink");
    page(title, &html(text))
}

/// A block of a document that goes on over several lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    None,
    Paragraph,
    List,
    Table,
    Code,
}

impl Block {
    const fn end(self) -> &'static str {
        match self {
            Block::None => "",
            Block::Paragraph => "</p>\n",
            Block::List => "</li>\n</ul>\n",
            Block::Table => "</table>\n",
            Block::Code => "</pre>\n",
        }
    }
}

fn html(text: &str) -> String {
    let (mut body, mut block) = (String::new(), Block::None);
    for line in text.lines() {
        if line.starts_with("```") {
            let begins = block != Block::Code;
            body += block.end();
            block = if begins { Block::Code } else { Block::None };
            body += if begins { "<pre>" } else { "" };
        } else if block == Block::Code {
            body += &format!("{}\n", escaped(line));
        } else if let Some((level, title)) = heading(line) {
            body += &format!("{}<h{level}>{}</h{level}>\n", block.end(), inline(title));
            block = Block::None;
        } else if line.trim().is_empty() {
            body += block.end();
            block = Block::None;
        } else if line.starts_with('|') {
            if block != Block::Table {
                body += &format!("{}<table>\n{}", block.end(), row(line, "th"));
                block = Block::Table;
            } else if !line.chars().all(|sign| "|-: ".contains(sign)) {
                body += &row(line, "td");
            }
        } else if let Some(item) = line.trim_start().strip_prefix("- ") {
            body += &if block == Block::List {
                format!("</li>\n<li>{}", inline(item))
            } else {
                format!("{}<ul>\n<li>{}", block.end(), inline(item))
            };
            block = Block::List;
        } else if block == Block::None || block == Block::Table {
            body += &format!("{}<p>{}", block.end(), inline(line));
            block = Block::Paragraph;
        } else {
            body += &format!("\n{}", inline(line.trim_start()));
        }
    }
    body + block.end()
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.chars().take_while(|sign| *sign == '#').count();
    let title = line.get(level..)?.strip_prefix(' ')?;
    (1..=6).contains(&level).then_some((level, title))
}

fn row(line: &str, cell: &str) -> String {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    // A sign that stands for itself is written with a backslash before it.
    let cells = inner.replace("\\|", "\u{1}");
    let cells = cells.split('|').map(|text| text.trim().replace('\u{1}', "|"));
    let cells: String = cells.map(|text| format!("<{cell}>{}</{cell}>", inline(&text))).collect();
    format!("<tr>{cells}</tr>\n")
}

/// Code and emphasis within a line. Links lead to documents that may not be here, so only their words are kept.
fn inline(text: &str) -> String {
    let mut html = String::new();
    for (place, part) in text.split('`').enumerate() {
        if place % 2 == 1 {
            html += &format!("<code>{}</code>", escaped(part));
            continue;
        }
        for (place, part) in without_links(part).split("**").enumerate() {
            let escaped = escaped(part);
            html += &if place % 2 == 1 { format!("<b>{escaped}</b>") } else { escaped };
        }
    }
    html
}

fn without_links(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some((before, words, after)) = first_link(rest) {
        kept += before;
        kept += words;
        rest = after;
    }
    kept + rest
}

/// The text before the first link, the words of the link, and the text after it.
fn first_link(text: &str) -> Option<(&str, &str, &str)> {
    let (head, tail) = text.split_once("](")?;
    let (before, words) = head.rsplit_once('[')?;
    let (_, after) = tail.split_once(')')?;
    Some((before, words, after))
}

/// A text that HTML shows as it is.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_becomes_a_page_that_reads_the_same() {
        let text = "# Title\n\nOne **two**\nthree `a<b`, see [there](x.md).\n\n| a | b |\n|---|---|\n| 1 | x \\| y |\n\n\
                    - first\n  goes on\n- second\n\n```text\n<raw>\n```\n";
        let expected = "<h1>Title</h1>\n<p>One <b>two</b>\nthree <code>a&lt;b</code>, see there.</p>\n\
                        <table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>x | y</td></tr>\n</table>\n\
                        <ul>\n<li>first\ngoes on</li>\n<li>second</li>\n</ul>\n<pre>&lt;raw&gt;\n</pre>\n";
        assert_eq!(html(text), expected);
    }
}
