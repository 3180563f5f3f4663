//! How good authors have turned out to be, kept in the store: read when the server starts, added to while it runs.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Notify, task::JoinHandle, time::timeout};
use tracing::{debug, warn};

use crate::{
    config::Settings,
    question::ask::{EvidenceSource, QuestionKind, Skills, Tally, TallyKey},
    service::store::{SkillRow, StoreAddress, StoreError},
};

/// How often what is new is kept.
const INTERVAL: Duration = Duration::from_secs(10);
/// How long the start waits for what is kept, and the end for the last of it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Keeps what is learned of authors.
pub(super) struct Keeper {
    place: Option<StoreAddress>,
    skills: Arc<Skills>,
    /// The server ends.
    ending: Notify,
}

impl Keeper {
    /// Recalls what is kept. Nothing is kept where questions are not recorded, or where there is no store.
    pub(super) async fn start(settings: &Settings, skills: Arc<Skills>) -> Self {
        let place = StoreAddress::of(&settings.store.location)
            .ok()
            .filter(|_| settings.audit.enabled);
        let keeper = Self {
            place,
            skills,
            ending: Notify::new(),
        };
        if let Some(place) = &keeper.place {
            match timeout(PATIENCE, load(place)).await {
                Ok(Ok(rows)) => keeper.skills.recall(rows.into_iter().filter_map(known)),
                Ok(Err(error)) => warn!(%error, "what was learned of authors is not recalled"),
                Err(_) => warn!("what was learned of authors is not recalled: the store takes too long"),
            }
        }
        keeper
    }

    /// Keeps what is new from now on, until [`Keeper::finish`].
    pub(super) fn run(self: &Arc<Self>) -> Option<JoinHandle<()>> {
        self.place.as_ref()?;
        let keeper = Arc::clone(self);
        Some(tokio::spawn(async move {
            while timeout(INTERVAL, keeper.ending.notified()).await.is_err() {
                keeper.keep().await;
            }
            keeper.keep().await;
        }))
    }

    /// Keeps the last of it.
    pub(super) async fn finish(&self, keeping: Option<JoinHandle<()>>) {
        self.ending.notify_one();
        if let Some(keeping) = keeping {
            // What takes longer is lost; it is bounded by the store's own patience.
            let _ = timeout(2 * PATIENCE, keeping).await;
        }
    }

    /// Keeps what is new. Not cancel safe: what is being kept may be lost.
    async fn keep(&self) {
        let Some(place) = &self.place else { return };
        let fresh = self.skills.take_fresh();
        if fresh.is_empty() {
            return;
        }
        let rows: Vec<SkillRow> = fresh.iter().map(|(key, tally)| row(key, tally)).collect();
        let kept = async { place.skills().await?.add(&rows).await };
        match timeout(PATIENCE, kept).await {
            Ok(Ok(())) => debug!(rows = rows.len(), "what was learned of authors is kept"),
            // The audit tells of a store that is away.
            Ok(Err(error)) => {
                debug!(%error, "what was learned of authors is kept later");
                self.skills.put_back(fresh);
            }
            Err(_) => self.skills.put_back(fresh),
        }
    }
}

async fn load(place: &StoreAddress) -> Result<Vec<SkillRow>, StoreError> {
    place.skills().await?.load().await
}

fn row(key: &TallyKey, tally: &Tally) -> SkillRow {
    SkillRow {
        database: key.database.clone(),
        author: key.author.clone(),
        kind: key.kind.name().to_owned(),
        source: key.source.name().into_owned(),
        noted: tally.noted,
        right: tally.right,
        claimed: tally.claimed,
        most: key.source.most(),
    }
}

/// What a row says; `None` for one of another version.
fn known(row: SkillRow) -> Option<(TallyKey, Tally)> {
    let key = TallyKey {
        kind: QuestionKind::named(&row.kind)?,
        source: EvidenceSource::named(&row.source)?,
        database: row.database,
        author: row.author,
    };
    let tally = Tally {
        noted: row.noted,
        right: row.right,
        claimed: row.claimed,
    };
    Some((key, tally))
}
