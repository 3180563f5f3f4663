//! The server through its sockets: byte for byte, and with a driver.

mod authentication;
mod conversations;
mod driver;
mod encryption;
mod harness;
mod hostile;
mod life;
mod raw;
