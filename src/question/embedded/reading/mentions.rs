//! The items of a question put together: what each mention is compared with, counted by, ranked by.

use std::ops::Range;

use super::{
    super::question::Token,
    cues::{Cue, Gathering, is_past},
    ends::End,
    implied::size_units,
    items::{Item, Meaning, PartKind, Sense},
    joined::is_unit,
    lacked,
    periods::Temporal,
    question::{Around, Gather, Mention, Number, Question},
    shaping::says_state,
    sizes::size,
};
use crate::question::semantic::{Comparison, Grain, SemanticModel};

/// Puts together what belongs together.
pub(super) fn question(items: &[Item], tokens: &[Token], model: &SemanticModel) -> Question {
    Reader {
        items,
        tokens,
        model,
        found: Question {
            denies: denies(tokens),
            ..Question::default()
        },
        pending: Pending::default(),
    }
    .read()
}

/// True for a question that denies something in as many words, without a word that it is still to come.
fn denies(tokens: &[Token]) -> bool {
    let says = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word.as_str()));
    let awaits = [
        "yet",
        "still",
        "open",
        "waiting",
        "awaiting",
        "outstanding",
        "pending",
        "overdue",
        "due",
        "late",
        "must",
        "need",
    ];
    says(&["not", "no", "never"]) && !says(&awaits)
}

/// True for a word that denies what it stands before.
pub(super) fn is_denial(word: &str) -> bool {
    matches!(word, "not" | "no" | "non" | "never" | "without")
}

/// True for a verb that tells what was done or is.
fn is_deed(word: &str) -> bool {
    is_past(word) || word.len() > 5 && word.ends_with("ing")
}

/// True for a word that is most likely a table's.
fn names_table(senses: &[Sense]) -> bool {
    matches!(
        senses.first().map(|sense| &sense.meaning),
        Some(Meaning::Dataset(_))
    )
}

/// True for what rows of the table that is most likely named here may be: `active` of contracts.
fn is_state_of(mention: &Mention, senses: &[Sense], model: &SemanticModel) -> bool {
    let Some(Meaning::Dataset(table)) = senses.first().map(|sense| &sense.meaning) else {
        return false;
    };
    mention.senses.iter().any(|sense| match &sense.meaning {
        Meaning::Value(at, _) => at.table == *table,
        Meaning::Filter(filter) => model.filters[*filter].dataset == *table,
        _ => false,
    })
}

#[derive(Default)]
pub(super) struct Pending {
    pub(super) gathering: Option<Gather>,
    pub(super) counted: bool,
    pub(super) negated: bool,
    /// By a word such as `never`.
    pub(super) never: bool,
    pub(super) most: bool,
    pub(super) compared: Option<Comparison>,
    pub(super) further: Vec<Gather>,
    pub(super) count_beside: bool,
    pub(super) unit: Option<(Grain, usize)>,
    pub(super) alternative: bool,
    pub(super) matching: Option<&'static str>,
    pub(super) under: bool,
    pub(super) number: Option<(Number, usize)>,
    /// The other end of what it is compared with: `more than 5 and less than 9 orders`.
    pub(super) until: Option<(Comparison, Number)>,
    pub(super) before: Option<Around>,
    /// What follows is denied besides, and whether it is by a word such as `without`: `no unpaid bills`.
    pub(super) denied: Option<bool>,
}

pub(super) struct Reader<'a> {
    pub(super) items: &'a [Item],
    pub(super) tokens: &'a [Token],
    pub(super) model: &'a SemanticModel,
    pub(super) found: Question,
    pub(super) pending: Pending,
}

