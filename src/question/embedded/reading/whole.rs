//! What is true of a whole reading, beside the parts that its words play.

use super::{
    build::{Built, RankedBy},
    coverage::Coverage,
    defined::defined_ignored,
    idle::{gathers, shown_unused},
    items::Meaning,
    persons::is_person,
    question::{Around, Gather, Mention, Question},
    roles::{Cast, Role, Sort, sort},
    states::unheard,
    values::value_though_named,
    weights::{Sign, Signs, Whole, add},
};
use crate::question::{
    analytic::{AnalyticQuery, List, Shown, Summary},
    schema::{ColumnRef, Schema, Snapshot},
    semantic::{Aggregate, Comparison, Condition, FieldRole, Formula, Scalar, SemanticModel},
};

/// Words of a query that are a sign of one.
const WORDS: f32 = 10.0;

/// Adds what is true of the whole.
pub(super) fn signs(
    signs: &mut Signs,
    (question, cast): (&Question, &Cast),
    built: &Built,
    (snapshot, model): (&Snapshot, &SemanticModel),
) {
    let mut say = |whole: Whole, much: f32| {
        if much != 0.0 {
            add(signs, Sign::Whole(whole), much);
        }
    };
    let truth = |holds: bool| f32::from(u8::from(holds));
    say(Whole::Distance, built.distance);
    say(Whole::Guesses, built.guesses);
    say(Whole::Unknown, question.unknown.len() as f32);
    say(Whole::UnknownName, question.unknown_names as f32);
    say(Whole::UnknownBefore, unknown_before(question, cast));
    say(Whole::Forms, forms(question));
    say(Whole::Unheard, unheard(question, cast, &built.query));
    let worst = question.mentions.iter().zip(&cast.parts);
    let worst = worst
        .filter(|(_, (role, _))| *role != Role::Ignored)
        .map(|(mention, (_, sense))| mention.senses[*sense].score)
        .fold(1.0, f32::min);
    say(Whole::Worst, 1.0 - worst);
    say(Whole::FarAway, (built.distance - 2.0).max(0.0));
    say(Whole::OfUnnamed, of_unnamed(question, cast, model));
    say(Whole::NameApart, name_apart(question, cast, model));
    let ignored = cast
        .parts
        .iter()
        .filter(|(role, _)| *role == Role::Ignored)
        .count();
    say(Whole::Ignored, ignored as f32);
    say(Whole::DefinedIgnored, defined_ignored(question, cast, model));
    say(Whole::ValueThoughNamed, value_though_named(question, cast, model));
    unused(&mut say, (question, cast), &built.query);
    times(&mut say, (question, cast), model);
    say(Whole::OfValue, truth(built.of_value));
    say(Whole::OfTotals, truth(built.of_totals));
    say(Whole::OfSide, truth(built.of_side));
    say(Whole::LeavesOutCancelled, truth(built.assumed.leaves_out));
    say(Whole::Happened, truth(built.assumed.happened));
    say(Whole::ValidNow, truth(built.assumed.current));
    let one = question.rank.is_some_and(|rank| rank.limit == Some(1));
    say(Whole::FigureShown, truth(built.assumed.figure));
    say(Whole::FigureOfOne, truth(built.assumed.figure && one));
    let groups = cast.parts.iter().any(|(role, _)| *role == Role::Group);
    say(Whole::CountShown, truth(built.assumed.counted));
    count_listed(&mut say, question, cast);
    say(Whole::ByNotGroup, by_unused(question, cast));
    say(Whole::PeriodsApart, truth(built.assumed.apart));
    say(Whole::PeriodsApartByGroup, truth(built.assumed.apart && groups));
    if let Some(by) = built.ranks {
        say(ranked(question, by), 1.0);
    }
    let head = cast.parts.iter().any(|(role, _)| *role == Role::Head);
    say(Whole::HeadMissing, truth(!head));
    let gathered = question
        .mentions
        .iter()
        .any(|mention| mention.gathering.is_some());
    let asks_for_figures =
        question.how_many || question.how_much || gathered || question.share.is_some() || question.versus;
    match &built.query {
        AnalyticQuery::List(list) => {
            say(Whole::List, 1.0);
            say(Whole::FiguresUnused, question.figures.len() as f32);
            say(
                Whole::ListThoughCounted,
                truth(question.how_many && !question.counts_again),
            );
            say(Whole::ListThoughHowMuch, truth(question.how_much));
            say(Whole::ListThoughGathered, truth(gathered && !question.distinct));
            say(Whole::ListThoughShare, truth(question.share.is_some()));
            say(
                Whole::ListThoughGrain,
                truth(question.grains.iter().any(|grain| grain.sure)),
            );
            let persons = is_person(&snapshot.schema, list.subject) || shows_persons(list, &snapshot.schema);
            say(Whole::WhoNotPerson, truth(question.who && !persons));
            self::list(&mut say, question, list);
        }
        AnalyticQuery::Summary(summary) => {
            say(Whole::Summary, 1.0);
            say(Whole::ShownUnused, shown_unused(question, cast, &built.query));
            let grouped = !summary.by.is_empty();
            say(
                Whole::SummaryWithoutCue,
                truth(
                    !asks_for_figures && question.rank.is_none() && !grouped && !names_figure(question, cast),
                ),
            );
            self::summary(&mut say, (question, cast), summary);
        }
    }
}

