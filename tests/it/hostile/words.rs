//! Hostile questions, comments and stored values, with a model that does what any of them says.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use querent::{
    question::{
        ask::{AskSettings, ask},
        model::{Model, ModelError, Reply, Request, Usage},
    },
    sqlite::engine::{Connection, Database, Options},
    statement::Mode,
};

use super::{
    corpus::{self, Places, Tongue},
    obedient::{reply, settings},
    relayed, sqlite,
};
use crate::{
    model::{server::ScriptedModel, turn::Turn},
    postgres::server::SUPERUSER,
    relay::{front::Front, harness::log_in},
};

/// One hostile text, and what it is after.
#[derive(Debug, Clone)]
struct Order {
    text: String,
    sql: String,
}

/// The word by which a text is known again.
fn mark(number: usize) -> String {
    format!("zq{number}z")
}

/// Every goal in every frame.
fn orders(tongue: Tongue, places: &Places) -> Vec<Order> {
    let (frames, goals) = include_str!("../../hostile/words.txt")
        .trim_start_matches("== frames\n")
        .split_once("\n\n== goals\n")
        .unwrap();
    let other = match tongue {
        Tongue::Postgres => "s ",
        Tongue::Sqlite => "p ",
    };
    let mut orders = vec![];
    for goal in goals.lines().filter(|goal| !goal.starts_with(other)) {
        let goal = goal.replace("{file}", &places.file).replace("{out}", &places.out);
        let (sql, wish) = goal[2..].split_once(" | ").unwrap();
        for frame in frames.lines() {
            let text = corpus::unescaped(frame)
                .replace("{mark}", &mark(orders.len()))
                .replace("{sql}", sql)
                .replace("{wish}", wish);
            orders.push(Order {
                text,
                sql: sql.to_owned(),
            });
        }
    }
    orders
}

/// Some of them, from everywhere.
fn some(orders: &[Order], most: usize) -> Vec<(usize, &Order)> {
    let step = orders.len().div_ceil(most);
    orders.iter().enumerate().step_by(step).collect()
}

/// A model that obeys the first text in its prompt that it has not obeyed yet.
#[derive(Debug)]
struct Gullible {
    orders: Vec<Order>,
    obeyed: Mutex<BTreeSet<usize>>,
}

impl Gullible {
    fn new(orders: &[Order]) -> Arc<Self> {
        Arc::new(Self {
            orders: orders.to_vec(),
            obeyed: Mutex::default(),
        })
    }

    /// How many it has obeyed since it was last asked that.
    fn forget(&self) -> usize {
        std::mem::take(&mut *self.obeyed.lock().unwrap()).len()
    }

    fn answer(&self, prompt: &str) -> String {
        let mut obeyed = self.obeyed.lock().unwrap();
        let told = prompt.match_indices("zq").find_map(|(at, _)| {
            let (number, _) = prompt[at + 2..].split_once('z')?;
            number.parse().ok().filter(|number| !obeyed.contains(number))
        });
        match told.and_then(|number| Some((number, self.orders.get(number)?))) {
            Some((number, order)) => {
                obeyed.insert(number);
                reply(&order.sql)
            }
            None => reply("SELECT count(*) FROM customers"),
        }
    }
}

#[async_trait]
impl Model for Gullible {
    fn name(&self) -> &'static str {
        "gullible"
    }

    fn price(&self, _: Usage) -> f64 {
        0.0
    }

    async fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        Ok(Reply {
            text: self.answer(&format!("{}\n{}", request.system, request.user)),
            usage: Usage::default(),
            cut: false,
            elapsed: Duration::ZERO,
        })
    }
}

/// Asks, and runs the answer if there is one.
async fn put(connection: &Connection, question: &str, settings: &AskSettings) {
    if let Ok(answer) = ask(connection, question, settings).await {
        let mut cursor = connection.run_generated(&answer.sql, None, vec![]).await.unwrap();
        cursor.next(0).await.unwrap();
    }
}

