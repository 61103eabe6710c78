//! Verifies the C files that are named on the command line, and prints what is found.

use assay_driver::{Error, Request, Session};
use assay_results::NoProgress;
use std::time::Duration;

fn main() -> Result<(), Error> {
    let mut request = Request::new(std::env::args().skip(1))?;
    request.limits.cpu_time = Some(Duration::from_secs(60));
    let session = Session::open(request, Default::default())?;
    let report = session.run(&NoProgress)?;
    for violation in report.violations() {
        println!("{}: {}", report.place(violation), violation.what);
    }
    println!("{}", report.outcome.verdict);
    Ok(())
}
