//! Rust as far as the rules need it: what a file names, by its syntax tree.

use std::sync::LazyLock;

use regex::Regex;
use syn::{
    ExprStruct, ItemMod, ItemUse, Macro, UseTree, VisRestricted,
    visit::{self, Visit},
};

/// A path that a file names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// Its words; those of our own crate begin below the root of the crate.
    pub(super) path: Vec<String>,
    /// Whether it is our own crate's.
    pub(super) own: bool,
    /// Whether it stands in tests beside the code.
    pub(super) in_tests: bool,
    /// Whether a value of it is put together here: `path { … }`.
    pub(super) built: bool,
}

/// All that a file names by a path. `module` is the file's own.
pub(super) fn named(text: &str, module: &[String]) -> Vec<Named> {
    let file = syn::parse_file(text).expect("the compiler has read it");
    let mut reader = Reader {
        module: module.to_vec(),
        in_tests: false,
        named: vec![],
    };
    reader.visit_file(&file);
    reader.named
}

struct Reader {
    module: Vec<String>,
    in_tests: bool,
    named: Vec<Named>,
}

impl Reader {
    fn note(&mut self, words: &[String], built: bool) {
        let mut from = match words[0].as_str() {
            "crate" | "querent" => Some(vec![]),
            "self" | "super" => Some(self.module.clone()),
            _ => None,
        };
        let own = from.is_some();
        let path = from.get_or_insert_default();
        for word in words {
            match word.as_str() {
                "super" => drop(path.pop()),
                "crate" | "querent" | "self" if own => {}
                word => path.push(word.to_owned()),
            }
        }
        self.named.push(Named {
            path: std::mem::take(path),
            own,
            in_tests: self.in_tests,
            built,
        });
    }

    fn note_tree(&mut self, tree: &UseTree, before: &[String]) {
        let with = |ident: &syn::Ident| [before, &[ident.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.note_tree(&path.tree, &with(&path.ident)),
            UseTree::Name(name) => self.note(&with(&name.ident), false),
            UseTree::Rename(name) => self.note(&with(&name.ident), false),
            UseTree::Glob(_) => self.note(before, false),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.note_tree(tree, before);
                }
            }
        }
    }
}

fn words(path: &syn::Path) -> Vec<String> {
    path.segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect()
}

impl<'f> Visit<'f> for Reader {
    fn visit_item_mod(&mut self, item: &'f ItemMod) {
        let in_tests = self.in_tests;
        self.in_tests |= item.ident == "tests";
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
        self.in_tests = in_tests;
    }

    fn visit_item_use(&mut self, item: &'f ItemUse) {
        self.note_tree(&item.tree, &[]);
    }

    /// Who may see something is no import of theirs.
    fn visit_vis_restricted(&mut self, _: &'f VisRestricted) {}

    fn visit_path(&mut self, path: &'f syn::Path) {
        if path.segments.len() > 1 {
            self.note(&words(path), false);
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_struct(&mut self, built: &'f ExprStruct) {
        self.note(&words(&built.path), true);
        visit::visit_expr_struct(self, built);
    }

    /// What a macro is given is no syntax yet: its paths are told by their colons.
    fn visit_macro(&mut self, given: &'f Macro) {
        static PATH: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r#""(?:\\.|[^"\\])*"|(?:\w+ *:: *)+\w+"#).unwrap());
        let tokens = given.tokens.to_string();
        for found in PATH
            .find_iter(&tokens)
            .filter(|found| !found.as_str().starts_with('"'))
        {
            let path: Vec<_> = found
                .as_str()
                .split("::")
                .map(|word| word.trim().to_owned())
                .collect();
            self.note(&path, false);
        }
        visit::visit_macro(self, given);
    }
}
