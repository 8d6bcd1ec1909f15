//! The OpenAPI document, made from the list of operations.

use std::sync::OnceLock;

use axum::Json;
use hansu_protocol as wire;
use hansu_words::Lang;
use serde_json::Value;
use utoipa::openapi::path::{
    Operation as Described, OperationBuilder, ParameterBuilder, ParameterIn, PathsBuilder,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ComponentsBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, License, OpenApi, OpenApiBuilder, PathItem, Ref, RefOr, Required,
    ResponseBuilder, SecurityRequirement,
};

use super::operations::{
    ALL, Both, Group, Kind, Operation, PARTS, QueryParam, RequestBody, ResponseBody, Schemas,
};
use super::player::Player;

/// The name of the security scheme: a bearer token.
const KEY: &str = "key";

/// Chooses the text in a language.
pub(crate) const fn in_lang(lang: Lang, (en, ko): Both) -> &'static str {
    match lang {
        Lang::En => en,
        Lang::Ko => ko,
    }
}

/// The document, in the language of the request.
pub(crate) async fn document(player: Player) -> Json<&'static Value> {
    Json(document_in(player.lang))
}

/// The document in a language, made once.
pub(crate) fn document_in(lang: Lang) -> &'static Value {
    static KOREAN: OnceLock<Value> = OnceLock::new();
    static ENGLISH: OnceLock<Value> = OnceLock::new();
    let kept = match lang {
        Lang::Ko => &KOREAN,
        Lang::En => &ENGLISH,
    };
    // All map keys are strings, so serialisation cannot fail.
    kept.get_or_init(|| serde_json::to_value(build(lang)).unwrap_or_default())
}

fn build(lang: Lang) -> OpenApi {
    let mut shapes = Schemas::new();
    let mut paths = PathsBuilder::new();
    for operation in &ALL {
        let item = PathItem::new(operation.method.clone(), describe(operation, lang, &mut shapes));
        paths = paths.path(operation.path, item);
    }
    let mut components = ComponentsBuilder::new()
        .security_scheme(KEY, SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    for (name, schema) in shapes {
        components = components.schema(name, schema);
    }
    let tags = Group::ALL.map(|group| TagBuilder::new().name(in_lang(lang, group.title())).build());
    let mut license = License::new("GPL-3.0-or-later");
    license.identifier = Some("GPL-3.0-or-later".to_owned());
    let info = InfoBuilder::new()
        .title("Hansu 한수")
        .version(env!("CARGO_PKG_VERSION"))
        .license(Some(license))
        .description(Some(in_lang(
            lang,
            (
                "Chess with friends, on your own server. A browser is known by its cookie, a \
                 program by a key. Everything that is refused says why: a code for programs and \
                 a sentence for people.",
                "내 서버에서 친구와 두는 체스. 브라우저는 쿠키로, 프로그램은 열쇠로 알아봐요. \
                 거절할 때는 언제나 까닭을 알려 줘요. 프로그램에게는 코드로, 사람에게는 문장으로.",
            ),
        )))
        .build();
    OpenApiBuilder::new()
        .info(info)
        .paths(paths)
        .components(Some(components.build()))
        .tags(Some(tags))
        .build()
}

fn describe(operation: &Operation, lang: Lang, schemas: &mut Schemas) -> Described {
    let mut built = OperationBuilder::new()
        .operation_id(Some(operation.id))
        .summary(Some(in_lang(lang, operation.summary)))
        .tag(in_lang(lang, operation.group.title()))
        // With a key or without one.
        .security(SecurityRequirement::new::<_, [&str; 0], &str>(KEY, []))
        .security(SecurityRequirement::default());
    for (name, meaning) in PARTS {
        if operation.path.contains(&format!("{{{name}}}")) {
            let text = ObjectBuilder::new().schema_type(Type::String);
            built = built.parameter(
                ParameterBuilder::new()
                    .name(name)
                    .parameter_in(ParameterIn::Path)
                    .required(Required::True)
                    .description(Some(in_lang(lang, meaning)))
                    .schema(Some(text)),
            );
        }
    }
    for asked in operation.query {
        built = built.parameter(parameter(asked, lang));
    }
    let body = |kind: &str, schema: Option<RefOr<_>>| {
        let content = ContentBuilder::new().schema(schema).build();
        RequestBodyBuilder::new().content(kind, content).required(Some(Required::True)).build()
    };
    built = built.request_body(match operation.takes {
        RequestBody::Nothing => None,
        RequestBody::Json(shape) => {
            Some(body("application/json", Some(RefOr::Ref(shape(schemas)))))
        }
        RequestBody::Pgn => {
            let text = ObjectBuilder::new().schema_type(Type::String).build();
            Some(body("application/vnd.chess-pgn", Some(RefOr::T(text.into()))))
        }
    });
    answers(built, operation, lang, schemas).build()
}

fn parameter(QueryParam(name, kind, meaning): &QueryParam, lang: Lang) -> ParameterBuilder {
    let schema = match kind {
        Kind::Text => ObjectBuilder::new().schema_type(Type::String),
        Kind::Number => ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(0)),
        Kind::OneOf(words) => {
            ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words.iter().copied()))
        }
    };
    ParameterBuilder::new()
        .name(*name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(in_lang(lang, *meaning)))
        .schema(Some(schema))
}

