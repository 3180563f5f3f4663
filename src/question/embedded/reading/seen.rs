//! Lists in an order by what they do not show.

use crate::question::analytic::AnalyticQuery;

/// True for different values in an order that each may have several places in.
pub(super) fn orders_by_unseen(query: &AnalyticQuery) -> bool {
    matches!(query, AnalyticQuery::List(list) if list.distinct && !list.hidden.is_empty())
}

/// The first one is the same whether others come again or not.
pub(super) fn order_by_seen(query: &mut AnalyticQuery) {
    if let AnalyticQuery::List(list) = query
        && (list.rank.limit, list.rank.skip) == (Some(1), 0)
        && list.rank.within.is_empty()
        && !list.hidden.is_empty()
    {
        list.distinct = false;
    }
}
