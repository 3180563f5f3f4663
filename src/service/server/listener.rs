//! Sockets to listen on: TCP, and unix sockets as libpq looks for them.

use std::{
    fs, io,
    net::IpAddr,
    os::unix::fs::{FileTypeExt, PermissionsExt},
    path::PathBuf,
};

use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream, lookup_host};

use crate::{config::ListenAddress, connection};

/// A socket that clients connect to.
pub(super) struct Listener {
    address: ListenAddress,
    socket: Listening,
}

enum Listening {
    Tcp(TcpListener),
    Unix {
        listener: UnixListener,
        /// Held for its drop.
        _file: SocketFile,
    },
}

/// Removes the socket's file when the listener goes.
struct SocketFile(PathBuf);

/// An accepted connection.
pub(super) enum Socket {
    /// Over TCP, with the client's address.
    Tcp(TcpStream, IpAddr),
    /// Over a unix socket.
    Unix(UnixStream),
}

/// A [`Socket`] on its way to another thread.
pub(super) enum Detached {
    Tcp(std::net::TcpStream, IpAddr),
    Unix(std::os::unix::net::UnixStream),
}

impl Socket {
    /// Takes it away from the runtime that accepted it.
    pub(super) fn detach(self) -> io::Result<Detached> {
        Ok(match self {
            Self::Tcp(stream, peer) => Detached::Tcp(stream.into_std()?, peer),
            Self::Unix(stream) => Detached::Unix(stream.into_std()?),
        })
    }
}

impl Detached {
    /// Gives it to the present runtime.
    pub(super) fn attach(self) -> io::Result<Socket> {
        Ok(match self {
            Self::Tcp(stream, peer) => Socket::Tcp(TcpStream::from_std(stream)?, peer),
            Self::Unix(stream) => Socket::Unix(UnixStream::from_std(stream)?),
        })
    }
}

impl Listener {
    pub(super) async fn bind(address: &ListenAddress) -> io::Result<Self> {
        match address {
            ListenAddress::Tcp { host, port } => {
                let candidates: Vec<_> = lookup_host((host.as_str(), *port)).await?.collect();
                let socket = TcpListener::bind(candidates.as_slice()).await?;
                let port = socket.local_addr()?.port();
                Ok(Self {
                    address: ListenAddress::Tcp {
                        host: host.clone(),
                        port,
                    },
                    socket: Listening::Tcp(socket),
                })
            }
            ListenAddress::Unix(path) => {
                remove_stale(path).await?;
                let socket = UnixListener::bind(path)?;
                // As PostgreSQL's unix_socket_permissions: authentication decides, not the file's mode.
                fs::set_permissions(path, fs::Permissions::from_mode(0o777))?;
                Ok(Self {
                    address: address.clone(),
                    socket: Listening::Unix {
                        listener: socket,
                        _file: SocketFile(path.clone()),
                    },
                })
            }
        }
    }

    pub(super) fn address(&self) -> &ListenAddress {
        &self.address
    }

    /// Cancel safe.
    pub(super) async fn accept(&self) -> io::Result<Socket> {
        match &self.socket {
            Listening::Tcp(listener) => {
                let (stream, peer) = listener.accept().await?;
                connection::configure(&stream)?;
                Ok(Socket::Tcp(stream, peer.ip()))
            }
            Listening::Unix { listener, .. } => Ok(Socket::Unix(listener.accept().await?.0)),
        }
    }
}

/// A socket file that nobody listens on is left over from a server that was killed.
async fn remove_stale(path: &PathBuf) -> io::Result<()> {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    if !metadata.file_type().is_socket() {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "there is a file that is not a socket",
        ));
    }
    match UnixStream::connect(path).await {
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::AddrInUse,
            "another server listens on it",
        )),
        Err(_) => fs::remove_file(path),
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // It may be gone already; there is nobody left to tell.
        let _ = fs::remove_file(&self.0);
    }
}
