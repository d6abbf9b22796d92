//! `rmcp`: its own codec, which frames and decodes to owned types.

use crate::sum::{Kind, Sum};
use bytes::BytesMut;
use rmcp::model::{
    ClientRequest, ConstString, JsonRpcMessage, NumberOrString, ServerNotification, ServerResult,
};
use rmcp::transport::async_rw::JsonRpcMessageCodec;
use tokio_util::codec::Decoder;

/// What comes from either side, in one type: the corpora hold both directions.
type Message = JsonRpcMessage<ClientRequest, ServerResult, ServerNotification>;

fn id(id: &NumberOrString, sum: &mut Sum) {
    match id {
        NumberOrString::Number(n) => sum.id_number(*n),
        NumberOrString::String(s) => sum.id_text(s),
    }
}

fn method(notification: &ServerNotification) -> &str {
    use ServerNotification as N;
    match notification {
        N::CancelledNotification(n) => n.method.as_str(),
        N::ProgressNotification(n) => n.method.as_str(),
        N::LoggingMessageNotification(n) => n.method.as_str(),
        N::ResourceUpdatedNotification(n) => n.method.as_str(),
        N::ResourceListChangedNotification(n) => n.method.as_str(),
        N::ToolListChangedNotification(n) => n.method.as_str(),
        N::PromptListChangedNotification(n) => n.method.as_str(),
        N::CustomNotification(n) => n.method.as_str(),
        _ => "",
    }
}

fn read(message: &Message, sum: &mut Sum) {
    match message {
        JsonRpcMessage::Request(m) => {
            sum.kind(Kind::Request);
            id(&m.id, sum);
            sum.method(m.request.method());
        }
        JsonRpcMessage::Notification(m) => {
            sum.kind(Kind::Notification);
            sum.method(method(&m.notification));
        }
        JsonRpcMessage::Response(m) => {
            sum.kind(Kind::Result);
            id(&m.id, sum);
        }
        JsonRpcMessage::Error(m) => {
            sum.kind(Kind::Error);
            if let Some(given) = &m.id {
                id(given, sum);
            }
        }
    }
}

/// `JsonRpcMessageCodec` over 64 KiB pieces, as `FramedRead` drives it.
pub fn codec(data: &[u8]) -> Sum {
    let mut sum = Sum::default();
    let mut codec = JsonRpcMessageCodec::<Message>::new();
    let mut buffer = BytesMut::with_capacity(65_536);
    for piece in data.chunks(65_536) {
        buffer.extend_from_slice(piece);
        loop {
            let before = buffer.len();
            match codec.decode(&mut buffer) {
                Ok(Some(message)) => read(&message, &mut sum),
                // A line that the codec ignores gives `None` too, but takes bytes.
                Ok(None) if buffer.len() == before => break,
                Ok(None) => {}
                Err(_) => sum.fault(),
            }
        }
    }
    sum
}
