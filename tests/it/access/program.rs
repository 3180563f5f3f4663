//! The access policy in `check` and `ask`, and roles that PostgreSQL knows.

use crate::{
    postgres::server::{PostgresServer, SUPERUSER},
    program::Place,
};

const RULES: &str = "
    [privacy]
    private = [\"owner.city\", \"owner.shoe\"]
    [[policy.rule]]
    deny = [\"pet.weight\", \"pet.wait\"]
    rows = { pet = \"kind = 'cat'\", per = \"1 = 1\" }
    [[policy.rule]]
    users = [\"somebody\"]
    rows = { owner = \"id IN (SELECT 1)\", pet = \"kindness > 3\" }
    ";

#[test]
fn check_tells_what_is_wrong_with_rules() {
    let place = Place::new();
    place.write("querent.toml", RULES);
    let ran = place.run(&["check", "sqlite:pets.db"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    for problem in [
        "privacy.private: owner.shoe is no column here",
        "deny of the policy's rule (./querent.toml:4): pet.wait is no table or column here",
        "rows of the policy's rule (./querent.toml:4): per is no table here",
        "(./querent.toml:7): the condition on owner is wrong: a condition on rows is one expression without subqueries",
        "(./querent.toml:7): the condition on pet is wrong: there is no column kindness here",
    ] {
        assert!(ran.err.contains(problem), "{problem}: {}", ran.err);
    }
    assert!(
        !ran.err.contains("owner.city") && !ran.err.contains("pet.weight"),
        "{}",
        ran.err
    );
}

#[test]
fn ask_obeys_the_rules_for_everybody() {
    let place = Place::new();
    let ask = || {
        let question = "how many pets are there?";
        place.run(&["ask", "sqlite:pets.db", question, "--format", "csv"])
    };
    // What names mean that mean nothing, nobody knows.
    place.write("querent.toml", RULES);
    let ran = ask();
    assert_eq!(ran.code, 1);
    for told in [
        "the access policy cannot be applied",
        "owner.shoe, which privacy.private names",
    ] {
        assert!(ran.err.contains(told), "{told}: {}", ran.err);
    }
    let rules = RULES
        .replace(", \"owner.shoe\"", "")
        .replace(", \"pet.wait\"", "");
    place.write("querent.toml", &rules);
    let ran = ask();
    assert!(ran.err.contains("per is no table here"), "{}", ran.err);
    assert_eq!((ran.code, ran.out.lines().last()), (0, Some("2")), "{}", ran.err);
    assert!(ran.err.contains("WHERE (kind = 'cat')"), "{}", ran.err);
    place.write("querent.toml", "[[policy.rule]]\nquestions = \"off\"\n");
    let ran = place.run(&["ask", "sqlite:pets.db", "how many pets are there?"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("questions are switched off"), "{}", ran.err);
}

#[tokio::test]
async fn roles_are_those_of_the_server() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    server
        .run(
            "postgres",
            "CREATE TABLE pet(id int PRIMARY KEY, kind text); INSERT INTO pet VALUES (1, 'dog'), (2, 'cat'), (3, 'cat');
             CREATE ROLE clerks; CREATE ROLE vets IN ROLE clerks; CREATE ROLE carl LOGIN IN ROLE vets;
             CREATE ROLE dora LOGIN; CREATE ROLE \"O'Hara\" LOGIN IN ROLE clerks;
             GRANT SELECT ON pet TO PUBLIC; ALTER ROLE carl SET search_path = public;",
        )
        .await;
    let place = Place::new();
    place.write(
        "querent.toml",
        "[[policy.rule]]\nroles = [\"clerks\"]\nrows = { \"public.pet\" = \"kind = 'cat' AND session_user <> ''\" }\n",
    );
    for (user, pets) in [("carl", "2"), ("dora", "3"), (SUPERUSER, "3"), ("O%27Hara", "2")] {
        let address = server.address(user, "postgres");
        let ran = place.run(&["ask", &address, "how many pets are there?", "--format", "csv"]);
        assert_eq!(
            (ran.code, ran.out.lines().last()),
            (0, Some(pets)),
            "{user}: {}",
            ran.err
        );
    }
}
