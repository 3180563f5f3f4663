//! Questions that programs ask of the console while somebody changes the database or who may ask what.

use super::{pages::Browser, served::Served};
use crate::{
    conversation::legs::{says, table},
    model::{server::ScriptedModel, turn::Turn},
    program::Place,
    server::harness::create,
};

#[test]
fn a_question_that_is_overtaken_has_no_rows() {
    let turn = || -> Turn { says("SELECT id, name FROM fed").held() };
    let model = ScriptedModel::start(vec![turn(), turn()]);
    let place = Place::new();
    place.database("pets.db", "CREATE VIEW fed AS SELECT id, name FROM pet");
    let toml = |denied: &str| {
        format!(
            "mode = \"single\"\nlimits.attempts = 0\n[[policy.rule]]\ndeny = [{denied}]\n{}",
            table(&model)
        )
    };
    let arguments = ["sqlite:pets.db", "--console", "127.0.0.1:0"];
    let served = Served::start_in(place, &toml("\"pet.kind\""), &arguments);
    let browser = Browser::open(&served);
    let change = || {
        let swap = "DROP VIEW fed; CREATE VIEW fed AS SELECT id, kind AS name FROM pet";
        create(&served.place.path("pets.db"), swap);
    };
    let back = "DROP VIEW fed; CREATE VIEW fed AS SELECT id, name FROM pet";
    let reload = || {
        served
            .place
            .write("querent.toml", &toml("\"pet.kind\", \"pet.name\""));
        served.signal("-HUP");
        served.line(|line| line.contains("settings reloaded"));
    };
    let overtakes: [&(dyn Fn() + Sync); 2] = [&change, &reload];
    for (number, overtake) in overtakes.into_iter().enumerate() {
        let events = std::thread::scope(|threads| {
            threads.spawn(|| {
                model.wait_for_requests(number + 1);
                overtake();
                model.release();
            });
            browser.ask(&format!("frobnicate number {number}"))
        });
        let told = format!("{events:?}");
        assert!(told.contains("40001"), "{number}: {told}");
        for value in ["Rex", "Tom", "\"dog\"", "\"cat\""] {
            assert!(!told.contains(value), "{number}: {told}");
        }
        create(&served.place.path("pets.db"), back);
    }
    model.finish();
}
