//! Links of Markdown files to files and headings of the repository lead somewhere, and so do links to headings of the
//! guide. Links to items, and to pages of the guide, are checked by `cargo doc`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// All files below a folder whose names end like this.
fn files(folder: &Path, ending: &str, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            files(&path, ending, all);
        } else if path
            .extension()
            .is_some_and(|extension| extension == ending)
        {
            all.push(path);
        }
    }
}

/// The lines outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The targets of the links in a page.
fn links(text: &str) -> Vec<String> {
    let text: String = prose(text).collect::<Vec<_>>().join("\n");
    let parts = text.split("](").skip(1);
    let targets = parts.filter_map(|part| part.split([')', ' ']).next());
    let is_path =
        |target: &&str| !target.contains("::") && !target.contains("@") && !target.contains(':');
    targets.filter(is_path).map(str::to_owned).collect()
}

/// The anchors of a page's headings, as code hosts and rustdoc make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let slug = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(slug).collect()
}

/// Why a link of a page is broken, if it is.
fn fault(page: &Path, text: &str, link: &str) -> Option<String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    if path.ends_with(".html") {
        return None; // a page of `cargo doc`
    }
    let target = page.parent()?.join(path);
    if !path.is_empty() && !target.exists() {
        return Some(format!("there is no {path}"));
    }
    if anchor.is_empty() || !(path.is_empty() || path.ends_with(".md")) {
        return None;
    }
    let other = match path {
        "" => text.to_owned(),
        _ => fs::read_to_string(&target).ok()?,
    };
    (!anchors(&other).contains(anchor)).then(|| format!("no heading has the anchor #{anchor}"))
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    let (mut all, mut faults, mut checked) = (Vec::new(), Vec::new(), 0);
    files(Path::new(ROOT), "md", &mut all);
    for page in all {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            checked += 1;
            if let Some(fault) = fault(&page, &text, &link) {
                let page = page.strip_prefix(ROOT).unwrap().display();
                faults.push(format!("{page}: ({link}): {fault}"));
            }
        }
    }
    assert!(checked > 50, "only {checked} links were found");
    assert!(faults.is_empty(), "broken links:\n{}", faults.join("\n"));
}

#[test]
fn broken_links_are_found() {
    let text =
        "# The `first` part\n[a](#the-first-part) [b](#the-second-part)\n```\n[c](none.md)\n```";
    let page = Path::new(ROOT).join("README.md");
    assert_eq!(links(text), ["#the-first-part", "#the-second-part"]);
    assert_eq!(fault(&page, text, "#the-first-part"), None);
    assert!(fault(&page, text, "#the-second-part").is_some());
    assert!(fault(&page, text, "none.md").is_some());
    assert!(fault(&page, text, "TESTING.md#none").is_some());
}

/// The links to headings of the guide in a text: page and anchor.
fn guide_links(text: &str) -> Vec<(&str, &str)> {
    let parts = text.split("crate::guide::").skip(1);
    let links = parts.filter_map(|part| {
        let (page, rest) = part.split_once('#')?;
        let is_page = page.chars().all(|it| it.is_alphanumeric() || it == '_');
        let anchor = rest.split([')', ']', ' ', '"', '\n']).next()?;
        is_page.then_some((page, anchor))
    });
    links.collect()
}

#[test]
fn links_to_headings_of_the_guide_lead_to_them() {
    let (mut all, mut faults, mut checked) = (Vec::new(), Vec::new(), 0);
    for ending in ["md", "rs"] {
        files(&Path::new(ROOT).join("ecs/src"), ending, &mut all);
    }
    for file in all {
        let text = fs::read_to_string(&file).unwrap();
        for (page, anchor) in guide_links(&text) {
            checked += 1;
            let path = Path::new(ROOT).join(format!("ecs/src/guide/{page}.md"));
            let page = fs::read_to_string(&path).unwrap_or_default();
            if !anchors(&page).contains(anchor) {
                let file = file.strip_prefix(ROOT).unwrap().display();
                faults.push(format!("{file}: {} has no #{anchor}", path.display()));
            }
        }
    }
    assert!(checked > 20, "only {checked} links were found");
    assert!(faults.is_empty(), "broken links:\n{}", faults.join("\n"));
    let text = "[a](crate::guide::saving#none) [b](crate::guide::saving) [c](#none)";
    assert_eq!(guide_links(text), [("saving", "none")]);
}