impl Reader<'_> {
    fn read(mut self) -> Question {
        for at in 0..self.items.len() {
            let item = &self.items[at];
            match &item.kind {
                PartKind::Cue(_) if self.is_particle(at) => {}
                PartKind::Unknown | PartKind::Name(_) if self.takes_in_unit(at) => {}
                PartKind::Cue(cue) => self.cue(*cue, at),
                PartKind::Name(senses) => self.name(senses.clone(), at),
                PartKind::NotSo(senses) => self.not_so(senses.clone(), at),
                PartKind::Against(senses, comparison) => {
                    self.name(senses.clone(), at);
                    if let Some(last) = self.found.mentions.last_mut() {
                        last.compared = Some((*comparison, Number::Named));
                    }
                }
                PartKind::Compared(senses, comparison) => {
                    self.name(senses.clone(), at);
                    self.pending.compared = Some(*comparison);
                }
                PartKind::Time(temporal) => self.time(*temporal, at),
                PartKind::Number(number) => self.number(Number::Written(number.clone()), at),
                PartKind::Parameter(number) => self.number(Number::Parameter(*number), at),
                PartKind::Quoted(text) => self.quoted(text.clone()),
                PartKind::Unknown if self.pending.matching.is_some() => {
                    let text = self.tokens[item.span.start].text.clone();
                    if !matches!(
                        text.as_str(),
                        "letter" | "word" | "substring" | "string" | "prefix"
                    ) {
                        self.quoted(text);
                    }
                }
                PartKind::Unknown if self.takes_in_kind(at) => {}
                PartKind::Unknown => {
                    if !(is_unit(&self.tokens[item.span.start].word) && self.follows_number(at)) {
                        self.found.unknown.push(item.span.start);
                        // A name that is stored nowhere would be a condition.
                        let token = &self.tokens[item.span.start];
                        self.found.unknown_names += usize::from(token.capital && item.span.start > 0);
                        // What belongs to something that is not there.
                        self.found.unheard += usize::from(token.qualifies || self.is_asked_for(at));
                    }
                    self.pending.before = Some(self.pending.before.unwrap_or(Around::Other));
                }
            }
        }
        self.settle();
        self.found
    }

    /// True for the `after` of those who look after something.
    fn is_particle(&self, at: usize) -> bool {
        let start = self.items[at].span.start;
        let looks = |token: &Token| matches!(token.word.as_str(), "look" | "looks" | "looked" | "looking");
        self.tokens[start].word == "after" && start > 0 && looks(&self.tokens[start - 1])
    }

    /// Takes in a unit that a figure is told in: `total weight in kilos`.
    fn takes_in_unit(&mut self, at: usize) -> bool {
        let start = self.items[at].span.start;
        let led = start > 0 && self.tokens[start - 1].word == "in" && {
            let last = self.found.mentions.last();
            last.is_some_and(|last| last.end == start - 1)
        };
        let unit = size(&self.tokens[start].word).filter(|_| led);
        self.found.told_in = unit.or(self.found.told_in);
        unit.is_some() || self.takes_in_hours(start, led)
    }

    /// Takes in the hours that minutes are told in: `downtime hours`, `total downtime in hours`.
    fn takes_in_hours(&mut self, start: usize, led: bool) -> bool {
        let model = self.model;
        let in_minutes = |sense: &Sense| match sense.meaning {
            Meaning::Field(at) => matches!(
                model.field(at).unit.as_deref(),
                Some("min" | "minut" | "sec" | "second")
            ),
            _ => false,
        };
        let hours = self.tokens[start].word == "hours";
        let last = self.found.mentions.last_mut();
        let last =
            last.filter(|last| last.end == start - usize::from(led) && last.senses.iter().any(in_minutes));
        if let Some(last) = last.filter(|_| hours) {
            last.unit = Some(Grain::Hour);
            return true;
        }
        false
    }

    fn phrase(&self, span: &Range<usize>) -> String {
        let words: Vec<&str> = self.tokens[span.clone()]
            .iter()
            .map(|token| token.word.as_str())
            .collect();
        words.join(" ")
    }

    /// A text that something is, or has in it.
    fn quoted(&mut self, text: String) {
        let number = match self.pending.matching.take() {
            Some(pattern) => Number::Like(pattern.replace('_', &text)),
            None => Number::Text(text),
        };
        let equals = [Comparison::Equal, Comparison::NotEqual];
        let comparison = equals[usize::from(std::mem::take(&mut self.pending.negated))];
        let last = self.found.mentions.last_mut();
        match last.filter(|last| last.compared.is_none()) {
            Some(last) => last.compared = Some((comparison, number)),
            None => self.found.unheard += 1,
        }
    }

    pub(super) fn name(&mut self, senses: Vec<Sense>, at: usize) {
        let item = &self.items[at];
        if self.takes_in_name(&senses, at) {
            return;
        }
        let senses = self.whom_it_has(senses, item.span.start);
        self.said_of_next(&senses, item.span.start);
        // `the total of all sales` adds them up, though a column is called so.
        let next = self.items.get(at + 1).map(|item| &item.kind);
        if self.tokens[item.span.start].word == "total"
            && item.span.len() == 1
            && matches!(next, Some(PartKind::Cue(Cue::Of)))
        {
            let sum = Gather::Of(Gathering::Sum);
            self.pending.gathering = self.pending.gathering.or(Some(sum));
        }
        let mut compared = None;
        let mut numbered_before = false;
        if let Some((number, number_at)) = self.pending.number.take() {
            if self.items[number_at].span.end == item.span.start {
                let comparison = self.pending.compared.take().unwrap_or(Comparison::Equal);
                compared = Some((comparison, number));
                numbered_before = true;
            } else {
                self.pending.number = Some((number, number_at));
                self.settle_number();
            }
        }
        // `paid more than 30 days late`: the days are those by which it was.
        let mut compared_in = None;
        let names_filter = senses
            .iter()
            .any(|sense| matches!(sense.meaning, Meaning::Filter(_)));
        if names_filter
            && compared.is_none()
            && at > 1
            && matches!(self.items[at - 1].kind, PartKind::Time(Temporal::Length(_)))
            && self.follows_number(at - 1)
            && self.items[at - 1].span.end == item.span.start
            && let Some(last) = self
                .found
                .mentions
                .last_mut()
                .filter(|last| last.compared_in.is_some())
        {
            (compared, compared_in) = (last.compared.take(), last.compared_in.take());
        }
        let adjacent = self
            .found
            .mentions
            .last()
            .is_some_and(|last| last.end == item.span.start);
        let before = match self.pending.before.take() {
            Some(cue) => cue,
            None if self.found.mentions.is_empty() => Around::Edge,
            None if adjacent => Around::Adjacent,
            None => Around::Other,
        };
        // `not solved or closed`: neither of them.
        let goes_on = before == Around::And || before == Around::Comma && self.ends_with_or(at);
        // `not late and unpaid`: what is said in a word of its own is said for itself.
        let goes_on = goes_on && !matches!(item.kind, PartKind::NotSo(_)) && !self.denies_itself(at);
        let mut neither = false;
        if goes_on
            && self
                .found
                .mentions
                .last()
                .is_some_and(|last| self.denies_on(last, item.span.start))
        {
            // Without a phone or an email: without either of them.
            neither = std::mem::take(&mut self.pending.alternative);
            self.pending.negated = true;
        }
        // `never opened a ticket`: what did not happen is told by the noun behind the verb.
        if before == Around::Other
            && let Some(last) = self.found.mentions.last_mut()
            && last.negated
            && last.end + 1 == item.span.start
            && is_past(&self.tokens[last.end - 1].word)
            && (!last.not_so || last.twice)
        {
            // `never failed an inspection`: there is none that was not passed.
            (last.negated, last.twice) = (last.not_so, false);
            self.pending.negated = true;
            self.pending.never = std::mem::take(&mut last.never);
        }
        // `without an active contract`: there is none that is so.
        if adjacent
            && let Some(last) = self.found.mentions.last_mut()
            && last.never
            && last.negated
            && is_state_of(last, &senses, self.model)
        {
            (last.negated, last.never) = (false, false);
            (self.pending.negated, self.pending.never) = (true, true);
        }
        // `no unpaid bills`: there is none that is so.
        let denied = self
            .pending
            .denied
            .take()
            .filter(|_| adjacent && names_table(&senses));
        if let Some(never) = denied {
            (self.pending.negated, self.pending.never) = (true, never);
        }
        // `average parcel weight`: what is said of the first word is said of the last.
        if adjacent && let Some(last) = self.found.mentions.last() {
            self.pending.gathering = self.pending.gathering.or(last.gathering);
            self.pending.counted |= last.counted;
            self.pending.most |= last.most;
            // `excluding cancelled orders`: not all orders.
            let of_state = !last.never && says_state(&last.senses) && names_table(&senses);
            self.pending.negated |= last.negated && !of_state && denied.is_none();
            compared = compared.or_else(|| last.compared.clone());
        }
        // `stock below the reorder level`: two things that are named are compared.
        let counted = self
            .found
            .mentions
            .last()
            .is_some_and(|last| names_table(&last.senses));
        let comparable = |sense: &Sense| match sense.meaning {
            Meaning::Field(_) => sense.score >= 0.6,
            // `more returns than reviews`
            Meaning::Dataset(_) => counted && sense.score >= 0.6,
            _ => false,
        };
        let against = if compared.is_none()
            && !self.found.mentions.is_empty()
            && senses.iter().any(comparable)
            && !self.goes_on_with_number(at)
        {
            self.pending.compared.take()
        } else {
            None
        };
        if against.is_some()
            && let Some(last) = self.found.mentions.last_mut()
        {
            last.against_next = true;
        }
        self.found.both |= before == Around::And && self.names_one_and_one(&senses, item.span.start);
        self.found.mentions.push(Mention {
            against,
            against_next: false,
            at: item.span.start,
            end: item.span.end,
            senses,
            before,
            after: Around::Edge,
            gathering: self.pending.gathering.take(),
            compared,
            numbered_before,
            negated: std::mem::take(&mut self.pending.negated),
            never: std::mem::take(&mut self.pending.never),
            counted: std::mem::take(&mut self.pending.counted),
            most: std::mem::take(&mut self.pending.most),
            owns_next: false,
            of_size: size_units(&self.phrase(&item.span)).is_some(),
            near_period: false,
            says_date: self.tokens[item.span.clone()].iter().any(|token| {
                matches!(
                    token.word.as_str(),
                    "date" | "dates" | "time" | "times" | "day" | "when"
                )
            }),
            says_key: self.tokens[item.span.clone()].iter().any(|token| {
                matches!(
                    token.word.as_str(),
                    "id" | "ids" | "key" | "keys" | "number" | "numbers" | "no" | "code" | "codes"
                )
            }),
            says_no: self.tokens[item.span.clone()]
                .iter()
                .any(|token| is_denial(&token.word) || token.word == "out"),
            numbered: None,
            further: std::mem::take(&mut self.pending.further),
            count_beside: std::mem::take(&mut self.pending.count_beside),
            unit: self
                .pending
                .unit
                .take()
                .filter(|(_, end)| *end == item.span.start)
                .map(|(unit, _)| unit)
                .or_else(|| self.named_length(&item.span)),
            compared_in,
            until: numbered_before.then(|| self.pending.until.take()).flatten(),
            alternative: std::mem::take(&mut self.pending.alternative),
            neither,
            end_of_way: End::said(self.tokens, item.span.start),
            lacked: lacked::of_previous(&self.found.mentions, self.tokens, item.span.start),
            not_so: false,
            twice: false,
            after_share: self.found.share.is_some(),
            listed: false,
            by_each: before == Around::By && self.is_by_each(&item.span)
                || before == Around::And && self.goes_on_by_each(&item.span),
            present: false,
            deed: is_deed(&self.tokens[item.span.end - 1].word),
            under: std::mem::take(&mut self.pending.under)
                || adjacent && self.found.mentions.last().is_some_and(|last| last.under),
        });
    }

    /// `with a dog and a cat`: true where one of two kinds stands beside one of the other, which no row is both of.
    fn names_one_and_one(&self, senses: &[Sense], start: usize) -> bool {
        let one = |at: usize| {
            let before = at.checked_sub(1).map(|before| self.tokens[before].word.as_str());
            matches!(before, Some("a" | "an"))
        };
        let column = |sense: &Sense| match &sense.meaning {
            Meaning::Value(at, _) => Some(*at),
            _ => None,
        };
        let last = self.found.mentions.last();
        last.is_some_and(|last| {
            let kinds: Vec<_> = last.senses.iter().filter_map(column).collect();
            let same = senses.iter().filter_map(column).any(|at| kinds.contains(&at));
            same && !last.negated && last.end + 2 == start && one(last.at) && one(start)
        })
    }

    /// `without milk, egg or nuts`: true where an `or` follows behind one name or two.
    fn ends_with_or(&self, at: usize) -> bool {
        let mut behind = self.items[at + 1..].iter().take(3);
        let list =
            |item: &&Item| matches!(item.kind, PartKind::Name(_) | PartKind::Cue(Cue::Comma | Cue::Or));
        behind.all(|item| list(&item))
            && self.items[at + 1..]
                .iter()
                .take(3)
                .any(|item| matches!(item.kind, PartKind::Cue(Cue::Or)))
    }

    /// True for a number of what was counted before: `more than 8 of them`.
    pub(super) fn of_them(&self, at: usize) -> bool {
        let end = self.items[at].span.end;
        let word = |at: usize| self.tokens.get(at).map(|token| token.word.as_str());
        word(end) == Some("of") && matches!(word(end + 1), Some("them" | "those" | "these"))
    }

    /// `per city, only cities with more than 8 of them`: the groups are named once more.
    pub(super) fn forget_repeated(&mut self) {
        if let Some((last, before)) = self.found.mentions.split_last() {
            let stem = |mention: &Mention| &self.tokens[mention.end - 1].stem;
            if before.iter().any(|mention| stem(mention) == stem(last)) {
                self.found.mentions.pop();
                self.found.only = None;
            }
        }
    }

    /// True where a number follows at once.
    fn goes_on_with_number(&self, at: usize) -> bool {
        matches!(
            self.items.get(at + 1).map(|item| &item.kind),
            Some(PartKind::Number(_) | PartKind::Parameter(_))
        )
    }
}
