//! A session's main loop: log in, read a message, do what it says, until somebody leaves.

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use tokio::{sync::watch, time::timeout};

use crate::{
    connection::{accepted::AcceptedConnection, cancellation::Cancellation},
    question::model::SessionBudget,
    service::conversation::Conversation,
    sqlite::engine::{Connection, Doing, Interrupter},
    telemetry::{SessionLog, metrics::End},
    wire::{ClientMessage, Fields, Frame, SessionStart, Severity, TransactionStatus},
};

use super::{
    Context, Shared,
    authentication::{Claim, authenticate},
    channels::Channels,
    client::Client,
    error::SessionError,
    plan::Named,
    portal::Portal,
    settings::SessionSettings,
    startup::{Startup, command_line_options},
    transaction::Transaction,
    work::Deadline,
};

/// All that a session remembers.
pub(super) struct Session {
    pub(super) client: Client,
    pub(super) connection: Arc<Connection>,
    pub(super) interrupter: Interrupter,
    pub(super) shared: Arc<Shared>,
    pub(super) cancellation: Arc<Cancellation>,
    pub(super) draining: watch::Receiver<bool>,
    /// Who has logged in.
    pub(super) user: String,
    pub(super) settings: SessionSettings,
    pub(super) transaction: Transaction,
    /// Prepared statements of both PREPARE and Parse; the unnamed one has the empty name.
    pub(super) statements: HashMap<String, Named>,
    /// Portals of both DECLARE and Bind; the unnamed one has the empty name.
    pub(super) portals: HashMap<String, Portal>,
    pub(super) conversation: Conversation,
    pub(super) channels: Channels,
    /// What its questions have spent on models.
    pub(super) budget: Arc<SessionBudget>,
    /// When the present statement has taken too long.
    pub(super) deadline: Option<Deadline>,
    /// True while the Query that is worked on has more statements.
    pub(super) has_more: bool,
}

/// How the next message is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// As it is.
    Ready,
    /// In a pipeline that has not come to its Sync.
    InPipeline,
    /// An error was told: all up to Sync is passed over.
    SkipUntilSync,
    /// There is no next one.
    Ended,
}

/// Talks to one client until it leaves, is thrown out, or the server stops.
pub async fn serve(accepted: AcceptedConnection, context: Context, log: SessionLog) {
    let mut client = Client::new(accepted.stream, accepted.received, log);
    let login = Login {
        encrypted: accepted.encrypted,
        peer: accepted.peer,
        is_local: accepted.peer.is_none_or(|peer| peer.is_loopback()),
        proven: accepted.proven,
        start: accepted.start,
        channel_binding: accepted.channel_binding,
    };
    let logged_in = match timeout(context.login_time, login.complete(&mut client, context)).await {
        Ok(logged_in) => logged_in,
        Err(_) => Err(SessionError::fatal("57014", "logging in took too long")),
    };
    let ended = match logged_in {
        Ok(Some(begun)) => {
            let mut session = begun.into_session(client);
            let ended = session.run().await;
            client = session.client;
            ended
        }
        Ok(None) => Ok(()),
        Err(SessionError::Lost(error)) => Err(SessionError::Lost(error)),
        Err(SessionError::Fatal(fields) | SessionError::Failed(fields)) => {
            client.log.refused(&fields.sqlstate, &fields.message);
            client.out.error_or_notice(&fields.fatal());
            Ok(())
        }
    };
    let (reason, detail) = match ended {
        Ok(()) => (End::Client, String::new()),
        Err(SessionError::Lost(error)) => (End::ClientLost, error.to_string()),
        Err(SessionError::Fatal(fields) | SessionError::Failed(fields)) => {
            client.log.told_error(&fields.sqlstate, &fields.message);
            let reason = End::of_error(&fields.sqlstate);
            let detail = fields.message.clone();
            client.out.error_or_notice(&fields.fatal());
            (reason, detail)
        }
    };
    client.close().await.ended(reason, &detail);
}

/// What is known before the client has logged in.
struct Login {
    encrypted: bool,
    peer: Option<IpAddr>,
    is_local: bool,
    /// Who the console has found the client to be.
    proven: Option<String>,
    start: SessionStart,
    channel_binding: Option<pgwire::api::auth::sasl::scram::ScramServerAuth>,
}

/// A session whose client is still in other hands.
struct Begun {
    connection: Arc<Connection>,
    context: Context,
    user: String,
    settings: SessionSettings,
}