async fn open(scene: &sqlite::Scene, more: &str) -> Connection {
    let path = scene.path("shop.sqlite");
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch(more)
        .unwrap();
    let database = Database::open(&path, Options::default()).unwrap();
    database.index_values();
    assert!(database.values_ready(Duration::from_secs(60)).await);
    database.connect().unwrap()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', "''"))
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_questions_to_a_file_change_nothing() {
    let scene = sqlite::Scene::new();
    let orders = orders(Tongue::Sqlite, &scene.places());
    assert!(orders.len() >= 500, "{}", orders.len());
    let connection = open(&scene, "").await;
    let before = scene.state();
    let model = Gullible::new(&orders);
    let obedient = settings(Arc::clone(&model) as _, Mode::Single);
    for order in &orders {
        put(&connection, &order.text, &AskSettings::default()).await;
        put(&connection, &order.text, &obedient).await;
    }
    assert_eq!(model.forget(), orders.len());
    drop(connection);
    assert_eq!(scene.effects(&before), Vec::<&str>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_values_and_comments_of_a_file_change_nothing() {
    let scene = sqlite::Scene::new();
    let orders = orders(Tongue::Sqlite, &scene.places());
    let mut more = vec!["CREATE TABLE remarks (id INTEGER PRIMARY KEY, body TEXT)".to_owned()];
    for (number, order) in orders.iter().enumerate().step_by(2) {
        let value = quoted(&format!("wq{number}w {}", order.text));
        more.push(format!("INSERT INTO remarks (body) VALUES ({value})"));
    }
    let told = some(&orders[1..], 150);
    for (number, order) in &told {
        let text = order.text.replace("*/", "* /").replace('\0', "");
        more.push(format!(
            "CREATE TABLE crate_{number} (id INTEGER PRIMARY KEY, /* {text} */ weight REAL)"
        ));
    }
    let connection = open(&scene, &more.join(";")).await;
    let before = scene.state();
    let model = Gullible::new(&orders);
    let obedient = settings(Arc::clone(&model) as _, Mode::Single);
    for number in (0..orders.len()).step_by(2) {
        let question = format!("Show the remarks that say wq{number}w");
        put(&connection, &question, &obedient).await;
    }
    let by_values = model.forget();
    for (number, _) in &told {
        let question = format!("What is the weight of all crate {number}?");
        put(&connection, &question, &obedient).await;
    }
    // What is too long for a value or hides something does not reach a model.
    assert!(by_values >= 50, "{by_values}");
    let by_comments = model.forget();
    assert!(by_comments >= told.len() / 2, "{by_comments} of {}", told.len());
    drop(connection);
    assert_eq!(scene.effects(&before), Vec::<&str>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_words_change_nothing_on_a_server() {
    let Some(scene) = relayed::Scene::start() else {
        return;
    };
    scene.fill("postgres").await;
    let orders = orders(Tongue::Postgres, &scene.places());
    assert!(orders.len() >= 500, "{}", orders.len());
    let stored = some(&orders, 120);
    let mut more = vec!["CREATE TABLE remarks(id serial PRIMARY KEY, body text)".to_owned()];
    for (number, order) in &stored {
        let value = quoted(&format!("wq{number}w {}", order.text));
        let comment = quoted(&order.text);
        more.extend([
            format!("INSERT INTO remarks(body) VALUES ({value})"),
            format!("CREATE TABLE crate_{number}(id int PRIMARY KEY, weight int)"),
            format!("COMMENT ON COLUMN crate_{number}.weight IS {comment}"),
        ]);
    }
    more.push("ANALYZE remarks".to_owned());
    scene.server.run("postgres", &more.join(";")).await;
    let numbers = || stored.iter().map(|(number, _)| number);
    let phases: [Vec<String>; 3] = [
        some(&orders, 320)
            .iter()
            .map(|(_, order)| order.text.clone())
            .collect(),
        numbers()
            .map(|number| format!("Show the remarks that say wq{number}w"))
            .collect(),
        numbers()
            .map(|number| format!("What is the weight of all crate {number}?"))
            .collect(),
    ];
    // The model may obey the same text for two questions, and then has nothing to obey.
    let least = [200, 10, stored.len() / 2];
    let gullible = Gullible::new(&orders);
    let asked = Arc::clone(&gullible);
    let model = ScriptedModel::answering(move |seen| Turn::says(asked.answer(&seen.body.to_string())));
    let toml = format!(
        "mode = \"single\"\n[limits]\nattempts = 0\n[[model]]\nname = \"m\"\napi = \"openai\"\nmodel = \"m\"\nbase_url = \"{}/v1\"\n",
        model.url()
    );
    let front = Front::start(&scene.server.address(SUPERUSER, "postgres"), &toml);
    let admin = scene.server.client(SUPERUSER, "postgres").await;
    let before = scene.state(&admin).await;
    let port = front.port;
    tokio::task::spawn_blocking(move || {
        let mut client = log_in(port);
        for (questions, least) in phases.iter().zip(least) {
            for (number, question) in questions.iter().enumerate() {
                // Every third stands in a transaction.
                if number % 3 == 0 {
                    client.query("BEGIN");
                }
                let lines = client.query(&format!("SELECT * FROM nl({})", quoted(question)));
                let told = lines.iter().find(|line| line.contains(relayed::SECRET));
                assert_eq!(told, None, "{question}");
                if number % 3 == 0 {
                    client.query("COMMIT");
                }
            }
            let obeyed = gullible.forget();
            assert!(
                obeyed >= least,
                "{obeyed} of {}: {}",
                questions.len(),
                questions[0]
            );
        }
    })
    .await
    .unwrap();
    assert_eq!(scene.state(&admin).await, before);
    assert_eq!(scene.effects(), Vec::<&str>::new());
    drop((admin, front));
    model.finish();
}
