//! Evaluations from the console: started, watched, paused and stopped on the data sets that the configuration allows, and
//! looked at afterwards, question by question.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    Extension, Router,
    body::Bytes,
    extract::{self, State},
    http::{
        StatusCode,
        header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use serde::Deserialize;
use serde_json::json;

use super::{reply, roles, visits::Visit};
use crate::{
    config::ConsoleRole,
    eval::{
        self, Record,
        compare::{Comparison, Right},
    },
    service::server::Handle,
};

mod figures;
mod runner;
mod runs;

use figures::Cells;
use runner::Runner;
use runs::Run;

/// Rows that are shown of an answer and of its reference.
const ROWS: usize = 200;
/// Questions that are listed of a comparison.
const LISTED: usize = 500;

/// What evaluations need.
#[derive(Clone)]
pub(super) struct Benchmarks {
    server: Handle,
    runner: Arc<Runner>,
}

impl Benchmarks {
    pub(super) fn new(server: Handle) -> Self {
        Self {
            runner: Arc::new(Runner::new(server.clone())),
            server,
        }
    }

    /// Where evaluations are kept.
    fn place(&self) -> Result<PathBuf, Box<Response>> {
        self.server.settings().evaluations().ok_or_else(|| {
            Box::new(reply::error(
                StatusCode::CONFLICT,
                "there is no place to keep evaluations",
                Some("Set store.path, or console_evaluations to a folder."),
            ))
        })
    }

    /// Data sets that may be used, with what each is called.
    fn datasets(&self) -> Vec<(String, PathBuf)> {
        let settings = self.server.settings();
        let named = settings.console.datasets.iter().map(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            (name.unwrap_or_else(|| path.display().to_string()), path.clone())
        });
        named.collect()
    }

    fn running(&self, id: &str) -> Option<Arc<runner::Running>> {
        self.runner.current().filter(|running| running.run().id == id)
    }

    /// An evaluation, as far as it is.
    fn run(&self, id: &str) -> Result<(Run, PathBuf), Box<Response>> {
        let place = self.place()?;
        let run = match self.running(id) {
            Some(running) => Some(running.run()),
            None => Run::read(&place, id, false),
        };
        match run {
            Some(run) => Ok((run, place)),
            None => Err(Box::new(reply::error(
                StatusCode::NOT_FOUND,
                "there is no such evaluation",
                None,
            ))),
        }
    }
}

pub(super) fn routes(benchmarks: Benchmarks) -> Router {
    let operated = Router::new()
        .route("/api/v1/benchmarks", post(start))
        .route("/api/v1/benchmarks/{id}", delete(remove))
        .route("/api/v1/benchmarks/{id}/pause", post(pause))
        .route("/api/v1/benchmarks/{id}/stop", post(stop))
        .route("/api/v1/benchmarks/{id}/resume", post(resume))
        .route_layer(from_fn_with_state(ConsoleRole::Operate, roles::needed));
    Router::new()
        .route("/api/v1/benchmarks", get(list))
        .route("/api/v1/benchmarks/{id}", get(look))
        .route("/api/v1/benchmarks/{id}/csv", get(csv))
        .route("/api/v1/benchmarks/{id}/questions/{index}", get(question))
        .route("/api/v1/benchmarks/{id}/compare/{other}", get(compare))
        .route_layer(from_fn(roles::sees_benchmarks))
        .merge(operated)
        .with_state(benchmarks)
}

async fn list(State(benchmarks): State<Benchmarks>) -> Response {
    let datasets = benchmarks.datasets();
    let datasets = datasets
        .iter()
        .map(|(name, path)| json!({ "name": name, "there": path.exists() }));
    let current = benchmarks.runner.current().map(|running| running.run());
    let place = benchmarks.place().ok();
    let id = current.as_ref().map(|run| run.id.clone());
    let mut runs = match place.clone() {
        Some(place) => aside(move || runs::list(&place, id.as_deref())).await,
        None => Vec::new(),
    };
    for run in &mut runs {
        if let Some(current) = current.as_ref().filter(|current| current.id == run.id) {
            run.clone_from(current);
        }
    }
    reply::json(&json!({
        "datasets": datasets.collect::<serde_json::Value>(),
        "modes": benchmarks.server.evaluation_modes(),
        "place": place,
        "running": current.map(|run| run.id),
        "runs": runs,
    }))
}

