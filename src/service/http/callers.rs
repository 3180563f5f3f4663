//! Who is connected. There is room for so many; for one more, somebody goes: first those who have not signed in, of the
//! address that has the most of them. So strangers that say nothing keep nobody out and end nobody's watch.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::task::AbortHandle;

/// Callers at once that have not signed in.
const STRANGERS: usize = 64;
/// Callers at once.
const CONNECTIONS: usize = 512;

/// Whether somebody has signed in on a connection.
#[derive(Debug, Clone, Default)]
pub(super) struct SignedIn(Arc<AtomicBool>);

impl SignedIn {
    /// It has, from now on.
    pub(super) fn learn(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

struct Caller {
    from: IpAddr,
    known: SignedIn,
    task: AbortHandle,
}

/// In the order in which they came.
#[derive(Default)]
pub(super) struct Callers(Vec<Caller>);

impl Callers {
    /// One more has come.
    pub(super) fn come(&mut self, from: IpAddr, known: SignedIn, task: AbortHandle) {
        self.0.retain(|caller| !caller.task.is_finished());
        let all: Vec<(IpAddr, bool)> = self
            .0
            .iter()
            .map(|caller| (caller.from, caller.known.is()))
            .collect();
        if let Some(first) = who_goes(&all, (STRANGERS, CONNECTIONS)) {
            self.0.remove(first).task.abort();
        }
        self.0.push(Caller { from, known, task });
    }
}

/// Who has to go so that another can come; `None` while there is room. Whether each is known is told beside its address.
fn who_goes(all: &[(IpAddr, bool)], (strangers, most): (usize, usize)) -> Option<usize> {
    let unknown = all.iter().filter(|(_, known)| !known).count();
    if unknown >= strangers || (all.len() >= most && unknown > 0) {
        return first_to_go(all, false);
    }
    if all.len() >= most {
        return first_to_go(all, true);
    }
    None
}

/// The first of those from the address that has the most of this sort.
fn first_to_go(all: &[(IpAddr, bool)], known: bool) -> Option<usize> {
    let of_sort = || all.iter().filter(|(_, other)| *other == known);
    let count = |address: &IpAddr| of_sort().filter(|(other, _)| other == address).count();
    let most = of_sort().map(|(address, _)| count(address)).max()?;
    all.iter()
        .position(|(address, other)| *other == known && count(address) == most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_of_the_address_that_has_the_most_go_first() {
        let callers = |last: &[(u8, bool)]| -> Vec<(IpAddr, bool)> {
            let address = |(last, known): &(u8, bool)| (IpAddr::from([10, 0, 0, *last]), *known);
            last.iter().map(address).collect()
        };
        let some = [(1, true), (2, false), (1, true), (3, false), (3, false)];
        for (most, expected) in [
            ((4, 10), None),
            // A stranger goes, whoever has the most connections.
            ((3, 10), Some(3)),
            ((10, 5), Some(3)),
            ((10, 6), None),
        ] {
            assert_eq!(who_goes(&callers(&some), most), expected, "{most:?}");
        }
        let friends = [(1, true), (2, true), (2, true)];
        assert_eq!(who_goes(&callers(&friends), (2, 3)), Some(1));
        assert_eq!(who_goes(&[], (1, 1)), None);
    }
}
