//! `servanda size`

use servanda::EngineOptions;
use servanda_report::plot::Point;
use servanda_report::{CheckReport, Detail, Status, csv, diagnostics, json, text};

use super::args::{ModelArguments, SizeArguments, SizeFormat};
use super::company::{Company, Voice, voice};
use super::limits::Limits;
use super::setting::{self, Setting};
use super::stopwatch::measured;
use super::terminal::{Ended, Terminal};
use super::{input, memory, plot};

/// Counts the states of the file, for each setting of its parameters.
pub(crate) fn run(arguments: &SizeArguments, terminal: &Terminal) -> Ended {
    if arguments.engine.bound.is_some() {
        return Err(terminal.fail("--bound: states cannot be counted within a bound"));
    }
    if arguments.engine.no_reduction {
        return Err(terminal.fail("--no-reduction: states are always counted without reductions"));
    }
    if let Some(mistake) = arguments.cluster.mistake(&arguments.engine, &arguments.subject.model) {
        return Err(terminal.fail(&mistake));
    }
    if arguments.cluster.processes.is_some() && arguments.subject.file == "-" {
        return Err(terminal.fail("--processes: standard input can be read by one process only"));
    }
    let settings = setting::combinations(&arguments.subject.model.param);
    let settings = settings.map_err(|message| terminal.fail(&message))?;
    if arguments.plot.plot.is_some() && settings.len() < 2 {
        return Err(terminal.fail(plot::ONE_VALUE));
    }
    let mistake = arguments.storage.mistake(&arguments.engine);
    if let Some(mistake) = mistake.or_else(|| arguments.storage.mistake_of_many(settings.len())) {
        return Err(terminal.fail(mistake));
    }
    let limits = terminal.limits(&arguments.subject.limits)?;
    let company = Company::meet(&arguments.cluster, &arguments.engine, &limits, terminal)?;
    let chosen =
        company.applied(arguments.storage.engine(&arguments.engine).chosen(&arguments.subject.limits));
    let chosen = arguments.storage.chosen(chosen, &arguments.subject.limits, &limits, company.here());
    let chosen = chosen.map_err(|message| terminal.fail(&message))?;
    let mut reports = Vec::new();
    for param in settings {
        if !reports.is_empty() {
            memory::forget_peak();
        }
        reports.push(size(arguments, param, chosen, &limits));
        limits.clear_progress();
    }
    let status = reports.iter().map(CheckReport::status).max().unwrap_or(Status::Wanted);
    if arguments.format != SizeFormat::Json {
        let (mut said, mut style) = (String::new(), terminal.error_style());
        for run in reports.iter().map(|report| &report.run) {
            // It is the same for most parameters.
            let errors = text::errors(run, terminal.error_style());
            if errors != said {
                terminal.complain(&text::errors(run, style));
                style = diagnostics::after(&run.findings, style);
                said = errors;
            }
        }
    }
    let style = terminal.output_style(chosen.statistics);
    let shown = match (arguments.format, reports.as_slice()) {
        (SizeFormat::Json, reports) => json::size(reports, chosen.statistics),
        (SizeFormat::Csv, reports) => csv::check(reports),
        (SizeFormat::Text, [report]) => text::size(report, style),
        (SizeFormat::Text, reports) if style.detail == Detail::Verbose => {
            let each = reports.iter().map(|report| text::size(report, style) + "\n");
            each.collect::<String>() + &text::sweep(reports, style)
        }
        (SizeFormat::Text, reports) => text::sweep(reports, style),
    };
    let status = match arguments.format {
        SizeFormat::Text => terminal.show(&shown, status),
        SizeFormat::Json | SizeFormat::Csv => terminal.write(&shown, status),
    };
    if let Some(way_on) = arguments.storage.way_on(status)
        && voice(&arguments.cluster) == Voice::Full
    {
        terminal.complain(&way_on);
    }
    match &arguments.plot.plot {
        Some(path) => {
            let points: Vec<Point> = reports.iter().map(Point::of).collect();
            plot::write(path, &points, terminal).map(|()| status)
        }
        None => Ok(status),
    }
}

/// The size with one value for each parameter.
fn size(
    arguments: &SizeArguments,
    param: Vec<Setting>,
    chosen: EngineOptions,
    limits: &Limits,
) -> CheckReport {
    let subject = &arguments.subject;
    let parameters = setting::parameters(&param);
    let model = ModelArguments { param, ..subject.model.clone() };
    let size = |loaded| match loaded {
        Ok(loaded) => servanda::size(&loaded, chosen, limits.watch()),
        Err(findings) => {
            let language = input::language(&subject.file, model.input.input);
            let mut report = CheckReport::new(subject.name(), chosen.usual_engine(language));
            report.run.parameters = parameters;
            report.run.reject(findings);
            report
        }
    };
    measured(|| input::load(&subject.file, &model), size, |report| &mut report.run)
}
