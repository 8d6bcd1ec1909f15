//! The board in the browser: every file of `web/`, plain and compressed. They are built into the
//! program and passed to the server, which can be built and tested without them.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// The path of its URL, beginning with a slash.
    pub path: &'static str,
    /// Its `ETag`, with the quotes.
    pub tag: &'static str,
    /// The uncompressed content.
    pub plain: &'static [u8],
    /// Compressed with gzip, where that is smaller.
    pub gzip: Option<&'static [u8]>,
    /// Compressed with brotli, where that is smaller.
    pub brotli: Option<&'static [u8]>,
}

/// All files of the page; empty in a program that was built without it.
#[derive(Clone, Copy, Default)]
pub struct Page(pub &'static [File]);

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Page({} files)", self.0.len())
    }
}

impl Page {
    /// The file at a path.
    pub(crate) fn file(self, path: &str) -> Option<&'static File> {
        self.0.iter().find(|file| file.path == path)
    }
}

impl File {
    /// Its media type, by its extension.
    pub(crate) fn kind(&self) -> &'static str {
        match self.path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            Some("ico") => "image/x-icon",
            Some("json" | "map") => "application/json",
            Some("webmanifest") => "application/manifest+json",
            Some("wasm") => "application/wasm",
            Some("woff2") => "font/woff2",
            Some("txt") => "text/plain; charset=utf-8",
            Some(_) | None => "application/octet-stream",
        }
    }

    /// True if its name changes with its content, so that it can be cached for ever.
    pub(crate) fn is_immutable(&self) -> bool {
        self.path.starts_with("/assets/")
    }
}
