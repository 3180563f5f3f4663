//! The templates: every agent's prompt, and templates of one's own.

use std::fs;

use querent::prompt::{AGENTS, Brief, Prompts};

/// What a folder with one template gives: an agent's user text, or the error.
fn check(file: &str, text: &str, agent: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    let brief = Brief {
        question: "How many?".into(),
        ..Brief::default()
    };
    let told = match Prompts::new(Some(folder.path())) {
        Ok(prompts) => prompts.render(agent, &brief).unwrap().user,
        Err(error) => error.to_string(),
    };
    let path = format!("{}/", folder.path().display());
    assert_eq!(told.replace(&path, ""), expected, "{text}");
}

#[test]
fn built_in_templates_can_be_filled_in() {
    let prompts = Prompts::default();
    for agent in AGENTS {
        let prompt = prompts.render(agent, &Brief::default()).unwrap();
        assert!(
            prompt.user.ends_with("Question:") || *agent == "plain",
            "{agent}: {}",
            prompt.user
        );
    }
    assert!(prompts.render("context", &Brief::default()).is_err());
}

#[test]
fn templates_of_a_folder_come_first() {
    let own = "{% block system %}{% endblock %}{% block user %}Own: {{ question }}{% endblock %}";
    check("sql.md", own, "sql", "Own: How many?");
    check("sql.md", own, "correction_sql", "Question: How many?");
    check(
        "context.md",
        "Take care.",
        "sql",
        "Take care.\nQuestion: How many?",
    );
    check("README.md", "{{ nothing", "sql", "Question: How many?");
    check("notes.txt", "{{ nothing", "sql", "Question: How many?");
}
