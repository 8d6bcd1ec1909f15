//! How the messages of the API are declared.

/// Structures whose fields are all open, with what reading, writing and describing them needs.
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