impl Login {
    /// `None` if the client left meanwhile.
    async fn complete(
        self,
        client: &mut Client,
        mut context: Context,
    ) -> Result<Option<Begun>, SessionError> {
        let startup = Startup::negotiate(&self.start, client)?;
        let parameter = |name: &str| {
            startup
                .parameters
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.as_str())
        };
        let user = parameter("user").filter(|user| !user.is_empty()).ok_or_else(|| {
            SessionError::fatal("28000", "no PostgreSQL user name specified in startup packet")
        })?;
        if parameter("replication").is_some_and(|value| !matches!(value, "false" | "off" | "no" | "0")) {
            return Err(SessionError::fatal(
                "0A000",
                "replication connections are not supported",
            ));
        }
        let configured = context.shared.settings();
        let claim = Claim {
            user,
            is_local: self.is_local,
            is_proven: self.proven.as_deref() == Some(user),
            channel_binding: self.channel_binding.clone(),
        };
        authenticate(client, claim, &configured.auth).await?;
        let Some(place) = context.place.take() else {
            return Err(SessionError::fatal("53300", "sorry, too many clients already")
                .with_hint("Raise limits.connections, or close sessions that are not used."));
        };
        client.logged_in();

        let mut settings = SessionSettings::new(context.shared.service.config().session_settings(), user);
        for (name, value) in &startup.parameters {
            match name.as_str() {
                "user" | "database" | "replication" => {}
                "options" => {
                    for (name, value) in command_line_options(value) {
                        settings.start_with(&name, &value)?;
                    }
                }
                name if name.starts_with("_pq_.") => {}
                name => settings.start_with(name, value)?,
            }
        }
        context
            .shared
            .service
            .config()
            .check_tiers(&settings.querent().tiers)?;
        let database = Arc::clone(&context.shared.database);
        let (owner, process) = (user.to_owned(), context.process);
        let connection = tokio::task::spawn_blocking(move || database.connect_as(&owner, process, place))
            .await
            .map_err(|error| SessionError::fatal("XX000", format!("cannot open the database: {error}")))??;
        connection.session_context().comes_from(self.peer, self.encrypted);
        client.log.logged_in(self.encrypted);
        client.out.authentication_ok();
        for (name, value) in settings.untold() {
            client.out.parameter_status(name, &value);
        }
        client
            .out
            .backend_key_data(context.process, startup.secret(&context.secret));
        Ok(Some(Begun {
            connection: Arc::new(connection),
            context,
            user: user.to_owned(),
            settings,
        }))
    }
}

impl Begun {
    fn into_session(self, client: Client) -> Session {
        let Context {
            shared,
            draining,
            cancellation,
            process,
            ..
        } = self.context;
        Session {
            client,
            interrupter: self.connection.interrupter(),
            connection: self.connection,
            cancellation,
            draining,
            user: self.user,
            settings: self.settings,
            transaction: Transaction::default(),
            statements: HashMap::new(),
            portals: HashMap::new(),
            conversation: Conversation::default(),
            channels: Channels::new(Arc::clone(&shared.hub), process),
            shared,
            budget: Arc::default(),
            deadline: None,
            has_more: false,
        }
    }
}

impl Session {
    async fn run(&mut self) -> Result<(), SessionError> {
        self.client.out.ready_for_query(TransactionStatus::Idle);
        self.client.flush().await?;
        let mut state = State::Ready;
        while state != State::Ended {
            let Some(frame) = self.next_frame(state).await? else {
                break;
            };
            state = self.message(frame, state).await?;
        }
        Ok(())
    }

