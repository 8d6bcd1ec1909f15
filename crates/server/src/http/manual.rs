//! The description of the API for people: one HTML page, made from the OpenAPI document.

use std::fmt::Write as _;
use std::sync::OnceLock;

use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use hansu_words::Lang;
use serde_json::{Map, Value};

use super::openapi::{document_in, in_lang};
use super::player::Player;

/// The style sheet of the page.
pub(crate) async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("manual.css"))
        .into_response()
}

/// The page, in the language of the request.
pub(crate) async fn page(player: Player) -> Html<&'static str> {
    static KOREAN: OnceLock<String> = OnceLock::new();
    static ENGLISH: OnceLock<String> = OnceLock::new();
    let kept = match player.lang {
        Lang::Ko => &KOREAN,
        Lang::En => &ENGLISH,
    };
    Html(kept.get_or_init(|| {
        Page { lang: player.lang, text: String::new() }.of(document_in(player.lang))
    }))
}

/// A page that is being written. All texts of the document go through [`escaped`].
struct Page {
    lang: Lang,
    text: String,
}

/// Escapes a text for HTML; text between backquotes becomes code.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut code = false;
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '`' => {
                safe.push_str(if code { "</code>" } else { "<code>" });
                code = !code;
            }
            c => safe.push(c),
        }
    }
    if code {
        safe.push_str("</code>");
    }
    safe
}

fn text<'a>(value: &'a Value, at: &str) -> &'a str {
    value.pointer(at).and_then(Value::as_str).unwrap_or_default()
}

fn entries<'a>(value: &'a Value, at: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    value.pointer(at).and_then(Value::as_object).into_iter().flat_map(Map::iter)
}

fn items<'a>(value: &'a Value, at: &str) -> impl Iterator<Item = &'a Value> {
    value.pointer(at).and_then(Value::as_array).into_iter().flatten()
}

/// The type of a schema in short, as HTML with links to the schemas that it refers to.
fn kind(schema: &Value) -> String {
    if let Some(name) = text(schema, "/$ref").rsplit('/').next().filter(|name| !name.is_empty()) {
        return format!("<a href=\"#{0}\">{0}</a>", escaped(name));
    }
    for joined in ["/oneOf", "/anyOf", "/allOf"] {
        let kinds: Vec<String> = items(schema, joined).map(kind).collect();
        if !kinds.is_empty() {
            return kinds.join(if joined == "/allOf" { " + " } else { " | " });
        }
    }
    let words: Vec<String> = items(schema, "/enum")
        .filter_map(Value::as_str)
        .map(|w| format!("<code>{}</code>", escaped(w)))
        .collect();
    if !words.is_empty() {
        return words.join(" | ");
    }
    let named: Vec<&str> = match schema.pointer("/type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if named.contains(&"array") {
        return format!("[{}]", schema.pointer("/items").map(kind).unwrap_or_default());
    }
    if let Some(inner) = schema.pointer("/additionalProperties").filter(|inner| inner.is_object()) {
        return format!("{{…: {}}}", kind(inner));
    }
    if schema.pointer("/properties").is_some() {
        let fields: Vec<String> = entries(schema, "/properties")
            .map(|(name, schema)| format!("{}: {}", escaped(name), kind(schema)))
            .collect();
        return format!("{{{}}}", fields.join(", "));
    }
    escaped(&named.join(" | "))
}

impl Page {
    fn say(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(arguments);
    }

    fn of(mut self, document: &Value) -> String {
        let lang = self.lang;
        let title = in_lang(lang, ("Hansu: the API", "한수 API"));
        let (other, code) = match lang {
            Lang::Ko => ("English", "en"),
            Lang::En => ("한국어", "ko"),
        };
        self.say(format_args!(
            "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <link rel=\"stylesheet\" href=\"/api/style.css\">\n</head>\n<body>\n<header>\n\
             <h1>{title}</h1>\n<p>{}</p>\n<p><a href=\"/api/openapi.json?lang={}\">OpenAPI</a> · \
             <a href=\"/api?lang={code}\" lang=\"{code}\" hreflang=\"{code}\">{other}</a> · \
             <a href=\"/\">{}</a></p>\n</header>\n",
            lang.code(),
            escaped(text(document, "/info/description")),
            lang.code(),
            in_lang(lang, ("The board", "보드")),
        ));
        self.say(format_args!(
            "<nav aria-label=\"{}\">\n<ul>\n",
            in_lang(lang, ("On this page", "차례"))
        ));
        let groups: Vec<&str> = items(document, "/tags").map(|tag| text(tag, "/name")).collect();
        let shapes = in_lang(lang, ("Shapes", "모양"));
        for (at, group) in groups.iter().chain([&shapes]).enumerate() {
            self.say(format_args!("<li><a href=\"#part-{at}\">{}</a></li>\n", escaped(group)));
        }
        self.say(format_args!("</ul>\n</nav>\n<main>\n"));
        for (at, group) in groups.iter().enumerate() {
            self.say(format_args!(
                "<section aria-labelledby=\"part-{at}\">\n<h2 id=\"part-{at}\">{}</h2>\n",
                escaped(group)
            ));
            for (path, item) in entries(document, "/paths") {
                for (method, operation) in item.as_object().into_iter().flatten() {
                    if text(operation, "/tags/0") == *group {
                        self.operation(method, path, operation);
                    }
                }
            }
            self.say(format_args!("</section>\n"));
        }
        let at = groups.len();
        self.say(format_args!(
            "<section aria-labelledby=\"part-{at}\">\n<h2 id=\"part-{at}\">{shapes}</h2>\n"
        ));
        for (name, schema) in entries(document, "/components/schemas") {
            self.shape(name, schema);
        }
        self.say(format_args!("</section>\n</main>\n</body>\n</html>\n"));
        self.text
    }