/// True where a figure is asked for by its name, such as revenue.
fn names_figure(question: &Question, cast: &Cast) -> bool {
    let parts = question.mentions.iter().zip(&cast.parts);
    let mut measures = parts.filter(|(_, (role, _))| *role == Role::Measure);
    measures.any(|(mention, (_, sense))| matches!(mention.senses[*sense].meaning, Meaning::Metric(_)))
}

/// Adds that the question may be divided in a likelier way.
pub(super) fn divided(signs: &mut Signs, behind: f32) {
    if behind > 0.0 {
        add(signs, Sign::Whole(Whole::Divided), 1.0);
        add(signs, Sign::Whole(Whole::DividedBehind), behind);
    }
}

/// Adds how far the words of a question and of its readings cover each other, and how far each reading is behind the best in that.
pub(super) fn covered(readings: &mut [(&mut Signs, Coverage)]) {
    let best = |of: fn(&Coverage) -> f32, readings: &[(&mut Signs, Coverage)]| {
        readings
            .iter()
            .map(|(_, coverage)| of(coverage))
            .fold(0.0, f32::max)
    };
    let question = best(|coverage| coverage.of_question, readings);
    let query = best(|coverage| coverage.of_query, readings);
    for (signs, coverage) in readings {
        for (whole, much) in [
            (Whole::QuestionCovered, coverage.of_question),
            (Whole::QuestionBehind, question - coverage.of_question),
            (Whole::QueryCovered, coverage.of_query),
            (Whole::QueryBehind, query - coverage.of_query),
            (Whole::QueryLength, coverage.length as f32 / WORDS),
        ] {
            add(signs, Sign::Whole(whole), much);
        }
    }
}

/// Adds that a question for things is answered with something else.
pub(super) fn lists_no_heads(signs: &mut Signs) {
    add(signs, Sign::Whole(Whole::HeadNotListed), 1.0);
}

/// Adds that a comparison of the question has no part in a reading.
pub(super) fn leaves_out_comparison(signs: &mut Signs) {
    add(signs, Sign::Whole(Whole::ComparisonMissing), 1.0);
}

