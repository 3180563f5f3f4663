//! What is learned of authors, and from whom.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::question::ask::vote::{self, Ballot};

fn vote(author: &str, claimed: f64, share: f64, agrees: bool) -> Vote {
    Vote {
        author: author.into(),
        claimed,
        share,
        agrees,
    }
}

/// Somebody who may teach says of an answer that nobody has spoken of yet whether it is right.
fn teach(skills: &Skills, (database, question): (&str, &str), votes: &[Vote], right: bool) {
    static ANSWERS: AtomicU64 = AtomicU64::new(0);
    let sql = ANSWERS.fetch_add(1, Ordering::Relaxed).to_string();
    let judgement = Judgement {
        user: "tess",
        teaches: true,
        question,
        sql: &sql,
        right,
    };
    skills.judged(database, votes, judgement);
}

const COUNT: &str = "how many owls are there?";
const LIST: &str = "which owls are white?";

#[test]
fn what_people_say_of_answers_counts_more_and_more() {
    let skills = Skills::default();
    let skill = || skills.skill(("shop", COUNT), "ann", ("m", 0.8));
    assert!((skill() - 0.8).abs() < 1e-9);
    for _ in 0..10 {
        teach(&skills, ("shop", COUNT), &[vote("m", 0.8, 0.9, true)], false);
    }
    assert!((skill() - 0.4).abs() < 1e-9);
    teach(&skills, ("shop", COUNT), &[vote("m", 0.8, 0.9, true)], true);
    assert!(skill() > 0.4);
    // Of another database and another author that says nothing.
    assert!((skills.skill(("bank", COUNT), "ann", ("m", 0.8)) - 0.8).abs() < 1e-9);
    assert!((skills.skill(("shop", COUNT), "ann", ("n", 0.8)) - 0.8).abs() < 1e-9);
    // Of other kinds of questions it says something, which what is known of those themselves outweighs.
    assert!(skills.skill(("shop", LIST), "ann", ("m", 0.8)) < 0.5);
    for _ in 0..40 {
        teach(&skills, ("shop", LIST), &[vote("m", 0.8, 0.9, true)], true);
    }
    assert!(skills.skill(("shop", LIST), "ann", ("m", 0.8)) > 0.8);
    assert!(skill() < 0.6);
}

#[test]
fn who_came_to_other_rows_was_wrong_where_the_answer_is_right() {
    let skills = Skills::default();
    let votes = [vote("m", 0.8, 0.7, true), vote("n", 0.8, 0.2, false)];
    teach(&skills, ("shop", COUNT), &votes, false);
    assert!((skills.skill(("shop", COUNT), "ann", ("n", 0.8)) - 0.8).abs() < 1e-9);
    assert!(skills.skill(("shop", COUNT), "ann", ("m", 0.8)) < 0.8);
    teach(&skills, ("shop", COUNT), &votes, true);
    assert!(skills.skill(("shop", COUNT), "ann", ("n", 0.8)) < 0.8);
}

#[test]
fn unsure_answers_that_were_wrong_say_nothing_against_sure_ones() {
    let skills = Skills::default();
    for at in 0..30 {
        teach(
            &skills,
            ("shop", COUNT),
            &[vote("embedded", 0.3, 0.3, true)],
            at % 10 < 3,
        );
    }
    assert!((skills.skill(("shop", COUNT), "ann", ("embedded", 0.98)) - 0.98).abs() < 0.01);
}

/// Authors of these true skills, all thought to be right with 0.8, who were heard on so many questions.
fn heard(skilled: &[f64], questions: u64) -> Vec<f64> {
    let skills = Skills::default();
    let mut state = 7_u64;
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let names = ["a", "b", "c"];
    let skill = |name: &str| skills.skill(("shop", COUNT), "ann", (name, 0.8));
    for _ in 0..questions {
        // 0 is the right result, the others are wrong ones.
        let results: Vec<usize> = skilled
            .iter()
            .map(|right| {
                if draw() < *right {
                    0
                } else {
                    1 + (draw() * 4.0) as usize
                }
            })
            .collect();
        let mut clusters: Vec<usize> = Vec::new();
        for result in &results {
            if !clusters.contains(result) {
                clusters.push(*result);
            }
        }
        let cluster = |result: &usize| clusters.iter().position(|known| known == result).unwrap();
        let ballots: Vec<Ballot<'_>> = results
            .iter()
            .zip(names)
            .map(|(result, author)| Ballot {
                author,
                accuracy: skill(author),
                weight: 1.0,
                again: vote::SAME_AUTHOR,
                cluster: cluster(result),
            })
            .collect();
        let shares = vote::shares(&ballots);
        let votes: Vec<Vote> = ballots
            .iter()
            .map(|ballot| vote(ballot.author, 0.8, shares[ballot.cluster], ballot.cluster == 0))
            .collect();
        skills.agreed("shop", COUNT, &votes);
    }
    names[..skilled.len()].iter().map(|name| skill(name)).collect()
}

