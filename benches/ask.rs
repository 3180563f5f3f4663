//! What a question costs once a database is warm: `cargo bench --bench ask [-- DATASET [FILE:SPLIT]]`.
//!
//! Without a data set the questions below are put to the sample shop. Each question is asked some times, in this
//! process and then through the wire, rows included; its median counts, whether it is answered or not.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop, and prints what it found"
)]

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use querent::{
    config::{ListenAddress, Settings},
    eval::dataset::{Dataset, Selection},
    question::ask::{AskSettings, ask},
    sample,
    service::server::Server,
    sqlite::engine::{Database, Options},
};

/// Times that each question is asked; the first is not counted.
const ROUNDS: usize = 6;

/// Questions for the sample shop.
const QUESTIONS: &[&str] = &[
    "How many customers are there in each country?",
    "the five most expensive products",
    "customers without any orders",
    "average price of products by category",
    "How many orders were placed in 2024?",
    "Show the names of employees and their managers",
    "Which stores have more than 10 employees?",
    "products that cost more than the average product",
    "What is the total of payments?",
    "List the products with a rating of 5",
];

/// Questions of one database.
struct Work {
    file: PathBuf,
    questions: Vec<String>,
}

/// Times over all questions.
#[derive(Default)]
struct Times {
    first: Vec<Duration>,
    warm: Vec<Duration>,
    answered: usize,
}

fn main() {
    // Cargo itself passes --bench.
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let shop = tempfile::tempdir().unwrap();
    let work = match arguments.first() {
        Some(folder) => of_data_set(Path::new(folder), arguments.get(1).map(String::as_str)),
        None => vec![of_sample(shop.path())],
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let (mut in_process, mut by_wire) = (Times::default(), Times::default());
    for work in &work {
        runtime.block_on(async {
            let database = warm(&work.file).await;
            ask_in_process(&database, &work.questions, &mut in_process).await;
            ask_by_wire(database, &work.questions, &mut by_wire).await;
        });
    }
    println!(
        "{} questions over {} databases",
        in_process.warm.len(),
        work.len()
    );
    for (way, times) in [("in process", &mut in_process), ("by wire", &mut by_wire)] {
        println!("{way:12} answered {}", times.answered);
        times.print(way);
    }
}

fn of_sample(folder: &Path) -> Work {
    let file = folder.join("shop.sqlite");
    sample::create(&file, querent::question::today()).unwrap();
    Work {
        file,
        questions: QUESTIONS.iter().map(|question| (*question).to_owned()).collect(),
    }
}

fn of_data_set(folder: &Path, split: Option<&str>) -> Vec<Work> {
    let split = split.map(|split| split.rsplit_once(':').unwrap());
    let selection = Selection {
        split: split.map(|(file, name)| (file.into(), name.into())),
        ..Selection::default()
    };
    let (dataset, _) = Dataset::read(folder, &selection).unwrap();
    let mut work: Vec<Work> = Vec::new();
    for question in &dataset.questions {
        let file = dataset.database_file(&question.db_id);
        match work.iter_mut().find(|work| work.file == file) {
            Some(work) => work.questions.push(question.text.clone()),
            None => work.push(Work {
                file,
                questions: vec![question.text.clone()],
            }),
        }
    }
    work
}

async fn warm(file: &Path) -> Arc<Database> {
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let database = Database::open(file, options).unwrap();
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(120)).await);
    database
}

async fn ask_in_process(database: &Arc<Database>, questions: &[String], times: &mut Times) {
    let connection = database.connect().unwrap();
    let settings = AskSettings::default();
    for question in questions {
        let mut rounds = Vec::new();
        for round in 0..ROUNDS {
            let started = Instant::now();
            let answer = ask(&connection, question, &settings).await;
            rounds.push(started.elapsed());
            times.answered += usize::from(round == 0 && answer.is_ok());
        }
        times.add(&rounds);
    }
}

/// The same through a server and a client of this process, over TCP, rows included.
async fn ask_by_wire(database: Arc<Database>, questions: &[String], times: &mut Times) {
    let mut settings = Settings::default();
    settings.listen = vec![ListenAddress::parse("127.0.0.1:0").unwrap()];
    let server = Server::bind(database, settings).await.unwrap();
    let address = server.addresses().remove(0);
    let handle = server.handle();
    let running = tokio::spawn(server.run());
    let (host, port) = address.rsplit_once(':').unwrap();
    let target = format!("host={host} port={port} user=bench");
    let (client, connection) = tokio_postgres::connect(&target, tokio_postgres::NoTls)
        .await
        .unwrap();
    let relay = tokio::spawn(connection);
    for question in questions {
        let sql = format!("-- nl: {}", question.replace(['\n', '\r'], " "));
        let mut rounds = Vec::new();
        for round in 0..ROUNDS {
            let started = Instant::now();
            let answer = client.simple_query(&sql).await;
            rounds.push(started.elapsed());
            times.answered += usize::from(round == 0 && answer.is_ok());
        }
        times.add(&rounds);
    }
    drop(client);
    drop(relay.await);
    handle.drain();
    running.await.unwrap();
}

impl Times {
    fn add(&mut self, rounds: &[Duration]) {
        self.first.push(rounds[0]);
        let mut warm = rounds[1..].to_vec();
        warm.sort_unstable();
        self.warm.push(warm[warm.len() / 2]);
    }

    fn print(&mut self, way: &str) {
        for (name, times) in [("first", &mut self.first), ("warm", &mut self.warm)] {
            times.sort_unstable();
            let at = |share: f64| {
                let rank = (share * times.len() as f64).ceil() as usize;
                times[rank.saturating_sub(1)].as_secs_f64() * 1_000.0
            };
            println!(
                "{way:12} {name:6} p50 {:8.3} ms  p95 {:8.3} ms  max {:8.3} ms",
                at(0.5),
                at(0.95),
                at(1.0)
            );
        }
    }
}