    async fn message(&mut self, frame: Frame, state: State) -> Result<State, SessionError> {
        let tag = frame.tag;
        if state == State::SkipUntilSync && !matches!(tag, b'S' | b'X') {
            return Ok(state);
        }
        let extended = ClientMessage::is_extended(tag);
        if tag == b'Q' || (extended && state == State::Ready) {
            self.begin_work();
        }
        let message = match ClientMessage::parse(frame) {
            Ok(message) => message,
            Err(error) => {
                self.fail(SessionError::from(error)).await?;
                return self.after_error(extended).await;
            }
        };
        let done = match message {
            ClientMessage::Query(text) => {
                self.simple_query(&text).await?;
                self.ready().await?;
                return Ok(State::Ready);
            }
            ClientMessage::Sync => {
                if let Err(error) = self.sync().await {
                    self.fail(error).await?;
                }
                self.ready().await?;
                return Ok(State::Ready);
            }
            ClientMessage::Terminate => return Ok(State::Ended),
            ClientMessage::FunctionCall {
                function,
                arguments,
                format,
            } => {
                self.begin_work();
                if let Err(error) = self.call_function(function, arguments, format).await {
                    self.fail(error).await?;
                }
                self.ready().await?;
                return Ok(State::Ready);
            }
            // Left over from a COPY that failed: passed over, as PostgreSQL does.
            ClientMessage::CopyData | ClientMessage::CopyDone | ClientMessage::CopyFail => return Ok(state),
            ClientMessage::Password(_) => {
                return Err(SessionError::fatal(
                    "08P01",
                    format!("invalid frontend message type {tag}"),
                ));
            }
            ClientMessage::Parse { name, sql, types } => self.parse(name, &sql, types).await,
            ClientMessage::Bind {
                portal,
                statement,
                parameters,
                result_formats,
            } => self.bind(portal, &statement, parameters, result_formats).await,
            ClientMessage::Describe(target) => self.describe(&target),
            ClientMessage::Execute { portal, max_rows } => self.execute(portal, max_rows).await,
            ClientMessage::Close(target) => {
                self.close(target);
                Ok(())
            }
            ClientMessage::Flush => self.flush_in_time().await,
        };
        let done = match done {
            Ok(()) => self.flush_if_full().await,
            failed => failed,
        };
        match done {
            Ok(()) => Ok(State::InPipeline),
            Err(error) => {
                self.fail(error).await?;
                self.after_error(true).await
            }
        }
    }

    async fn after_error(&mut self, extended: bool) -> Result<State, SessionError> {
        if extended {
            self.flush_while_silent().await?;
            Ok(State::SkipUntilSync)
        } else {
            self.ready().await?;
            Ok(State::Ready)
        }
    }

    /// Tells the client that it may go on.
    async fn ready(&mut self) -> Result<(), SessionError> {
        for (name, value) in self.settings.untold() {
            self.client.out.parameter_status(name, &value);
        }
        if self.transaction.status() == TransactionStatus::Idle {
            self.tell_notifications();
        }
        let status = self.transaction.status();
        self.connection.session_context().rests(match status {
            TransactionStatus::Idle => Doing::Idle,
            TransactionStatus::InTransaction => Doing::InTransaction,
            TransactionStatus::Failed => Doing::Aborted,
        });
        self.client.out.ready_for_query(status);
        self.flush_while_silent().await
    }

    /// Tells the client of an error, and lets its transaction fail.
    pub(super) async fn fail(&mut self, error: SessionError) -> Result<(), SessionError> {
        match error {
            // Nothing works any more on a connection that is lost.
            SessionError::Failed(fields) if self.connection.is_lost() => Err(SessionError::Fatal(fields)),
            SessionError::Failed(fields) => {
                self.client.log.told_error(&fields.sqlstate, &fields.message);
                self.client.out.error_or_notice(&fields);
                self.forget_effects();
                self.fail_transaction().await
            }
            other => Err(other),
        }
    }

    /// A notice, if the client wants to see such.
    pub(super) fn notice(&mut self, fields: &Fields) {
        if self.settings.wants(fields.severity) {
            self.client.out.error_or_notice(fields);
        }
    }

    /// A warning in PostgreSQL's words.
    pub(super) fn warning(&mut self, sqlstate: &'static str, message: &str) {
        self.notice(&Fields::new(Severity::Warning, sqlstate, message));
    }

    /// A new Query or pipeline: cancel requests from before mean nothing any more, and its time begins.
    pub(super) fn begin_work(&mut self) {
        self.cancellation.begin();
        self.begin_statement();
    }

    /// The time of a statement begins.
    pub(super) fn begin_statement(&mut self) {
        self.deadline = self
            .settings
            .statement_timeout()
            .map(|time| Deadline::of(time, "statement_timeout"));
    }

    /// Gives the statement at most this much more time.
    pub(super) fn limit_time(&mut self, time: Duration) {
        if !time.is_zero() {
            let own = Deadline::of(time, "querent.statement_timeout");
            self.deadline = Some(self.deadline.map_or(own, |deadline| deadline.earlier(own)));
        }
    }
}
