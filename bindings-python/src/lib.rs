//! The native half of the Python package `wireline`. What is public, and its documentation, is in
//! `python/wireline/`; this module is private to it.

mod connection;
mod decoder;
mod encode;
mod errors;
mod fault;
mod limits;
mod message;
mod meta;
mod stream;
mod value;

use pyo3::prelude::*;

/// The native half of `wireline`; import the names from there.
#[pymodule(gil_used = false)]
mod _wireline {
    #[pymodule_export]
    use crate::connection::{
        Connection, ErrorReceived, Event, Handled, Ignored_, Incoming, InputRequired,
        NotificationReceived, ProgressReceived, RequestCancelled, RequestEnded, RequestReceived,
        StateChanged, Subscribed,
    };
    #[pymodule_export]
    use crate::decoder::{Decoder, parse};
    #[pymodule_export]
    use crate::encode::{encode_error, encode_notification, encode_request, encode_result};
    #[pymodule_export]
    use crate::fault::Fault;
    #[pymodule_export]
    use crate::message::{Error, Message, Notification, Request, Result};
    #[pymodule_export]
    use crate::meta::Meta;
    #[pymodule_export]
    use crate::stream::{Body, Head, StreamDecoder};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
