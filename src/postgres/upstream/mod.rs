//! The way to a PostgreSQL server: its address, a stream to it, encrypted or not, and the login by the driver.

mod address;
mod certificate;
mod challenge;
mod connect;
mod conninfo;
mod driven;
mod driver;
mod tls;

pub use address::{AddressError, Host, Server, SslMode, UpstreamTls};
pub use challenge::Challenge;
pub use connect::Upstream;
pub(super) use driven::driven;
pub use driver::{driver, driver_error};
pub(super) use driver::{log_in, login};
