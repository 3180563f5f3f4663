//! The same tools over HTTP, at `/mcp` of a server's console. Nothing is kept from call to call but the open database, which is
//! opened at the first call and again after a reload, so that a policy counts from then on.

use std::sync::Arc;

use axum::Router;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use tokio::sync::Mutex;

use super::{super::target::Target, Server, ToolError, Tools, tool_error::UNREACHABLE};
use crate::{config::Settings, service::server::Handle};

/// The database as the tools of a running server have it.
pub(super) struct Served {
    target: Target,
    server: Handle,
    open: Mutex<Option<Open>>,
}

/// With the settings that it was opened by.
struct Open {
    settings: Arc<Settings>,
    tools: Arc<Tools>,
}

impl Served {
    /// The tools by the settings of this moment.
    pub(super) async fn tools(&self) -> Result<Arc<Tools>, ToolError> {
        let settings = self.server.settings();
        if !settings.questions {
            return Err(ToolError::new("0A000", "questions are switched off"));
        }
        let mut open = self.open.lock().await;
        if let Some(open) = open
            .as_ref()
            .filter(|open| Arc::ptr_eq(&open.settings, &settings))
        {
            return Ok(Arc::clone(&open.tools));
        }
        if let Some(before) = open.take() {
            before.tools.finish().await;
        }
        let (server, opened_by) = (self.server.clone(), Arc::clone(&settings));
        let holds = move || server.settings().has_policy_of(&opened_by);
        let tools = Tools::open(&self.target, &settings, holds).await;
        let tools = tools.map_err(|failure| {
            tracing::warn!(error = failure.in_one_line(), "an agent's tools cannot be opened");
            ToolError::new("08001", UNREACHABLE)
        })?;
        let tools = Arc::new(tools);
        *open = Some(Open {
            settings,
            tools: Arc::clone(&tools),
        });
        Ok(tools)
    }
}

/// The route for agents. In front of a PostgreSQL server they ask as the user of its address, so there is none without one.
pub(in super::super) fn routes(target: &Target, server: &Handle) -> Router {
    if matches!(target, Target::Postgres(address) if address.user.is_none()) {
        return Router::new();
    }
    let served = Arc::new(Served {
        target: target.clone(),
        server: server.clone(),
        open: Mutex::default(),
    });
    // Host and Origin are the console's to check, which is in front.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let service = StreamableHttpService::new(
        move || Ok(Server::Served(Arc::clone(&served))),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    Router::new().route_service("/mcp", service)
}
