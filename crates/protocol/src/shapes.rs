//! The macro that declares the messages of the API.

/// Declares structs with public fields, with the derives for serde, TypeScript and OpenAPI.
macro_rules! shapes {
    ($($(#[$meta:meta])* $name:ident { $($(#[$note:meta])* $field:ident: $kind:ty,)* })*) => { $(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub struct $name { $($(#[$note])* pub $field: $kind,)* }
    )* };
}
pub(crate) use shapes;
