//! What is learned of authors outlives the server.

use super::signals::Served;

/// The confidence of an answer to a question that is asked for the first time.
fn confidence(served: &Served) -> f64 {
    let mut client = served.client();
    client.query("-- nl: how many pets are there?");
    let told = client.query("SHOW querent.last_confidence");
    let row = told
        .iter()
        .find_map(|message| message.strip_prefix("D "))
        .unwrap();
    row.trim().parse().unwrap()
}

#[test]
fn what_people_have_said_counts_after_a_restart() {
    let served = Served::start("[store]\npath = \"kept.db\"\n");
    let before = confidence(&served);
    // A word on the same question would count once.
    for question in [
        "how many pets",
        "how many pets are there",
        "how many pets do we have",
    ] {
        let mut client = served.client();
        client.query(&format!("-- nl: {question}?"));
        client.query("-- nl bad: no");
    }
    let served = served.again();
    let after = confidence(&served);
    assert!(after < before - 0.1, "{before} {after}");
    // Without the audit nothing is kept.
    let served = Served::start("[store]\npath = \"kept.db\"\n[audit]\nenabled = false\n");
    let before = confidence(&served);
    let mut client = served.client();
    client.query("-- nl: how many pets are there?");
    client.query("-- nl bad: no");
    let served = served.again();
    assert!((confidence(&served) - before).abs() < 1e-9);
}

const USERS: &str = "[auth]\nmode = \"scram\"\n[auth.users]\nann = \"p\"\nmal = \"p\"\neve = \"p\"\nbob = \"p\"\ntess = \"p\"\n\
                     [console_roles]\nteach = [\"tess\"]\n";

/// A user who has proven to be one.
async fn user(served: &Served, name: &str) -> tokio_postgres::Client {
    let config = format!(
        "host=127.0.0.1 port={} user={name} password=p dbname=pets",
        served.port()
    );
    let (client, connection) = tokio_postgres::connect(&config, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    client
}

/// Says of answers to so many questions that they are wrong, each as often as it likes.
async fn rejects(client: &tokio_postgres::Client, questions: usize) {
    for at in 0..questions {
        for _ in 0..3 {
            let question = format!("-- nl: how many pets are there{}", "?".repeat(at + 1));
            client.simple_query(&question).await.unwrap();
            client.simple_query("-- nl bad: no").await.unwrap();
        }
    }
}

async fn confidence_of(client: &tokio_postgres::Client, question: &str) -> f64 {
    client.simple_query(question).await.unwrap();
    let row = client
        .query_one("SHOW querent.last_confidence", &[])
        .await
        .unwrap();
    row.get::<_, String>(0).parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_alone_makes_the_answers_of_others_doubtful() {
    let served = Served::start(USERS);
    let ann = user(&served, "ann").await;
    let before = confidence_of(&ann, "-- nl: how many pets are there").await;
    let mal = user(&served, "mal").await;
    rejects(&mal, 12).await;
    let later = confidence_of(&ann, "-- nl: how many pets are there?").await;
    assert!((later - before).abs() < 1e-9, "{before} {later}");
    rejects(&user(&served, "eve").await, 4).await;
    let later = confidence_of(&ann, "-- nl: how many pets are there??").await;
    assert!((later - before).abs() < 1e-9, "{before} {later}");
    // Several users are heard, and so is somebody who may teach.
    rejects(&user(&served, "bob").await, 4).await;
    let later = confidence_of(&ann, "-- nl: how many pets are there???").await;
    assert!(later < before - 0.05, "{before} {later}");
    let served = Served::start(USERS);
    rejects(&user(&served, "tess").await, 4).await;
    let later = confidence_of(&user(&served, "ann").await, "-- nl: how many pets are there").await;
    assert!(later < before - 0.05, "{before} {later}");
}
