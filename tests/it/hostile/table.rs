//! What passes a layer, counted by group, and written down for docs/safety-layers.md.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

/// What became of the texts of one group behind one layer.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub(super) texts: usize,
    /// Those that ran without an error.
    pub(super) passed: usize,
    /// What was seen of them afterwards.
    pub(super) effects: Vec<&'static str>,
}

/// Layers by groups.
#[derive(Debug, Default)]
pub(super) struct Table {
    layers: Vec<&'static str>,
    groups: Vec<&'static str>,
    cells: BTreeMap<(&'static str, &'static str), Cell>,
}

impl Table {
    pub(super) fn cell(&mut self, group: &'static str, layer: &'static str) -> &mut Cell {
        if !self.layers.contains(&layer) {
            self.layers.push(layer);
        }
        if !self.groups.contains(&group) {
            self.groups.push(group);
        }
        self.cells.entry((group, layer)).or_default()
    }

    /// All that a layer let pass.
    pub(super) fn passed(&self, layer: &str) -> usize {
        let cells = self.cells.iter().filter(|((_, of), _)| *of == layer);
        cells.map(|(_, cell)| cell.passed).sum()
    }

    /// Everything that was seen behind a layer.
    pub(super) fn effects(&self, layer: &str) -> Vec<&'static str> {
        let cells = self.cells.iter().filter(|((_, of), _)| *of == layer);
        let mut effects: Vec<_> = cells.flat_map(|(_, cell)| cell.effects.clone()).collect();
        effects.sort_unstable();
        effects.dedup();
        effects
    }

    /// Writes it as Markdown to `target/safety-layers/`.
    pub(super) fn write(&self, name: &str) {
        let mut text = format!("| group | texts | {} |\n| --- | --: |", self.layers.join(" | "));
        text += &" --- |".repeat(self.layers.len());
        text.push('\n');
        for group in &self.groups {
            let texts = self
                .layers
                .iter()
                .filter_map(|layer| self.cells.get(&(*group, *layer)));
            let texts = texts.map(|cell| cell.texts).max().unwrap_or_default();
            write!(text, "| {group} | {texts} |").unwrap();
            for layer in &self.layers {
                let cell = self.cells.get(&(*group, *layer)).cloned().unwrap_or_default();
                let mut effects = cell.effects.clone();
                effects.sort_unstable();
                effects.dedup();
                let told = if effects.is_empty() {
                    String::new()
                } else {
                    format!(": {}", effects.join(", "))
                };
                write!(text, " {}{told} |", cell.passed).unwrap();
            }
            text.push('\n');
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/safety-layers");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
}