    fn operation(&mut self, method: &str, path: &str, operation: &Value) {
        let lang = self.lang;
        self.say(format_args!(
            "<article id=\"{}\">\n<h3><span class=\"method\">{}</span> <code>{}</code></h3>\n\
             <p>{}</p>\n",
            escaped(text(operation, "/operationId")),
            escaped(&method.to_uppercase()),
            escaped(path),
            escaped(text(operation, "/summary")),
        ));
        if items(operation, "/parameters").next().is_some() {
            self.head([("Parameter", "매개변수"), ("Kind", "종류"), ("Meaning", "뜻")]);
            for parameter in items(operation, "/parameters") {
                let schema = parameter.pointer("/schema").map(kind).unwrap_or_default();
                self.row(text(parameter, "/name"), &schema, text(parameter, "/description"));
            }
            self.say(format_args!("</tbody>\n</table>\n"));
        }
        self.say(format_args!("<ul>\n"));
        for (name, content) in entries(operation, "/requestBody/content") {
            let schema = content.pointer("/schema").map(kind).unwrap_or_default();
            self.say(format_args!(
                "<li>{}: <code>{}</code> {schema}</li>\n",
                in_lang(lang, ("Takes", "받는 것")),
                escaped(name),
            ));
        }
        for (status, answer) in entries(operation, "/responses") {
            if status == "default" {
                continue;
            }
            self.say(format_args!(
                "<li>{} <code>{}</code>: {}",
                in_lang(lang, ("Gives", "주는 것")),
                escaped(status),
                escaped(text(answer, "/description")),
            ));
            for (name, content) in entries(answer, "/content") {
                let schema = content.pointer("/schema").map(kind).unwrap_or_default();
                self.say(format_args!(" <code>{}</code> {schema}", escaped(name)));
            }
            self.say(format_args!("</li>\n"));
        }
        self.say(format_args!("</ul>\n</article>\n"));
    }

    fn head(&mut self, columns: [(&'static str, &'static str); 3]) {
        self.say(format_args!("<table>\n<thead>\n<tr>"));
        for column in columns {
            let lang = self.lang;
            self.say(format_args!("<th scope=\"col\">{}</th>", in_lang(lang, column)));
        }
        self.say(format_args!("</tr>\n</thead>\n<tbody>\n"));
    }

    fn row(&mut self, name: &str, kind: &str, meaning: &str) {
        self.say(format_args!(
            "<tr><th scope=\"row\"><code>{}</code></th><td>{kind}</td><td lang=\"{}\">{}</td></tr>\n",
            escaped(name),
            // Schemas are described in English only.
            if meaning.chars().any(|c| ('가'..='힣').contains(&c)) { "ko" } else { "en" },
            escaped(meaning),
        ));
    }

    fn shape(&mut self, name: &str, schema: &Value) {
        self.say(format_args!(
            "<article id=\"{0}\">\n<h3>{0}</h3>\n<p lang=\"en\">{1}</p>\n",
            escaped(name),
            escaped(text(schema, "/description")),
        ));
        let columns = [("Field", "필드"), ("Kind", "종류"), ("Meaning", "뜻")];
        if entries(schema, "/properties").next().is_some() {
            self.head(columns);
            for (name, field) in entries(schema, "/properties") {
                self.row(name, &kind(field), text(field, "/description"));
            }
            self.say(format_args!("</tbody>\n</table>\n"));
        } else if let Some(joined) =
            ["/oneOf", "/anyOf", "/allOf"].into_iter().find(|at| schema.pointer(at).is_some())
        {
            self.say(format_args!("<ul>\n"));
            for one in items(schema, joined) {
                self.say(format_args!(
                    "<li>{} <span lang=\"en\">{}</span></li>\n",
                    kind(one),
                    escaped(text(one, "/description"))
                ));
            }
            self.say(format_args!("</ul>\n"));
        } else {
            self.say(format_args!("<p>{}</p>\n", kind(schema)));
        }
        self.say(format_args!("</article>\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        assert_eq!(escaped("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;");
        assert_eq!(escaped("as `e2e4`"), "as <code>e2e4</code>");
        assert_eq!(escaped("odd `one"), "odd <code>one</code>");
    }

    #[test]
    fn the_page_tells_every_operation_and_every_link_leads_somewhere() {
        for lang in Lang::ALL {
            let document = document_in(lang);
            let page = Page { lang, text: String::new() }.of(document);
            for (path, _) in entries(document, "/paths") {
                assert!(page.contains(&format!("<code>{}</code>", escaped(path))), "{path}");
            }
            for link in page.split("href=\"#").skip(1) {
                let target = link.split('"').next().unwrap();
                assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
            }
            // The policy of the page allows no styles and scripts within it.
            assert!(
                !page.contains("<script") && !page.contains("style=") && !page.contains("<style")
            );
            assert!(!page.contains("http://") && !page.contains("https://"), "nothing external");
        }
    }
}
