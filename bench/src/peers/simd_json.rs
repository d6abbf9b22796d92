//! `simd-json`: a tape, its buffers used again for every line.
//!
//! It decodes escapes in place, so each line is first copied to a buffer that may
//! be written; the buffer has the padding that spares the parser its own copy.

use crate::envelope::{Envelope, IdOf, Shape};
use crate::frame::lines;
use crate::sum::Sum;
use simd_json::{Buffers, INPUT_PADDING, Node, StaticNode, Tape, fill_tape_padded};

fn after(node: &Node<'_>) -> usize {
    match node {
        Node::Object { count, .. } | Node::Array { count, .. } => count + 1,
        Node::String(_) | Node::Static(_) => 1,
    }
}

fn read<'t>(tape: &'t [Node<'t>]) -> Option<Envelope<'t>> {
    let mut nodes = tape.iter();
    let Some(Node::Object { len, .. }) = nodes.next() else {
        return None;
    };
    let mut envelope = Envelope::default();
    let (mut version, mut id) = (false, false);
    for _ in 0..*len {
        let Some(Node::String(name)) = nodes.next() else {
            return None;
        };
        let value = nodes.as_slice().first()?;
        let body = match value {
            Node::Object { .. } => Shape::Object,
            Node::Static(StaticNode::Null) => Shape::Null,
            _ => Shape::Other,
        };
        let slot = match *name {
            "jsonrpc" => {
                if std::mem::replace(&mut version, true) {
                    return None;
                }
                envelope.version = matches!(value, Node::String("2.0"));
                None
            }
            "id" => {
                if std::mem::replace(&mut id, true) {
                    return None;
                }
                envelope.id = match value {
                    Node::String(text) => IdOf::Text(text),
                    Node::Static(StaticNode::I64(n)) => IdOf::Number(*n),
                    Node::Static(StaticNode::U64(n)) => {
                        i64::try_from(*n).map_or(IdOf::Bad, IdOf::Number)
                    }
                    Node::Static(StaticNode::F64(x)) if x.fract() == 0.0 && x.abs() < 9.0e15 => {
                        IdOf::Number(*x as i64)
                    }
                    Node::Static(StaticNode::Null) => IdOf::Null,
                    _ => IdOf::Bad,
                };
                None
            }
            "method" => {
                let Node::String(text) = value else {
                    return None;
                };
                if envelope.method.replace(text).is_some() {
                    return None;
                }
                None
            }
            "params" => Some(&mut envelope.params),
            "result" => Some(&mut envelope.result),
            "error" => Some(&mut envelope.error),
            _ => None,
        };
        if let Some(slot) = slot
            && std::mem::replace(slot, body) != Shape::Absent
        {
            return None;
        }
        nodes = nodes.as_slice().get(after(value)..)?.iter();
    }
    Some(envelope)
}

/// `fill_tape_padded`.
pub fn tape(data: &[u8]) -> Sum {
    let mut scratch: Vec<u8> = Vec::new();
    let mut buffers = Buffers::new(4096);
    let mut kept: Tape<'static> = Tape::null();
    lines(data, |line, sum| {
        scratch.clear();
        scratch.extend_from_slice(line);
        scratch.resize(line.len() + INPUT_PADDING, 0);
        let mut tape = std::mem::replace(&mut kept, Tape(Vec::new())).reset();
        match fill_tape_padded(&mut scratch, line.len(), &mut buffers, &mut tape) {
            Ok(()) => match read(&tape.0) {
                Some(envelope) => envelope.judge(sum),
                None => sum.fault(),
            },
            Err(_) => sum.fault(),
        }
        kept = tape.reset();
    })
}
