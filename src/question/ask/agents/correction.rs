//! The last two agents: what to change in a statement that failed, and the changed statement.

use super::{Call, call, text};
use crate::question::{
    ask::work::Work,
    model::{ModelError, json},
    prompt::PromptContext,
};

/// What to change, guided by the taxonomy's codes and hints. No SQL.
pub(in crate::question::ask) async fn correction_plan(
    work: &Work<'_>,
    who: Call<'_>,
    context: &PromptContext,
) -> Result<String, ModelError> {
    call(work, who, context, None, text).await
}

/// The changed statement.
pub(in crate::question::ask) async fn correction_sql(
    work: &Work<'_>,
    who: Call<'_>,
    context: &PromptContext,
) -> Result<String, ModelError> {
    call(work, who, context, None, json::sql_in).await
}
