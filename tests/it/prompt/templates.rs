//! The templates: every agent's prompt, and templates of one's own.

use std::fs;

use querent::question::prompt::{Agent, PromptContext, Prompts};

/// What a folder with one template gives: an agent's user text, or the error.
fn check(file: &str, text: &str, agent: Agent, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    let context = PromptContext {
        question: "How many?".into(),
        ..PromptContext::default()
    };
    let told = match Prompts::new(Some(folder.path())) {
        Ok(prompts) => prompts.render(agent, &context).unwrap().user,
        Err(error) => error.to_string(),
    };
    let path = format!("{}/", folder.path().display());
    assert_eq!(told.replace(&path, ""), expected, "{text}");
}

#[test]
fn built_in_templates_can_be_filled_in() {
    let prompts = Prompts::default();
    for agent in Agent::ALL.iter().copied() {
        let prompt = prompts.render(agent, &PromptContext::default()).unwrap();
        assert!(
            prompt.user.contains("Question:") || agent == Agent::Plain,
            "{agent:?}: {}",
            prompt.user
        );
    }
}

#[test]
fn templates_of_a_folder_come_first() {
    let own = "{% block system %}{% endblock %}{% block user %}Own: {{ question }}{% endblock %}";
    check("sql.md", own, Agent::Sql, "Own: How many?");
    check("sql.md", own, Agent::CorrectionSql, "Question: How many?");
    check(
        "context.md",
        "Take care.",
        Agent::Sql,
        "Take care.\nQuestion: How many?",
    );
    check("README.md", "{{ nothing", Agent::Sql, "Question: How many?");
    check("notes.txt", "{{ nothing", Agent::Sql, "Question: How many?");
}

#[test]
fn a_broken_template_is_told_at_the_start() {
    let block = |user: &str| {
        format!("{{% block system %}}{{% endblock %}}\n{{% block user %}}\n{user}\n{{% endblock %}}")
    };
    let lists = "conventions, correction, dialect, error, evidence, examples, findings, hint, knowledge, linked, plan, previous, \
                 question, rules, schema, sql, subproblems, taxonomy, terse, today";
    check(
        "sql.md",
        &block("{{ querstion }}"),
        Agent::Sql,
        &format!("sql.md:3: nothing is called querstion; there is {lists}"),
    );
    check(
        "sql.md",
        &block("{% if plan %}"),
        Agent::Sql,
        "sql.md:4: syntax error: unknown statement endblock",
    );
    check(
        "sql.md",
        "{% block user %}{% endblock %}",
        Agent::Sql,
        "sql.md:1: block 'system' not found: a template has the blocks system and user",
    );
    check(
        "sql.md",
        &block("{{ question | loud }}"),
        Agent::Sql,
        "sql.md:3: unknown filter: filter loud is unknown",
    );
    check(
        "sql.md",
        &block("{{ findings[7].code.x }}"),
        Agent::Sql,
        "sql.md:3: undefined value: `findings[7]` is undefined",
    );
    check(
        "sql.md",
        &block("{% include 'secret' %}"),
        Agent::Sql,
        "sql.md:3: template not found: tried to include non-existing template 'secret'",
    );
    check(
        "context.md",
        "{{ question\n",
        Agent::Sql,
        "context.md:1: syntax error: unexpected end of input, expected end of variable block",
    );
}

#[test]
fn a_file_that_no_agent_reads_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("linking.md"), "x").unwrap();
    let error = Prompts::new(Some(folder.path())).unwrap_err().to_string();
    assert!(
        error.contains("linking.md: there is no agent of this name; templates are database.md, "),
        "{error}"
    );
    let missing = Prompts::new(Some(&folder.path().join("none")))
        .unwrap_err()
        .to_string();
    assert!(
        missing.contains("cannot read ") && missing.contains("none"),
        "{missing}"
    );
}