/// What the question says of something, where its part gives no room for it.
fn unused(say: &mut impl FnMut(Whole, f32), (question, cast): (&Question, &Cast), query: &AnalyticQuery) {
    let mut count = |whole, of: &dyn Fn(&Mention) -> bool, roles: &[Role]| {
        let pairs = question.mentions.iter().zip(&cast.parts);
        let found = pairs.filter(|(mention, (role, _))| of(mention) && !roles.contains(role));
        say(whole, found.count() as f32);
    };
    let gathered = |mention: &Mention| {
        let of_values = matches!(mention.gathering, Some(Gather::Of(_) | Gather::Median));
        of_values && !gathers(question, query, mention.gathering)
    };
    count(
        Whole::GatherUnused,
        &gathered,
        &[Role::Measure, Role::RankBy, Role::Owner],
    );
    count(
        Whole::ComparedUnused,
        &|mention| mention.compared.is_some() || mention.numbered.is_some(),
        &[Role::Condition, Role::Related, Role::Measure, Role::Head],
    );
    // Of what is counted by groups nothing is compared but how long it took.
    let grouped = !question.grains.is_empty() || cast.parts.iter().any(|(role, _)| *role == Role::Group);
    count(
        Whole::ComparedUnused,
        &|mention| {
            let of_groups = grouped || mention.numbered_before;
            mention.counted && mention.compared.is_some() && mention.compared_in.is_none() && of_groups
        },
        &[Role::Condition, Role::Related, Role::Measure],
    );
    count(
        Whole::NegatedUnused,
        &|mention| mention.negated && !mention.never,
        &[Role::Condition, Role::Related],
    );
    count(
        Whole::CountedUnused,
        &|mention| mention.counted,
        &[Role::Head, Role::Measure, Role::RankBy],
    );
    count(
        Whole::EachNotGroup,
        &|mention| mention.before == Around::Each,
        &[Role::Group, Role::Owner],
    );
}

/// How many things stand behind `by` that nothing is grouped, measured or ordered by: `absences by school` are no list of absences.
fn by_unused(question: &Question, cast: &Cast) -> f32 {
    let parts = question.mentions.iter().zip(&cast.parts);
    let idle = parts.filter(|(mention, (role, sense))| {
        let value = matches!(
            mention.senses[*sense].meaning,
            Meaning::Value(..) | Meaning::Part(..)
        );
        mention.by_each
            && !value
            && matches!(
                role,
                Role::Ignored | Role::Shown | Role::Related | Role::Condition
            )
            && question.rank.is_none()
            && question.order.is_none()
    });
    idle.count() as f32
}

/// How much of an enumeration of what is to be shown is not shown.
fn count_listed(say: &mut impl FnMut(Whole, f32), question: &Question, cast: &Cast) {
    let parts = question.mentions.iter().zip(&cast.parts);
    let idle = parts.filter(|(mention, (role, _))| mention.listed && *role == Role::Ignored);
    say(Whole::ListedUnused, idle.count() as f32);
}

/// By what the first are taken to be the first, with how the question asks for them.
fn ranked(question: &Question, by: RankedBy) -> Whole {
    match (by, question.sells, question.best) {
        (RankedBy::Rows, true, _) => Whole::RowsOfSold,
        (RankedBy::Rows, _, true) => Whole::RowsOfBest,
        (RankedBy::Rows, ..) => Whole::RowsOfMost,
        (RankedBy::Money, true, _) => Whole::MoneyOfSold,
        (RankedBy::Money, _, true) => Whole::MoneyOfBest,
        (RankedBy::Money, ..) => Whole::MoneyOfMost,
        (RankedBy::Quantity, true, _) => Whole::QuantityOfSold,
        (RankedBy::Quantity, _, true) => Whole::QuantityOfBest,
        (RankedBy::Quantity, ..) => Whole::QuantityOfMost,
    }
}

/// How often words beside each other are taken for stored names of different things: a first name here, a last name there.
fn name_apart(question: &Question, cast: &Cast, model: &SemanticModel) -> f32 {
    let senses = question.mentions.iter().zip(&cast.parts);
    let values: Vec<Option<(&Mention, ColumnRef)>> = senses
        .map(|(mention, (_, sense))| match &mention.senses[*sense].meaning {
            Meaning::Value(at, _) if model.field(*at).role == FieldRole::Name => Some((mention, *at)),
            _ => None,
        })
        .collect();
    let apart = values.windows(2).filter(|pair| match pair {
        [Some((one, at)), Some((other, of))] => one.end == other.at && at.table != of.table,
        _ => false,
    });
    apart.count() as f32
}

