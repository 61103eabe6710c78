//! `assay cfa` and `assay features`: print the automaton, and the numbers by which an analysis is chosen.

use super::portfolio::way;
use crate::arguments::Arguments;
use crate::errors::Error;
use crate::request::request;
use crate::words::{self, Shape};
use crate::{answer, worker};
use assay_base::CancelToken;
use assay_cfa::features::Features;
use assay_cfa::structure::Structure;
use assay_cfa::{Program, export, text};
use assay_driver::{Asked, Choice, Session};
use assay_portfolio::{Facts, Portfolio};

/// `assay cfa`.
pub(crate) fn automaton(arguments: &Arguments) -> Result<i32, Error> {
    match arguments.choice("format", &words::SHAPES).unwrap_or(Shape::Text) {
        Shape::Dot => show(arguments, export::dot),
        Shape::Json => show(arguments, |program| format!("{:#}\n", export::json(program))),
        Shape::Summary => show(arguments, export::summary),
        Shape::Text => show(arguments, text::print),
    }
}

/// `assay features`.
pub(crate) fn features(arguments: &Arguments) -> Result<i32, Error> {
    let choice = Choice::new(arguments.text("config"), &[] as &[&str])?;
    let (portfolio, json) = (choice.portfolio().cloned(), arguments.flag("json"));
    show(arguments, move |program| describe(program, portfolio.as_ref(), json))
}

fn describe(program: &Program, portfolio: Option<&Portfolio>, json: bool) -> String {
    let features = Features::of(&Structure::new(program));
    let way = portfolio.map(|portfolio| way(portfolio, &Facts::new(program))).unwrap_or_default();
    if json {
        let mut value = features.json();
        value["nodes"] = way.into();
        return format!("{value:#}\n");
    }
    let mut text = features.table();
    if let (Some(portfolio), [first, rest @ ..]) = (portfolio, way.as_slice()) {
        text.push_str(&format!("\n{} begins with {first}\n", portfolio.name));
        rest.iter().for_each(|line| text.push_str(&format!("then {line}\n")));
    }
    text
}

fn show(arguments: &Arguments, text_of: impl Fn(&Program) -> String + Send + Clone + 'static) -> Result<i32, Error> {
    let request = request(arguments, Choice::new(None, &[] as &[&str])?, Asked::ErrorCall)?;
    let work = move || -> Result<i32, Error> {
        let session = Session::open(request.clone(), CancelToken::new())?;
        // Nothing is gained by taking the program apart: the process ends here.
        answer::give(&text_of(session.program()), 0)
    };
    worker::on_large_stack(work).map_err(Error::defect)?
}
