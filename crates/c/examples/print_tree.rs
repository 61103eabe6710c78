//! Prints the typed tree of a file, for work on the lowering: `print_tree [32|64] FILE`.

use assay_base::SourceMap;
use assay_c::adapter::{DataModel, Input, Options, on_large_stack, read_unit};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let model = if arguments.next().as_deref() == Some("64") { DataModel::Lp64 } else { DataModel::Ilp32 };
    let input = Input { path: arguments.next().unwrap_or_default().into(), options: Options::new(model) };
    let mut sources = SourceMap::default();
    match on_large_stack(|| read_unit(&input, &mut sources)).and_then(|r| r) {
        Ok(unit) => println!("{}", rucc_sema::print(&unit.tast, &unit.types, &unit.names)),
        Err(error) => println!("{error}"),
    }
}
