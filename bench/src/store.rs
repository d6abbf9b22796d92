//! Corpora on disk, checked against their digests.

use crate::corpus::Corpus;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The digest of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

/// Makes a corpus and puts it into its file; an error if it is not what it was.
pub fn make(folder: &Path, corpus: &Corpus) -> Result<Vec<u8>, String> {
    let bytes = corpus.generate();
    let digest = sha256(&bytes);
    if digest != corpus.sha256 {
        return Err(format!(
            "corpus {}: sha256 {digest}, expected {}",
            corpus.name, corpus.sha256
        ));
    }
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let path = path(folder, corpus);
    std::fs::write(&path, &bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(bytes)
}

/// The file of a corpus.
pub fn path(folder: &Path, corpus: &Corpus) -> PathBuf {
    folder.join(format!("{}.ndjson", corpus.name))
}