/// What shall be evaluated.
#[derive(Deserialize)]
struct Wanted {
    dataset: String,
    #[serde(default)]
    mode: String,
    limit: Option<usize>,
    sample: Option<usize>,
}

async fn start(
    State(benchmarks): State<Benchmarks>,
    Extension(visit): Extension<Arc<Visit>>,
    body: Bytes,
) -> Response {
    let wanted: Wanted = match serde_json::from_slice(&body) {
        Ok(wanted) => wanted,
        Err(error) => return reply::error(StatusCode::BAD_REQUEST, &error.to_string(), None),
    };
    let datasets = benchmarks.datasets();
    let Some((name, folder)) = datasets.iter().find(|(name, _)| *name == wanted.dataset) else {
        return reply::error(
            StatusCode::FORBIDDEN,
            "the configuration allows no data set of that name",
            Some("List its folder in console_datasets."),
        );
    };
    let modes = benchmarks.server.evaluation_modes();
    let mode = match wanted.mode.as_str() {
        "" => modes.first().copied(),
        mode => modes.iter().find(|known| **known == mode).copied(),
    };
    let Some(mode) = mode else {
        return reply::error(
            StatusCode::BAD_REQUEST,
            "nobody here answers in that mode",
            Some("Modes other than embedded need a [[model]]."),
        );
    };
    let place = match benchmarks.place() {
        Ok(place) => place,
        Err(response) => return *response,
    };
    let positive = |number: Option<usize>| number.filter(|number| *number > 0);
    let run = Run {
        mode: mode.to_owned(),
        limit: positive(wanted.limit),
        sample: positive(wanted.sample),
        ..Run::begin(name, folder, visit.name())
    };
    begin(&benchmarks, run, place, false)
}

fn begin(benchmarks: &Benchmarks, run: Run, place: PathBuf, resume: bool) -> Response {
    let id = run.id.clone();
    match benchmarks.runner.start(run, place, resume) {
        Ok(()) => reply::json(&json!({ "id": id })),
        Err(runner::Busy(reason)) => reply::error(
            StatusCode::CONFLICT,
            &reason,
            Some("One evaluation runs at a time."),
        ),
    }
}

async fn resume(State(benchmarks): State<Benchmarks>, extract::Path(id): extract::Path<String>) -> Response {
    match benchmarks.run(&id) {
        Ok((run, place)) if run.is_open() => begin(&benchmarks, run, place, true),
        Ok(_) => reply::error(StatusCode::CONFLICT, "it does not wait to go on", None),
        Err(response) => *response,
    }
}

async fn pause(State(benchmarks): State<Benchmarks>, extract::Path(id): extract::Path<String>) -> Response {
    end(&benchmarks, &id, "paused")
}

async fn stop(State(benchmarks): State<Benchmarks>, extract::Path(id): extract::Path<String>) -> Response {
    end(&benchmarks, &id, "stopped")
}

fn end(benchmarks: &Benchmarks, id: &str, then: &'static str) -> Response {
    if let Some(running) = benchmarks.running(id) {
        running.stop(then);
        return reply::json(&running.run());
    }
    match benchmarks.run(id) {
        Ok((mut run, place)) if run.is_open() && then == "stopped" => {
            then.clone_into(&mut run.state);
            match run.keep(&place) {
                Ok(()) => reply::json(&run),
                Err(error) => reply::error(StatusCode::SERVICE_UNAVAILABLE, &error.to_string(), None),
            }
        }
        Ok(_) => reply::error(StatusCode::CONFLICT, "it does not run", None),
        Err(response) => *response,
    }
}

async fn remove(State(benchmarks): State<Benchmarks>, extract::Path(id): extract::Path<String>) -> Response {
    if benchmarks.running(&id).is_some() {
        return reply::error(StatusCode::CONFLICT, "it runs", Some("Stop it first."));
    }
    match benchmarks.run(&id) {
        Ok((run, place)) => {
            aside(move || runs::remove(&place, &run.id)).await;
            reply::json(&json!({}))
        }
        Err(response) => *response,
    }
}