fn answers(
    built: OperationBuilder,
    operation: &Operation,
    lang: Lang,
    schemas: &mut Schemas,
) -> OperationBuilder {
    let text = || RefOr::T(ObjectBuilder::new().schema_type(Type::String).build().into());
    let (status, kind, schema, meaning) = match operation.gives {
        ResponseBody::Json(status, shape) => {
            let meaning =
                if status == 201 { ("Made.", "만들었어요.") } else { ("Done.", "됐어요.") };
            (status, Some("application/json"), Some(RefOr::Ref(shape(schemas))), meaning)
        }
        ResponseBody::Document => (200, Some("application/json"), None, ("The document.", "문서.")),
        ResponseBody::Nothing => (204, None, None, ("Done.", "됐어요.")),
        ResponseBody::Text(kind) => (200, Some(kind), Some(text()), ("The text.", "글.")),
        ResponseBody::Socket(shape) => (
            101,
            Some("application/json"),
            Some(RefOr::Ref(shape(schemas))),
            ("A websocket; each message is one object.", "웹소켓. 메시지 하나가 객체 하나예요."),
        ),
        ResponseBody::Lines(shape) => (
            200,
            Some(super::stream::KIND),
            Some(RefOr::Ref(shape(schemas))),
            ("Lines; each is one object.", "줄마다 객체 하나예요."),
        ),
    };
    let mut answer = ResponseBuilder::new().description(in_lang(lang, meaning));
    if let Some(kind) = kind {
        answer = answer.content(kind, ContentBuilder::new().schema(schema).build());
    }
    let refusal = <wire::Refusal as utoipa::ToSchema>::name();
    if !schemas.iter().any(|(name, _)| *name == refusal) {
        let schema = <wire::Refusal as utoipa::PartialSchema>::schema();
        schemas.push((refusal.clone().into_owned(), schema));
    }
    let refused = ContentBuilder::new().schema(Some(Ref::from_schema_name(refusal))).build();
    let why = ("Refused: a code and a sentence.", "거절. 코드와 문장이 있어요.");
    built.response(status.to_string(), answer).response(
        "default",
        ResponseBuilder::new().description(in_lang(lang, why)).content("application/json", refused),
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_route_is_described_and_nothing_else() {
        let routes: BTreeSet<&str> =
            super::super::routes().into_iter().map(|(path, _)| path).collect();
        let described: BTreeSet<&str> = ALL.iter().map(|operation| operation.path).collect();
        assert_eq!(routes, described);
    }

    #[test]
    fn every_part_of_a_path_is_told() {
        for operation in &ALL {
            for part in operation.path.split('{').skip(1) {
                let name = part.split('}').next().unwrap_or_default();
                assert!(PARTS.iter().any(|(known, _)| *known == name), "{}", operation.path);
            }
        }
    }
}
