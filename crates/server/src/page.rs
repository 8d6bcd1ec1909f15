//! The board in the browser: every file of `web/`, plain and compressed. The program has them built
//! in and gives them to the server, which can be built and tested without them.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its address.
    pub path: &'static str,
    /// What tells this version from others, in quotes, as an `ETag`.
    pub tag: &'static str,
    /// The file itself.
    pub plain: &'static [u8],
    /// Compressed with gzip, where that is smaller.
    pub gzip: Option<&'static [u8]>,
    /// Compressed with brotli, where that is smaller.
    pub brotli: Option<&'static [u8]>,
}

/// All files of the page; none where the program was built without it.
#[derive(Clone, Copy, Default)]
pub struct Page(pub &'static [File]);

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Page({} files)", self.0.len())
    }
}

impl Page {
    /// The file of an address.
    pub(crate) fn file(self, path: &str) -> Option<&'static File> {
        self.0.iter().find(|file| file.path == path)
    }
}

impl File {
    /// Its media type, by the end of its name.
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

    /// Whether its name changes with its content, so that it can be kept for ever.
    pub(crate) fn is_immutable(&self) -> bool {
        self.path.starts_with("/assets/")
    }
}
