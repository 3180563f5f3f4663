//! The OpenAPI document, held against the routes that there are.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

use super::served::Served;

/// Every route of the interface as the sources have it: the method and the path.
fn routes() -> BTreeSet<(String, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            for route in text.split(".route(\"/api/v1/").skip(1) {
                let (path, rest) = route.split_once('"').unwrap();
                let handlers = rest
                    .split(".route(")
                    .next()
                    .unwrap()
                    .split(".with_state")
                    .next()
                    .unwrap();
                for method in ["get", "post", "put", "delete"] {
                    if handlers.contains(&format!("{method}(")) {
                        found.insert((method.to_owned(), format!("/api/v1/{path}")));
                    }
                }
            }
        }
    }
    found
}

#[test]
fn the_document_has_every_route_and_no_other() {
    let served = Served::start("console_token = \"secret\"\n[audit]\nenabled = false\n");
    let reply = served.ask("/api/v1/openapi.json", &[("Authorization", "Bearer secret")]);
    assert_eq!(reply.code, 200, "{}", reply.body);
    let document: Value = serde_json::from_str(&reply.body).unwrap();
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            described.insert((method.clone(), path.clone()));
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            for name in path
                .split('{')
                .skip(1)
                .map(|part| part.split('}').next().unwrap())
            {
                let is_there = parameters.iter().any(|parameter| parameter["name"] == name);
                assert!(is_there, "{method} {path} does not describe {name}");
            }
        }
    }
    let routes = routes();
    assert!(routes.len() > 20, "{routes:?}");
    assert_eq!(routes, described);
    assert_eq!(served.get("/api/v1/openapi.json").code, 401);
}
