//! What a session is told once.

use wireline::mcp::{CacheScope, Capabilities, Capability, code};
use wireline::session::{Cache, Config, Implementation, Policy};

use crate::args::{Out, Sized32, flag, input, wireline_slice};
use crate::handle::{begin, get, handle};
use crate::names::{revisions, wireline_capabilities, wireline_revisions};
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_SIZE, run, wireline_status,
};

/// What a session is told once: who we are, what we can do, and how strict to be. Fill it
/// by `wireline_settings_default`, and set at least `name` and `version`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_settings {
    /// `sizeof(wireline_settings)`.
    pub size: u32,
    /// The revisions that we speak. A client of both eras probes; a server answers each
    /// request in the era that it asks for.
    pub revisions: wireline_revisions,
    /// What we can do, of the `WIRELINE_CAPABILITY_` bits of our side.
    pub capabilities: wireline_capabilities,
    /// Milliseconds that a request of ours may take, counted anew with each progress; 0 for
    /// no such limit.
    pub request_timeout: u32,
    /// Milliseconds that a request of ours may take in all; 0 for no such limit.
    pub hard_timeout: u32,
    /// Milliseconds that a client waits for the answer to its probe before it takes the
    /// server for one of the legacy era; at least 1.
    pub probe_timeout: u32,
    /// How long results of the modern era may be kept, in milliseconds.
    pub cache_ttl: u32,
    /// 1: by anyone. 0: by the client alone.
    pub cache_public: u8,
    /// How often one request of ours may be answered by a demand for input.
    pub rounds: u8,
    /// 1: once `initialize` was answered, a server refuses requests of the modern era.
    pub one_era: u8,
    /// 1: a line that is not JSON is answered with -32700. 0: it is told and skipped, since
    /// answers to noise can feed on one another.
    pub answer_unparsable: u8,
    /// The code for requests that are over a ceiling: -32600, or
    /// `WIRELINE_CODE_CONTENT_TOO_LARGE`.
    pub too_long_code: i64,
    /// Our name, for programs.
    pub name: wireline_slice,
    /// Our version.
    pub version: wireline_slice,
    /// Our name for people; may be absent.
    pub title: wireline_slice,
    /// A server's hints for the model that uses it; may be absent.
    pub instructions: wireline_slice,
    /// Further members of the capabilities object, such as `experimental`: a JSON object;
    /// may be absent.
    pub extra_capabilities: wireline_slice,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_settings {}

/// All revisions, no capabilities, time-outs of 60 seconds and 10 minutes, 10 seconds for a
/// probe, 10 rounds of input; neither name nor version. `size` is `sizeof *settings`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_settings_default(
    settings: *mut wireline_settings,
    size: usize,
) -> wireline_status {
    run(|| {
        let out = Out::new(settings)?;
        if size != size_of::<wireline_settings>() {
            return Err(Failed(WIRELINE_ERR_SIZE));
        }
        let config = Config::new(Implementation::new("", ""));
        out.set(wireline_settings {
            size: wireline_settings::SIZE,
            revisions: crate::names::WIRELINE_REVISIONS_ALL,
            capabilities: 0,
            request_timeout: config.request_timeout,
            hard_timeout: config.hard_timeout,
            probe_timeout: config.probe_timeout,
            cache_ttl: config.cache.ttl_ms,
            cache_public: 0,
            rounds: config.rounds,
            one_era: 0,
            answer_unparsable: 0,
            too_long_code: config.policy.too_long_code,
            name: wireline_slice::ABSENT,
            version: wireline_slice::ABSENT,
            title: wireline_slice::ABSENT,
            instructions: wireline_slice::ABSENT,
            extra_capabilities: wireline_slice::ABSENT,
        });
        Ok(())
    })
}

/// Settings that have been looked at. Sessions borrow it: it stays where it is, and as it
/// is, as long as one of them is used.
#[repr(C)]
pub struct wireline_config {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 26],
}

handle!(wireline_config, Config<'static>, 0x574c_0010);

pub(crate) fn capabilities(bits: wireline_capabilities) -> Outcome<Capabilities> {
    let mut set = Capabilities::NONE;
    let mut rest = bits;
    for capability in Capability::ALL {
        let bit = 1u32.wrapping_shl(*capability as u32);
        if bits & bit != 0 {
            set = set.with(*capability);
            rest &= !bit;
        }
    }
    match rest {
        0 => Ok(set),
        _ => Err(Failed(WIRELINE_ERR_ARGUMENT)),
    }
}

pub(crate) fn capabilities_code(set: Capabilities) -> wireline_capabilities {
    Capability::ALL.iter().fold(0, |bits, it| {
        bits | if set.has(*it) {
            1u32.wrapping_shl(*it as u32)
        } else {
            0
        }
    })
}

pub(crate) fn cache(ttl_ms: u32, public: u8) -> Outcome<Cache> {
    let scope = match flag(public)? {
        true => CacheScope::Public,
        false => CacheScope::Private,
    };
    Ok(Cache { ttl_ms, scope })
}

/// Looks at settings. Their slices stay in use. Write `WIRELINE_SELF(config)` for the first
/// three arguments.
///
/// Errors: ARGUMENT, if a code, a number or a flag is out of place, no revision is set, or
/// name or version is empty; UTF8; JSON and TYPE for `extra_capabilities`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_config_init(
    config: *mut wireline_config,
    size: usize,
    version: u32,
    settings: *const wireline_settings,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers, and that the slices
    // last as long as the handle.
    run(|| unsafe {
        let new = begin(config, size, version)?;
        let it = input(settings)?;
        let codes = [code::INVALID_REQUEST, code::CONTENT_TOO_LARGE];
        if it.probe_timeout == 0 || !codes.contains(&it.too_long_code) {
            return Err(Failed(WIRELINE_ERR_ARGUMENT));
        }
        let mut info = Implementation::new(it.name.text()?, it.version.text()?);
        info.title = it.title.maybe_text()?;
        let mut config = Config::new(info)
            .with_revisions(revisions(it.revisions)?)
            .with_capabilities(capabilities(it.capabilities)?)
            .with_timeouts(it.request_timeout, it.hard_timeout)
            .with_probe_timeout(it.probe_timeout)
            .with_rounds(it.rounds)
            .with_cache(cache(it.cache_ttl, it.cache_public)?);
        let mut policy = Policy::DEFAULT;
        policy.one_era = flag(it.one_era)?;
        policy.answer_unparsable = flag(it.answer_unparsable)?;
        policy.too_long_code = it.too_long_code;
        config = config.with_policy(policy);
        config.instructions = it.instructions.maybe_text()?;
        config.extra_capabilities = match it.extra_capabilities.checked()? {
            Some(members) if members.kind() != wireline::json::JsonKind::Object => {
                return Err(Failed(crate::status::WIRELINE_ERR_TYPE));
            }
            members => members,
        };
        if info.name.is_empty() || info.version.is_empty() || it.revisions == 0 {
            return Err(Failed(WIRELINE_ERR_ARGUMENT));
        }
        new.put(config);
        Ok(())
    })
}

/// The configuration that a session borrows.
pub(crate) unsafe fn config(config: *const wireline_config) -> Outcome<&'static Config<'static>> {
    // SAFETY: the caller of `init` vouches that it lasts.
    unsafe { get(config) }
}
