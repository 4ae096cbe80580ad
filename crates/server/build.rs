//! Puts the page where the program takes it in: a folder given by `MEGALINK_WEB_DIST`; else the one built from `web/`;
//! else, where there is none or it cannot be built, a small page of the crate's own. The API is whole in any case. What
//! is worth it is compressed here, once, rather than for every browser that asks.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() {
    let crate_folder =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the crate's folder"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder to write to")).join("page");
    println!("cargo::rerun-if-env-changed=MEGALINK_WEB_DIST");
    println!("cargo::rerun-if-env-changed=MEGALINK_SKIP_WEB");
    println!("cargo::rerun-if-changed=page");
    let built = built_elsewhere().map_or_else(|| built_here(&crate_folder.join("../../web"), &out), Ok);
    let page = built.unwrap_or_else(|why| {
        println!("cargo::rustc-env=MEGALINK_WITHOUT_PAGES={why}");
        crate_folder.join("page")
    });
    copy_anew(&page, &out).unwrap_or_else(|error| panic!("copying {}: {error}", page.display()));
    compress(&out).unwrap_or_else(|error| panic!("compressing {}: {error}", out.display()));
    let list = out.with_extension("rs");
    fs::write(&list, listed(&out)).unwrap_or_else(|error| panic!("writing {}: {error}", list.display()));
}

/// The files as Rust: a slice of paths and bytes that the program takes in.
fn listed(page: &Path) -> String {
    let mut files = Vec::new();
    find(page, &mut files).unwrap_or_else(|error| panic!("reading {}: {error}", page.display()));
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(page).expect("it was found there");
        let [name, file] = [name, &file].map(|path| path.to_str().expect("the pages have plain names"));
        list.push_str(&format!("({name:?}, include_bytes!({file:?})),\n"));
    }
    list.push(']');
    list
}

/// Every file in a folder and the folders below it.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// A folder somebody built before.
fn built_elsewhere() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("MEGALINK_WEB_DIST")?);
    println!("cargo::rerun-if-changed={}", folder.display());
    assert!(folder.join("index.html").is_file(), "MEGALINK_WEB_DIST={} has no index.html", folder.display());
    Some(folder)
}

/// The pages of `web/`, built now, or why they are not. The sources stay as they are but for `node_modules`.
fn built_here(web: &Path, out: &Path) -> Result<PathBuf, String> {
    if env::var_os("MEGALINK_SKIP_WEB").is_some_and(|skip| skip == "1") {
        return Err("it was built with MEGALINK_SKIP_WEB=1".to_owned());
    }
    if !web.join("package.json").is_file() {
        return Err("it was built without the folder web/".to_owned());
    }
    for source in sources(web) {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    let dist = out.with_file_name("web");
    if !web.join("node_modules/vite").is_dir() {
        npm(web, &["ci", "--omit=dev", "--no-audit", "--no-fund"])?;
    }
    let folder = dist.to_str().expect("cargo's folders have plain names");
    npm(web, &["exec", "--", "vite", "build", "--outDir", folder, "--emptyOutDir"])?;
    Ok(dist)
}

/// What the pages are made of: every page, every setting, and the two folders of sources.
fn sources(web: &Path) -> Vec<PathBuf> {
    let is_source = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["src", "public"].iter().any(|folder| path.ends_with(folder))
            || path.is_file() && ["html", "json", "js", "ts"].contains(&ending)
    };
    let entries = fs::read_dir(web).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    let mut all: Vec<PathBuf> = entries.unwrap_or_default();
    all.retain(is_source);
    all.sort();
    all
}

/// Runs npm. Where it fails the warning and the error say what it complained about first, and the next build tries again.
fn npm(web: &Path, arguments: &[&str]) -> Result<(), String> {
    let words = match Command::new("npm").args(arguments).current_dir(web).output() {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.find(|line| !line.starts_with("npm warn")).unwrap_or("it said nothing").to_owned()
        }
        Err(error) => error.to_string(),
    };
    let why = format!("npm {} failed: {words}", arguments[0]);
    println!(
        "cargo::warning=the pages are not built, a plain one takes their place: {why}. script/server brings \
         Node.js and builds them; docs/setup.md has the other ways"
    );
    // Cargo runs this again as long as a file that it depends on is not there.
    println!("cargo::rerun-if-changed=built-without-pages");
    Err(why)
}

/// Copies a folder into another, which holds nothing else afterwards.
fn copy_anew(from: &Path, to: &Path) -> io::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    copy(from, to)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Puts a brotli and a gzip form beside every file of text, where it is the shorter.
fn compress(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            compress(&path)?;
            continue;
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !["html", "js", "css", "json", "svg", "txt", "webmanifest"].contains(&ending) {
            continue;
        }
        let text = fs::read(&path)?;
        for (ending, short) in [("br", brotli(&text)?), ("gz", gzip(&text)?)] {
            if short.len() < text.len() {
                let mut name = path.clone().into_os_string();
                name.push(format!(".{ending}"));
                fs::write(name, short)?;
            }
        }
    }
    Ok(())
}

/// The highest quality takes ten times as long for the last hundredth.
fn brotli(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, 9, 22);
    writer.write_all(text)?;
    Ok(writer.into_inner())
}

fn gzip(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(text)?;
    writer.finish()
}
