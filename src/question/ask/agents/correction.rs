//! The last two agents: what to change in a statement that failed, and the changed statement.

use super::{Call, call, text};
use crate::question::{
    ask::work::Work,
    model::{ModelError, json},
    prompt::Brief,
};

/// What to change, guided by the taxonomy's codes and hints. No SQL.
pub(in crate::question::ask) async fn correction_plan(
    work: &Work<'_>,
    who: Call<'_>,
    brief: &Brief,
) -> Result<String, ModelError> {
    call(work, who, brief, None, text).await
}

/// The changed statement.
pub(in crate::question::ask) async fn correction_sql(
    work: &Work<'_>,
    who: Call<'_>,
    brief: &Brief,
) -> Result<String, ModelError> {
    call(work, who, brief, None, json::sql_in).await
}