#[test]
fn authors_are_told_apart_by_whom_they_agree_with() {
    let told = heard(&[0.95, 0.9, 0.4], 200);
    assert!(told[0] > 0.83 && told[1] > 0.8 && told[2] < 0.68, "{told:?}");
    // As good as they were thought to be, they stay so.
    for skill in heard(&[0.8, 0.8, 0.8], 200) {
        assert!((skill - 0.8).abs() < 0.08, "{skill}");
    }
}

#[test]
fn agreement_never_outweighs_what_was_known_before() {
    let skills = Skills::default();
    for _ in 0..1_000 {
        skills.agreed(
            "shop",
            COUNT,
            &[vote("m", 0.8, 0.0, false), vote("n", 0.8, 1.0, true)],
        );
    }
    assert!((skills.skill(("shop", COUNT), "ann", ("m", 0.8)) - 0.4).abs() < 0.01);
    // Who is alone has nobody to agree with.
    skills.agreed("shop", COUNT, &[vote("o", 0.8, 0.1, true)]);
    assert!((skills.skill(("shop", COUNT), "ann", ("o", 0.8)) - 0.8).abs() < 1e-9);
}

#[test]
fn what_is_kept_is_recalled_and_bounded() {
    let skills = Skills::default();
    for at in 0..MOST_TALLIES + 10 {
        let database = format!("d{at}");
        teach(&skills, (&database, COUNT), &[vote("m", 0.8, 0.9, true)], false);
    }
    let fresh = skills.take_fresh();
    assert_eq!(fresh.len(), MOST_TALLIES);
    assert!(skills.take_fresh().is_empty());
    assert!((skills.skill(("d0", COUNT), "ann", ("m", 0.8)) - 0.8).abs() < 1e-9);
    let last = format!("d{}", MOST_TALLIES + 9);
    let known = skills.skill((&last, COUNT), "ann", ("m", 0.8));
    assert!(known < 0.8);
    let other = Skills::default();
    other.recall(fresh.clone());
    assert!((other.skill((&last, COUNT), "ann", ("m", 0.8)) - known).abs() < 1e-9);
    // What was recalled is kept already.
    assert!(other.take_fresh().is_empty());
    other.put_back(fresh);
    assert_eq!(other.take_fresh().len(), MOST_TALLIES);
}

/// A user without a role says that an answer is wrong.
fn reject(skills: &Skills, user: &str, sql: &str) {
    let judgement = Judgement {
        user,
        teaches: false,
        question: COUNT,
        sql,
        right: false,
    };
    skills.judged("shop", &[vote("m", 0.8, 0.9, true)], judgement);
}

#[test]
fn nobody_alone_makes_others_doubt() {
    let skills = Skills::default();
    let skill = |user: &str| skills.skill(("shop", COUNT), user, ("m", 0.8));
    let rejected = |user: &str| (0..30).for_each(|at| reject(&skills, user, &at.to_string()));
    rejected("mal");
    assert!(skill("mal") < 0.4);
    assert!((skill("ann") - 0.8).abs() < 1e-9);
    rejected("eve");
    assert!((skill("ann") - 0.8).abs() < 1e-9);
    // With a third user something is in it, as much as that one has said.
    reject(&skills, "bob", "0");
    let three = skill("ann");
    assert!(three < 0.7 && three > 0.55, "{three}");
    rejected("bob");
    assert!(skill("ann") < three);
    // However much they say, a few do not outweigh what is known of the author.
    assert!(skill("ann") > 0.3);
}

#[test]
fn a_word_on_an_answer_counts_once() {
    let skills = Skills::default();
    let skill = || skills.skill(("shop", COUNT), "mal", ("m", 0.8));
    reject(&skills, "mal", "SELECT 1");
    let once = skill();
    for _ in 0..10 {
        reject(&skills, "mal", "SELECT 1");
    }
    assert!((skill() - once).abs() < 1e-9);
    reject(&skills, "mal", "SELECT 2");
    assert!(skill() < once);
}

#[test]
fn whose_word_it_was_is_kept() {
    for source in [
        EvidenceSource::Teachers,
        EvidenceSource::Agreement,
        EvidenceSource::User("ann lee".into()),
    ] {
        assert_eq!(EvidenceSource::named(&source.name()), Some(source));
    }
    // Of whom nobody knows the name, nothing counts.
    assert_eq!(EvidenceSource::named("people"), None);
}