/// An evaluation with its figures.
async fn look(State(benchmarks): State<Benchmarks>, extract::Path(id): extract::Path<String>) -> Response {
    let (run, place) = match benchmarks.run(&id) {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let running = benchmarks.running(&id);
    let figures = aside(move || {
        if let Some(running) = running {
            return running.cells().figures();
        }
        let mut cells = Cells::default();
        for record in records(&place.join(&id)) {
            cells.add(&record);
        }
        cells.figures()
    });
    reply::json(&json!({ "run": run, "figures": figures.await }))
}

/// What is kept of the questions; nothing of an evaluation that has not begun to ask.
fn records(folder: &Path) -> Vec<Record> {
    eval::records(folder).unwrap_or_default()
}

/// One question: what was right, what was said, and the rows of both.
async fn question(
    State(benchmarks): State<Benchmarks>,
    extract::Path((id, index)): extract::Path<(String, usize)>,
) -> Response {
    let (run, place) = match benchmarks.run(&id) {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let folder = place.join(&id);
    let found = aside(move || records(&folder).into_iter().find(|record| record.index == index)).await;
    let Some(record) = found else {
        return reply::error(StatusCode::NOT_FOUND, "that question is not done", None);
    };
    let runtime = tokio::runtime::Handle::current();
    // Files are opened on the thread that asks for it.
    let looked = aside(move || {
        runtime.block_on(async {
            let gold = eval::look(&run.folder, &record.db_id, &record.gold, ROWS).await;
            let predicted = match &record.predicted {
                Some(sql) => Some(eval::look(&run.folder, &record.db_id, sql, ROWS).await),
                None => None,
            };
            json!({ "record": record, "gold": gold, "predicted": predicted })
        })
    });
    reply::json(&looked.await)
}

/// All questions with their answers.
async fn csv(State(benchmarks): State<Benchmarks>, extract::Path(id): extract::Path<String>) -> Response {
    let (run, place) = match benchmarks.run(&id) {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let written = aside(move || {
        let mut text = Vec::new();
        eval::write_csv(&mut text, &records(&place.join(&id))).map(|()| text)
    });
    match written.await {
        Ok(text) => {
            let name = format!("attachment; filename=\"{}-{}.csv\"", plain(&run.dataset), run.id);
            (
                [
                    (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
                    (CONTENT_DISPOSITION, name),
                ],
                text,
            )
                .into_response()
        }
        Err(error) => reply::error(StatusCode::SERVICE_UNAVAILABLE, &error.to_string(), None),
    }
}

/// A name that can stand in a header.
fn plain(name: &str) -> String {
    let kept = |sign: char| {
        if sign.is_ascii_alphanumeric() || sign == '-' {
            sign
        } else {
            '_'
        }
    };
    name.chars().map(kept).collect()
}

/// What was won and lost from one evaluation to another.
async fn compare(
    State(benchmarks): State<Benchmarks>,
    extract::Path((id, other)): extract::Path<(String, String)>,
) -> Response {
    let found = benchmarks
        .run(&id)
        .and_then(|one| Ok((one, benchmarks.run(&other)?)));
    let ((one, place), (other, _)) = match found {
        Ok(found) => found,
        Err(response) => return *response,
    };
    let told = aside(move || -> Result<serde_json::Value, eval::EvalError> {
        let comparison = Comparison::read(&place.join(&one.id), &place.join(&other.id))?;
        let change = comparison.change(Right::Exact);
        let listed = |pairs: &[&(Record, Record)]| -> serde_json::Value {
            let pairs = pairs.iter().take(LISTED).map(|(before, after)| {
                json!({
                    "index": before.index,
                    "db_id": before.db_id,
                    "question": before.question,
                    "before": before.predicted,
                    "after": after.predicted,
                })
            });
            pairs.collect()
        };
        Ok(json!({
            "before": one,
            "after": other,
            "questions": comparison.pairs.len(),
            "unpaired": comparison.unpaired,
            "right": change.right,
            "chance": change.chance,
            "won": change.gained.len(),
            "lost": change.lost.len(),
            "gained": listed(&change.gained),
            "forfeited": listed(&change.lost),
            "milliseconds": comparison.means(|record| record.milliseconds),
            "cost_usd": comparison.means(|record| record.cost_usd),
        }))
    });
    match told.await {
        Ok(told) => reply::json(&told),
        Err(error) => reply::error(StatusCode::CONFLICT, &error.message, error.hint.as_deref()),
    }
}

/// Work that blocks.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
