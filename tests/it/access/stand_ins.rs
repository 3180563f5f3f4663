//! A rule about rows means PostgreSQL's own operators and functions, whatever those whom it limits have on their search path.

use crate::{
    postgres::server::Options,
    relay::harness::{Relay, log_in_as},
};

const RULE: &str = "
    [[policy.rule]]
    rows = { customers = \"country = 'Spain'\" }
    ";

#[test]
fn nobody_puts_an_operator_of_theirs_into_a_rule() {
    let Some(relay) = Relay::with(&Options::default(), RULE) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(relay.postgres.run(
        "postgres",
        "CREATE ROLE alice LOGIN; CREATE SCHEMA als AUTHORIZATION alice; GRANT SELECT ON customers, orders TO PUBLIC;",
    ));
    let mut client = log_in_as(relay.front.port, "alice");
    let count = "-- nl: how many customers are there?";
    let told = client.query(count);
    assert!(told.contains(&"D 2".to_owned()), "{told:?}");
    let told = client.query(
        "CREATE FUNCTION als.tt(text, text) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true'; \
         CREATE OPERATOR als.= (LEFTARG = text, RIGHTARG = text, FUNCTION = als.tt)",
    );
    assert_eq!(told.last().unwrap(), "Z I", "{told:?}");
    // As long as it is not on the search path, it is nothing.
    assert!(client.query(count).contains(&"D 2".to_owned()));
    for path in ["als, pg_catalog, public", "als, public", "public, als"] {
        client.query(&format!("SET search_path = {path}"));
        let told = client.query(count);
        assert!(told[0].starts_with("E ERROR 42501"), "{path}: {told:?}");
        // What no rule limits is theirs to read as they like.
        let told = client.query("-- nl: how many orders are there?");
        assert!(told.contains(&"D 3".to_owned()), "{path}: {told:?}");
    }
    client.query("SET search_path = public");
    assert!(client.query(count).contains(&"D 2".to_owned()));
}
