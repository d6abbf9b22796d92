//! `wireline-live-rmcp serve`: a server on rmcp, for both eras.
//! `wireline-live-rmcp ERA FOLDER COMMAND…`: rmcp as a client of `wireline serve`; `../steps.py` says what it prints.
//!
//! Values are made from and compared as JSON, so that little of this depends on the names of rmcp's types.

#![allow(deprecated, reason = "what the newest revision will drop is tried too")]

mod client;
mod server;

type Anything = Result<(), Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Anything {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [serve] if serve == "serve" => server::run().await,
        [era, folder, command @ ..] if !command.is_empty() => {
            client::run(era == "modern", folder, command).await
        }
        _ => Err("usage: see the head of main.rs".into()),
    }
}
