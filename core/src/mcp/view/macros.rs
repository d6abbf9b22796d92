//! Views as tables: a row is an accessor, the type and the name of its member.

/// The types that a member may have.
macro_rules! kinds {
    (str) => {
        lookup::STRING
    };
    (word) => {
        lookup::STRING
    };
    (num) => {
        lookup::NUMBER
    };
    (num_or_null) => {
        lookup::NUMBER_OR_NULL
    };
    (whole) => {
        lookup::NUMBER
    };
    (flag) => {
        lookup::BOOL
    };
    (id) => {
        lookup::ID
    };
    (object) => {
        lookup::OBJECT
    };
    (view) => {
        lookup::OBJECT
    };
    (defaulted) => {
        lookup::OBJECT
    };
    (map) => {
        lookup::OBJECT
    };
    (list) => {
        lookup::ARRAY
    };
    (strings) => {
        lookup::ARRAY
    };
    (blocks) => {
        lookup::BLOCKS
    };
    (any) => {
        lookup::ANY
    };
}

/// What an accessor returns.
macro_rules! returned {
    (str) => { Option<JsonStr<'a>> };
    (word $t:ty) => { Option<$t> };
    (num) => { Option<Number<'a>> };
    (num_or_null) => { Option<Number<'a>> };
    (whole) => { Option<u64> };
    (flag $default:literal) => { bool };
    (id) => { Option<Id<'a>> };
    (object) => { Option<RawJson<'a>> };
    (view $t:ty) => { Option<$t> };
    (defaulted $t:ty) => { $t };
    (map $t:ty) => { Pairs<'a, $t> };
    (list $t:ty) => { List<'a, $t> };
    (strings) => { Strings<'a> };
    (blocks) => { Blocks<'a> };
    (any) => { Option<RawJson<'a>> };
}

/// How it looks.
macro_rules! looked_up {
    ($raw:expr, $key:literal, str) => {
        lookup::string($raw, $key)
    };
    ($raw:expr, $key:literal, word $t:ty) => {
        <$t>::from_json_str(lookup::string($raw, $key)?)
    };
    ($raw:expr, $key:literal, num) => {
        lookup::number($raw, $key)
    };
    ($raw:expr, $key:literal, num_or_null) => {
        lookup::number($raw, $key)
    };
    ($raw:expr, $key:literal, whole) => {
        lookup::whole($raw, $key)
    };
    ($raw:expr, $key:literal, flag $default:literal) => {
        lookup::flag($raw, $key, $default)
    };
    ($raw:expr, $key:literal, id) => {
        lookup::id($raw, $key)
    };
    ($raw:expr, $key:literal, object) => {
        lookup::object($raw, $key)
    };
    ($raw:expr, $key:literal, view $t:ty) => {
        lookup::object($raw, $key).map(<$t>::from)
    };
    ($raw:expr, $key:literal, defaulted $t:ty) => {
        <$t>::from(lookup::object($raw, $key).unwrap_or(RawJson::EMPTY_OBJECT))
    };
    ($raw:expr, $key:literal, map $t:ty) => {
        Pairs::new($raw, $key)
    };
    ($raw:expr, $key:literal, list $t:ty) => {
        List::new($raw, $key)
    };
    ($raw:expr, $key:literal, strings) => {
        Strings::new($raw, $key)
    };
    ($raw:expr, $key:literal, blocks) => {
        Blocks::new($raw, $key)
    };
    ($raw:expr, $key:literal, any) => {
        $raw.get($key)
    };
}

/// Accessors that many views share.
macro_rules! shared {
    (noted) => {
        /// `_meta`: what is not the protocol's own.
        #[must_use]
        pub fn meta(self) -> Option<Meta<'a>> {
            lookup::object(self.0, "_meta").map(Meta::new)
        }
    };
    (result) => {
        shared!(noted);

        /// The kind of result; `Complete`, if it names none (all revisions up to
        /// 2025-11-25), `None`, if it names one that is not known.
        #[must_use]
        pub fn result_type(self) -> Option<ResultType> {
            lookup::result_type(self.0)
        }
    };
    (cached) => {
        shared!(result);

        /// For how many milliseconds the result may be kept and used again; 0, if it does
        /// not say, or says something that is no whole number (2026-07-28).
        #[must_use]
        pub fn ttl_ms(self) -> u64 {
            lookup::whole(self.0, "ttlMs").unwrap_or(0)
        }

        /// Who may be given the result again (2026-07-28).
        #[must_use]
        pub fn cache_scope(self) -> Option<CacheScope> {
            CacheScope::from_json_str(lookup::string(self.0, "cacheScope")?)
        }
    };
    (page) => {
        shared!(cached);

        /// The cursor of the next page, to be sent back as it is. `None` alone means that
        /// this is the last page: an empty cursor is one like others.
        #[must_use]
        pub fn next_cursor(self) -> Option<JsonStr<'a>> {
            lookup::string(self.0, "nextCursor")
        }
    };
}

/// What a view checks of the members it shares with others.
macro_rules! shared_rows {
    ($check:ident) => {};
    ($check:ident noted) => { $check.optional("_meta", lookup::OBJECT); };
    ($check:ident result) => {
        shared_rows!($check noted);
        $check.optional("resultType", lookup::STRING);
    };
    ($check:ident cached) => {
        shared_rows!($check result);
        $check.optional("ttlMs", lookup::NUMBER).optional("cacheScope", lookup::STRING);
    };
    ($check:ident page) => {
        shared_rows!($check cached);
        $check.optional("nextCursor", lookup::STRING);
    };
}

/// Views: for each its accessors, each with its member's type and name.
macro_rules! views {
    ($(
        $(#[$doc:meta])*
        $name:ident $([$shared:ident])? {
            $($(#[$fdoc:meta])* pub fn $f:ident() -> $kind:ident $(($($arg:tt)+))? = $key:literal $(, $need:ident)?;)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name<'a>(RawJson<'a>);

        impl<'a> $name<'a> {
            /// Looks at a value as such an object.
            #[must_use]
            pub const fn new(raw: RawJson<'a>) -> Self { $name(raw) }

            /// The whole value, as it was received.
            #[must_use]
            pub const fn raw(self) -> RawJson<'a> { self.0 }

            /// Whether the value is an object, has every member that all revisions with
            /// this type require, and each of its members that the protocol knows is of
            /// the right type. `_meta`, `resultType`, `ttlMs` and `cacheScope` may be
            /// absent, as whether they may is the era's to say; `null` for a member that is
            /// not required counts as absent. Deeper objects are not looked into.
            ///
            /// # Errors
            ///
            /// The first member that is missing or of another type.
            pub fn check(self) -> Result<(), BadMember> {
                #[allow(unused_mut, reason = "not every view has rows")]
                let mut check = Check::new(self.0);
                $(views!(@row check $key, kinds!($kind) $(, $need)?);)*
                shared_rows!(check $($shared)?);
                check.done()
            }

            $(
                $(#[$fdoc])*
                #[must_use]
                pub fn $f(self) -> returned!($kind $($($arg)+)?) {
                    looked_up!(self.0, $key, $kind $($($arg)+)?)
                }
            )*

            $(shared!($shared);)?
        }

        impl<'a> From<RawJson<'a>> for $name<'a> {
            fn from(raw: RawJson<'a>) -> Self { $name(raw) }
        }
    )*};
    (@row $check:ident $key:literal, $kinds:expr) => { $check.optional($key, $kinds); };
    (@row $check:ident $key:literal, $kinds:expr, required) => { $check.required($key, $kinds); };
}
