//! `sapper-glue MODULE FOLDER`: the same as `wasm-bindgen --target web`, with its version in the
//! lock file beside it.

use std::env::args;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = args().skip(1).collect();
    let [module, folder] = &arguments[..] else {
        eprintln!("usage: sapper-glue MODULE FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let written = bindgen
        .input_path(module)
        .web(true)
        .and_then(|b| b.typescript(true).reset_state_function(true).generate(folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem:?}");
            ExitCode::FAILURE
        }
    }
}
