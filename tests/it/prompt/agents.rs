//! Every agent's prompt about the sample shop, word by word.

use querent::question::{
    prompt::{
        Agent, Attempt, Example, FindingNote, PromptContext, Prompts, TaxonomyEntry, Values, dialect_rules,
        estimate_tokens, evidence, excerpt, plain_schema, schema_text,
    },
    schema::Dialect,
    validator::inspect,
};

use super::shop;

const QUESTION: &str = "Which customers from finland bought garden tools in March 2024?";
const WRONG: &str = "SELECT customers.name FROM customers WHERE customers.nation = 'finland'";

/// A context in which every agent finds what it needs.
fn context(dialect: Dialect, values: Values) -> PromptContext {
    let shop = shop(dialect);
    // A part of the shop, to keep the snapshots short.
    let part = excerpt(QUESTION, &shop, 900, None);
    let linked = excerpt("name and country of customers", &shop, 300, None);
    let findings = inspect(WRONG, &shop.schema, dialect).findings;
    PromptContext {
        dialect: dialect.name(),
        rules: dialect_rules(dialect).to_owned(),
        conventions: "Where the question leaves it open: a share is a fraction.".into(),
        schema: schema_text(&shop, &part, values),
        linked: schema_text(&shop, &linked, Values::Withhold),
        evidence: evidence(QUESTION, &shop, &part, values),
        today: "2025-01-31".into(),
        question: QUESTION.into(),
        hint: Some("garden tools are a category".into()),
        knowledge: vec!["Cancelled orders do not count.".into()],
        examples: vec![Example {
            question: "How many stores are there?".into(),
            sql: "SELECT COUNT(*) FROM stores".into(),
        }],
        subproblems: r#"[{"clause":"SELECT","expression":"customers"}]"#.into(),
        plan: "1. Read customers.\n2. Keep those of Finland.".into(),
        sql: WRONG.into(),
        error: "no such column: customers.nation".into(),
        findings: findings.iter().map(FindingNote::of).collect(),
        taxonomy: TaxonomyEntry::all(),
        previous: vec![Attempt {
            sql: "SELECT name FROM people".into(),
            problem: "there is no table people".into(),
        }],
        terse: false,
        correction: "1. Filter on customers.country.".into(),
    }
}

/// Shows an agent's prompt as it is sent.
fn check(agent: Agent, dialect: Dialect, values: Values) {
    let mut context = context(dialect, values);
    if agent == Agent::Plain {
        context.schema = plain_schema(&shop(dialect));
    }
    let prompts = Prompts::default();
    let prompt = prompts.render(agent, &context).unwrap();
    assert_eq!(prompt, prompts.render(agent, &context).unwrap());
    let shown = format!("=== system\n{}\n=== user\n{}\n", prompt.system, prompt.user);
    let withheld = if values == Values::Withhold {
        "_without_values"
    } else {
        ""
    };
    insta::assert_snapshot!(
        format!("{}_{}{withheld}", agent.name(), dialect.name().to_lowercase()),
        shown
    );
}

#[test]
fn every_agent_is_told_what_it_needs() {
    for agent in Agent::ALL.iter().copied() {
        check(agent, Dialect::Sqlite, Values::Send);
        check(agent, Dialect::Postgres, Values::Withhold);
    }
}

#[test]
fn a_question_changes_nothing_in_the_system_part() {
    let prompts = Prompts::default();
    let one = context(Dialect::Sqlite, Values::Send);
    let other = PromptContext {
        question: "How many orders are there?".into(),
        evidence: vec![],
        linked: String::new(),
        hint: None,
        plan: String::new(),
        ..one.clone()
    };
    let mut systems = Vec::new();
    for agent in Agent::ALL.iter().copied() {
        let (one, other) = (
            prompts.render(agent, &one).unwrap(),
            prompts.render(agent, &other).unwrap(),
        );
        assert_eq!(one.system, other.system, "{agent:?}");
        assert!(other.user.contains("How many orders are there?"), "{agent:?}");
        systems.push(one.system);
    }
    // What is told of the database comes first and is the same for all agents but the baseline.
    let common = systems[1].find("\nUse only tables").unwrap();
    for system in &systems[2..] {
        assert!(system.starts_with(&systems[1][..common]), "{system}");
    }
}

#[test]
fn empty_fields_leave_no_trace() {
    let context = PromptContext {
        question: "How many?".into(),
        ..PromptContext::default()
    };
    let prompts = Prompts::default();
    for agent in Agent::ALL.iter().copied().filter(|agent| *agent != Agent::Plain) {
        let user = prompts.render(agent, &context).unwrap().user;
        if agent == Agent::Single {
            // The form of the answer comes last.
            assert!(user.starts_with("Question: How many?\n\nAnswer with"), "{user}");
        } else {
            assert_eq!(user, "Question: How many?", "{agent:?}");
        }
    }
}

#[test]
fn the_one_call_is_short() {
    for dialect in [Dialect::Sqlite, Dialect::Postgres] {
        let context = PromptContext {
            dialect: dialect.name(),
            rules: dialect_rules(dialect).to_owned(),
            conventions: "Where the question leaves it open: a share is a fraction.".into(),
            ..PromptContext::default()
        };
        let system = Prompts::default().render(Agent::Single, &context).unwrap().system;
        let tokens = estimate_tokens(&system);
        // The estimate is from above: Qwen2.5 counts fewer than 190.
        assert!(tokens < 290, "{tokens}");
    }
}