/// How many words that nobody knows stand right before what has a part: `online orders` are some of the orders.
fn unknown_before(question: &Question, cast: &Cast) -> f32 {
    let parts = question.mentions.iter().zip(&cast.parts);
    let qualified = parts.filter(|(mention, (role, _))| {
        *role != Role::Ignored && question.unknown.iter().any(|at| at + 1 == mention.at)
    });
    qualified.count() as f32
}

/// True where persons are shown beside what is listed: the manager of an account.
fn shows_persons(list: &List, schema: &Schema) -> bool {
    list.shown.iter().any(|shown| match shown {
        Shown::Value(Scalar::Column(at)) if !at.way.hops.is_empty() => {
            is_person(schema, at.way.end(list.subject, schema))
        }
        _ => false,
    })
}

/// How many forms of answers are asked for that go beyond figures by groups: comparisons side by side, shares, changes.
fn forms(question: &Question) -> f32 {
    let forms = [
        question.versus,
        question.share.is_some(),
        question.growth,
        question.running,
        question.difference,
    ];
    forms.iter().filter(|asked| **asked).count() as f32
}

/// Times that are named for nothing, and periods that are said of another time than the one beside them.
fn times(say: &mut impl FnMut(Whole, f32), (question, cast): (&Question, &Cast), model: &SemanticModel) {
    let times = question.mentions.iter().zip(&cast.parts);
    let times: Vec<(&Mention, Role)> = times
        .filter(|(mention, (_, sense))| sort(&mention.senses[*sense], model) == Sort::Time)
        .map(|(mention, (role, _))| (mention, *role))
        .collect();
    let idle = times.iter().filter(|(mention, role)| {
        *role == Role::Condition
            && mention.compared.is_none()
            && !mention.negated
            && question.periods.is_empty()
            && question.grains.is_empty()
    });
    say(Whole::TimeUnused, idle.count() as f32);
    let elsewhere = times.iter().filter(|(mention, role)| {
        mention.near_period && !matches!(role, Role::Condition | Role::Measure | Role::Group | Role::RankBy)
    });
    say(Whole::PeriodElsewhere, elsewhere.count() as f32);
}

/// How many columns and values are of tables that the question does not name.
fn of_unnamed(question: &Question, cast: &Cast, model: &SemanticModel) -> f32 {
    let parts = question.mentions.iter().zip(&cast.parts);
    let meanings: Vec<&Meaning> = parts
        .filter(|(_, (role, _))| *role != Role::Ignored)
        .map(|(mention, (_, sense))| &mention.senses[*sense].meaning)
        .collect();
    let named = |table: usize| {
        meanings.iter().any(|meaning| match meaning {
            Meaning::Dataset(named) => *named == table,
            // Who is named by name needs no saying what it is.
            Meaning::Value(at, _) | Meaning::Part(at, _) => {
                at.table == table && model.field(*at).role == FieldRole::Name
            }
            _ => false,
        })
    };
    let of_others = meanings.iter().filter(|meaning| match meaning {
        Meaning::Field(at) | Meaning::Value(at, _) | Meaning::Part(at, _) => !named(at.table),
        _ => false,
    });
    of_others.count() as f32
}

fn list(say: &mut impl FnMut(Whole, f32), question: &Question, list: &List) {
    let truth = |holds: bool| f32::from(u8::from(holds));
    let shown = list.shown.len() - list.hidden.len();
    say(Whole::OneShown, truth(shown == 1));
    say(Whole::ManyShown, truth(shown > 2));
    say(
        Whole::RankUnused,
        truth(question.rank.is_some() && list.rank.by.is_empty()),
    );
    say(Whole::DistinctAsked, truth(list.distinct && question.distinct));
    say(Whole::DistinctUnasked, truth(list.distinct && !question.distinct));
    let figures = list
        .shown
        .iter()
        .filter(|shown| matches!(shown, Shown::Figure(_)))
        .count();
    say(Whole::HiddenFigure, figures as f32);
    conditions(say, &list.conditions);
}

