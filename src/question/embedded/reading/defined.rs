//! What people have defined, and how its names are told from others that are alike.

use super::{
    super::likeness::Wording,
    items::{Linker, Meaning, Sense},
    names::better,
    question::Question,
    roles::{Cast, Role},
};
use crate::question::{
    schema::ColumnRef,
    semantic::{Provenance, SemanticModel},
};

/// True for what people have defined, named by its very name.
pub(super) fn is_defined(sense: &Sense, model: &SemanticModel) -> bool {
    let told = |source: &Provenance| matches!(source, Provenance::File(..));
    sense.score >= 0.99
        && match sense.meaning {
            Meaning::Metric(at) => told(&model.metrics[at].source),
            Meaning::Filter(at) => told(&model.filters[at].source),
            Meaning::Field(at) => model.computed(at).is_some(),
            _ => false,
        }
}

/// What people have defined under the very name means that, and no other figure that is called alike.
pub(super) fn only_defined(senses: &mut Vec<Sense>, model: &SemanticModel) {
    let is_measure = |at: ColumnRef| model.field(at).role.is_measure();
    let is_figure = |sense: &Sense| match sense.meaning {
        Meaning::Metric(_) => is_defined(sense, model),
        Meaning::Field(at) => is_measure(at) && is_defined(sense, model),
        _ => false,
    };
    let is_metric = |sense: &Sense| matches!(sense.meaning, Meaning::Metric(_)) && is_figure(sense);
    if senses.iter().any(is_metric) {
        senses.retain(|sense| match sense.meaning {
            Meaning::Metric(_) => is_metric(sense),
            Meaning::Field(at) => !is_measure(at),
            _ => true,
        });
    } else if senses.iter().any(is_figure) {
        senses.retain(|sense| match sense.meaning {
            Meaning::Metric(_) => is_figure(sense),
            Meaning::Field(at) => !is_measure(at) || is_figure(sense),
            _ => true,
        });
    }
    // A computed field may have the name of the column that it takes the place of.
    let computed: Vec<(usize, f32)> = senses
        .iter()
        .filter_map(|sense| match sense.meaning {
            Meaning::Field(at) if model.computed(at).is_some() => Some((at.table, sense.score)),
            _ => None,
        })
        .collect();
    senses.retain(|sense| match sense.meaning {
        Meaning::Field(at) if model.computed(at).is_none() => {
            let same = |(table, score): &(usize, f32)| *table == at.table && *score >= sense.score;
            sense.score < 0.99 || !computed.iter().any(same)
        }
        _ => true,
    });
}

impl Linker<'_> {
    /// What people have called just so, whatever words are in it: `spend per stay`.
    pub(super) fn called_just_so(&self, content: &[usize], senses: &mut Vec<Sense>) {
        for (meaning, name) in self.called.iter().filter(|(_, name)| name.len() == content.len()) {
            let score = self.is_called(name, content).unwrap_or_default();
            let sense = Sense {
                meaning: meaning.clone(),
                score,
            };
            if is_defined(&sense, self.model) {
                better(senses, meaning, score);
            }
        }
    }

    /// True for what people have given a name of one word, where a longer word of the question may be shortened to that.
    pub(super) fn is_short_of(&self, meaning: &Meaning, name: &[Wording], content: &[usize]) -> bool {
        let told = match meaning {
            Meaning::Metric(at) => &self.model.metrics[*at].source,
            Meaning::Filter(at) => &self.model.filters[*at].source,
            _ => return false,
        };
        let ([name], [word]) = (name, content) else {
            return false;
        };
        matches!(told, Provenance::File(..)) && name.text.len() < self.tokens[*word].word.len()
    }
}

/// How many names that people have defined play no part: who defined them means them.
pub(super) fn defined_ignored(question: &Question, cast: &Cast, model: &SemanticModel) -> f32 {
    let ignored = question.mentions.iter().zip(&cast.parts);
    let ignored = ignored.filter(|(mention, (role, _))| {
        *role == Role::Ignored && mention.senses.iter().any(|sense| is_defined(sense, model))
    });
    ignored.count() as f32
}
