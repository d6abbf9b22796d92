//! Writers as tables: a row is a member, the type of what it is given, and its name.
//!
//! Rows without `pub fn` are members that must be there, and arguments of `new`; the others
//! are left out unless the method of that name gives them.

/// What a member is kept as.
macro_rules! kept {
    (str) => { &'a str };
    (text) => { Text<'a> };
    (json $kind:ident) => { Json<'a> };
    (flag) => { bool };
    (whole) => { u64 };
    (amount) => { Amount<'a> };
    (id) => { OutId<'a> };
    (blob) => { Blob<'a> };
    (strs) => { &'a [&'a str] };
    (requests) => { kept!(slice InputRequest) };
    (inside $inner:literal $($kind:tt)+) => { kept!($($kind)+) };
    (word $t:ty) => { &'static str };
    (of $t:ty) => { $t };
    (by $t:ty) => { Json<'a> };
    (words $t:ty) => { &'a [$t] };
    (slice $t:ident) => {
        Slice<&'a [$t<'a>], for<'x, 'w, 'b> fn(&[$t<'x>], &'w mut Writer<'b>)>
    };
    (list $t:ty) => { List<'a, $t> };
}

/// What it is given as.
macro_rules! given {
    (text) => { impl Into<Text<'a>> };
    (amount) => { impl Into<Amount<'a>> };
    (id) => { impl Into<OutId<'a>> };
    (blob) => { impl Into<Blob<'a>> };
    (list $t:ty) => { impl Into<List<'a, $t>> };
    (json $kind:ident) => { &'a dyn ToJson };
    (word $t:ty) => { $t };
    (by $t:ty) => { &'a $t };
    (slice $t:ident) => { &'a [$t<'a>] };
    (requests) => { &'a [InputRequest<'a>] };
    (inside $inner:literal $($kind:tt)+) => { given!($($kind)+) };
    ($($other:tt)+) => { kept!($($other)+) };
}

/// From the one to the other.
macro_rules! taken {
    ($value:ident text) => { $value.into() };
    ($value:ident amount) => { $value.into() };
    ($value:ident id) => { $value.into() };
    ($value:ident blob) => { $value.into() };
    ($value:ident list $t:ty) => { $value.into() };
    ($value:ident json $kind:ident) => { Json($value) };
    ($value:ident word $t:ty) => { $value.name() };
    ($value:ident by $t:ty) => { Json($value) };
    ($value:ident slice $t:ident) => {{
        fn put(items: &[$t<'_>], w: &mut Writer<'_>) {
            items.write_json(w);
        }
        Slice { items: $value, write: put }
    }};
    ($value:ident requests) => { Slice { items: $value, write: rounds::put_requests } };
    ($value:ident inside $inner:literal $($kind:tt)+) => { taken!($value $($kind)+) };
    ($value:ident $($other:tt)+) => { $value };
}

/// Writes a member. What is seldom given is kept with what writes it, so that no image has
/// what it never gives.
macro_rules! put {
    ($w:ident, $key:literal, $value:expr, str) => { value::put_str($w, $key, $value) };
    ($w:ident, $key:literal, $value:expr, word $t:ty) => { value::put_str($w, $key, $value) };
    ($w:ident, $key:literal, $value:expr, text) => { value::put_text($w, $key, &$value) };
    ($w:ident, $key:literal, $value:expr, flag) => { value::put_flag($w, $key, $value) };
    ($w:ident, $key:literal, $value:expr, whole) => { value::put_whole($w, $key, $value) };
    ($w:ident, $key:literal, $value:expr, json $kind:ident) => {
        value::put_json($w, $key, $value.0, value::$kind)
    };
    ($w:ident, $key:literal, $value:expr, by $t:ty) => {
        value::put_json($w, $key, $value.0, value::OBJECT)
    };
    ($w:ident, $key:literal, $value:expr, slice $t:ident) => {{
        let Slice { items, write } = $value;
        write(items, $w.key($key));
    }};
    ($w:ident, $key:literal, $value:expr, requests) => {
        put!($w, $key, $value, slice InputRequest)
    };
    ($w:ident, $key:literal, $value:expr, inside $inner:literal $($kind:tt)+) => {
        $w.key($key).begin_object();
        put!($w, $inner, $value, $($kind)+);
        $w.end_object();
    };
    ($w:ident, $key:literal, $value:expr, $($other:tt)+) => { $w.member($key, &$value) };
}

/// The method that gives a member which may be left out.
macro_rules! setter {
    ([$($doc:tt)*] $f:ident text) => { setter!([$($doc)*] [] $f text); };
    ([$($doc:tt)*] $f:ident amount) => { setter!([$($doc)*] [] $f amount); };
    ([$($doc:tt)*] $f:ident id) => { setter!([$($doc)*] [] $f id); };
    ([$($doc:tt)*] $f:ident blob) => { setter!([$($doc)*] [] $f blob); };
    ([$($doc:tt)*] $f:ident list $t:ty) => { setter!([$($doc)*] [] $f list $t); };
    ([$($doc:tt)*] $f:ident $($kind:tt)+) => { setter!([$($doc)*] [const] $f $($kind)+); };
    ([$($doc:tt)*] [$($const:ident)?] $f:ident $($kind:tt)+) => {
        $($doc)*
        #[must_use]
        pub $($const)? fn $f(mut self, $f: given!($($kind)+)) -> Self {
            self.$f = Some(taken!($f $($kind)+));
            self
        }
    };
}

/// What many writers share.
macro_rules! part {
    () => { Bare<'a> };
    (noted) => { Noted<'a> };
    (result) => { Outcome<'a> };
    (cached) => { Cached<'a> };
    (page) => { Page<'a> };
}

/// The methods for it.
macro_rules! part_setters {
    () => {};
    (noted) => {
        /// `_meta`: an object, as [`Meta`] is. What is given to a
        /// [`Session`](crate::session::Session) goes without where the session writes one:
        /// see [`Options`](crate::session::Options) and [`Reply`](crate::session::Reply).
        #[must_use]
        pub const fn meta(mut self, meta: &'a dyn ToJson) -> Self {
            self.part.meta = Some(Json(meta));
            self
        }
    };
    (result) => {
        part_setters!(noted);

        /// The kind of result, which 2026-07-28 requires. A session adds it by itself, and
        /// takes no result that has it.
        #[must_use]
        pub const fn result_type(mut self, result_type: ResultType) -> Self {
            self.part.result_type = Some(result_type.name());
            self
        }
    };
    (cached) => {
        part_setters!(result);

        /// For how many milliseconds it may be kept, and for whom, which 2026-07-28
        /// requires. A session adds it by itself, and takes no result that has it.
        #[must_use]
        pub const fn cache(mut self, ttl_ms: u64, scope: CacheScope) -> Self {
            self.part.cache = Some((ttl_ms, scope.name()));
            self
        }
    };
    (page) => {
        part_setters!(cached);

        /// The cursor of the next page; without it, this is the last one.
        #[must_use]
        pub fn next_cursor(mut self, cursor: impl Into<Text<'a>>) -> Self {
            self.part.next_cursor = Some(cursor.into());
            self
        }
    };
}

/// Writers: for each its members.
macro_rules! writers {
    ($(
        $(#[$doc:meta])*
        $name:ident $(<$g:ident = $gt:ty>)? : $($const:ident)? [$($part:ident)?] $(($tag:literal = $tagged:literal))? {
            $($r:ident: $rkind:ident $(($($rarg:tt)+))? = $rkey:literal;)*
            $($(#[$fdoc:meta])* pub fn $f:ident() -> $kind:ident $(($($arg:tt)+))? = $key:literal;)*
        }
    )*) => {$(
        $(#[$doc])*
        pub struct $name<'a $(, $g = $gt)?> {
            $($r: kept!($rkind $($($rarg)+)?),)*
            $($f: Option<kept!($kind $($($arg)+)?)>,)*
            part: part!($($part)?),
        }

        impl<'a $(, $g)?> $name<'a $(, $g)?> {
            /// With what must be there.
            #[must_use]
            #[allow(clippy::new_without_default, reason = "what is empty is not what is meant")]
            pub $($const)? fn new($($r: given!($rkind $($($rarg)+)?)),*) -> Self {
                $name {
                    $($r: taken!($r $rkind $($($rarg)+)?),)*
                    $($f: None,)*
                    part: <part!($($part)?)>::NEW,
                }
            }

            $(setter!([$(#[$fdoc])*] $f $kind $($($arg)+)?);)*

            part_setters!($($part)?);
        }

        // No derive: it does not take the macros that name the members' types.
        impl<'a $(, $g: Copy)?> Clone for $name<'a $(, $g)?> {
            fn clone(&self) -> Self { *self }
        }

        impl<'a $(, $g: Copy)?> Copy for $name<'a $(, $g)?> {}

        impl<'a $(, $g: core::fmt::Debug)?> core::fmt::Debug for $name<'a $(, $g)?> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))
                    $(.field($rkey, &self.$r))*
                    $(.field($key, &self.$f))*
                    .finish_non_exhaustive()
            }
        }

        impl<'a $(, $g: ToJson)?> ToJson for $name<'a $(, $g)?> {
            fn write_json(&self, w: &mut Writer<'_>) {
                w.begin_object();
                $(value::put_str(w, $tag, $tagged);)?
                $(put!(w, $rkey, self.$r, $rkind $($($rarg)+)?);)*
                $(if let Some(value) = self.$f {
                    put!(w, $key, value, $kind $($($arg)+)?);
                })*
                self.part.write(w);
                w.end_object();
            }
        }
    )*};
}
