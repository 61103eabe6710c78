//! Verifies the C files that are named on the command line, and prints what is found.

use assay_driver::{Error, Request, Session};
use assay_results::NoProgress;
use std::time::Duration;

pub(crate) fn findings(files: impl IntoIterator<Item = String>) -> Result<String, Error> {
    let mut request = Request::new(files)?;
    request.limits.cpu_time = Some(Duration::from_secs(60));
    let session = Session::open(request, Default::default())?;
    let report = session.run(&NoProgress)?;
    let line = |violation| format!("{}: {}\n", report.place(violation), violation.what);
    let lines: String = report.violations().map(line).collect();
    Ok(format!("{lines}{}\n", report.outcome.verdict))
}

fn main() -> Result<(), Error> {
    print!("{}", findings(std::env::args().skip(1))?);
    Ok(())
}