fn summary(say: &mut impl FnMut(Whole, f32), (question, cast): (&Question, &Cast), summary: &Summary) {
    let truth = |holds: bool| f32::from(u8::from(holds));
    match summary.by.len() {
        0 => say(Whole::NoGroup, 1.0),
        1 => say(Whole::OneGroup, 1.0),
        2 => say(Whole::TwoGroups, 1.0),
        _ => say(Whole::ManyGroups, 1.0),
    }
    match summary.measures.len() {
        1 => say(Whole::OneMeasure, 1.0),
        2 => say(Whole::TwoMeasures, 1.0),
        _ => say(Whole::ManyMeasures, 1.0),
    }
    let aggregates: Vec<&Formula> = summary
        .measures
        .iter()
        .flat_map(|measure| measure.formula.aggregates())
        .collect();
    let mut tables: Vec<usize> = aggregates.iter().filter_map(|formula| formula.table()).collect();
    tables.sort_unstable();
    tables.dedup();
    say(Whole::SeveralTables, truth(tables.len() > 1));
    let counts = |formula: &Formula| {
        matches!(
            formula,
            Formula::Rows {
                aggregate: Aggregate::Count,
                ..
            }
        )
    };
    say(
        Whole::CountsUnasked,
        truth(summary.measures.iter().any(|measure| counts(&measure.formula)) && !question.how_many),
    );
    let ranks = question.rank.is_some();
    if let Some((at, _)) = summary.rank.by.first()
        && ranks
    {
        let by_count = at
            .checked_sub(summary.by.len())
            .and_then(|at| summary.measures.get(at))
            .is_some_and(|measure| counts(&measure.formula));
        say(Whole::RankedByCount, truth(by_count));
    }
    // The highest of all is no rank.
    let of_all = summary.by.is_empty()
        && aggregates.iter().any(|formula| {
            matches!(
                formula,
                Formula::Rows {
                    aggregate: Aggregate::Maximum(_) | Aggregate::Minimum(_),
                    ..
                }
            )
        });
    say(
        Whole::RankUnused,
        truth(ranks && !of_all && summary.rank.by.is_empty()),
    );
    say(
        Whole::RankWithoutGroup,
        truth(ranks && !of_all && summary.by.is_empty()),
    );
    say(
        Whole::LimitOneShown,
        truth(summary.rank.limit == Some(1) && summary.hidden.is_empty()),
    );
    let limit = summary.rank.limit;
    let each = question.mentions.iter().zip(&cast.parts);
    let each = each
        .filter(|(mention, (role, _))| mention.before == Around::Each && *role == Role::Group)
        .count();
    say(
        Whole::EachNotWithin,
        truth(limit.is_some() && each > 0 && summary.rank.within.is_empty()),
    );
    let hides = !summary.hidden.is_empty() && ranks;
    say(Whole::HiddenOfSeveral, truth(hides && limit != Some(1)));
    say(
        Whole::HiddenOfPeriods,
        truth(hides && !question.grains.is_empty()),
    );
    say(
        Whole::HowLongUnused,
        truth(question.how_long && !aggregates.iter().any(|formula| is_long(formula))),
    );
    say(Whole::Having, summary.having.len() as f32);
    if let Some(Formula::Rows {
        conditions: found, ..
    }) = aggregates.first()
    {
        conditions(say, found);
    }
}

/// True for what comes to a length of time.
fn is_long(formula: &Formula) -> bool {
    let Formula::Rows { aggregate, .. } = formula else {
        return false;
    };
    matches!(
        aggregate,
        Aggregate::Average(Scalar::Span(..) | Scalar::Column(_))
            | Aggregate::Median(Scalar::Span(..) | Scalar::Column(_))
            | Aggregate::Sum(_)
    )
}

fn conditions(say: &mut impl FnMut(Whole, f32), conditions: &[Condition]) {
    for condition in conditions {
        if let Condition::Related {
            how_many, conditions, ..
        } = condition
        {
            let none = matches!(how_many, (Comparison::Equal, 0));
            say(if none { Whole::RelatedNone } else { Whole::Related }, 1.0);
            say(Whole::FarCondition, conditions.len() as f32);
        }
    }
}
