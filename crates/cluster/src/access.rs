//! How to reach a server and who we are: everything that NATS has for it.

use std::path::PathBuf;

/// Where the server is and what opens it. A user and password, or a token, may be in the URL.
#[derive(Clone, Default)]
pub struct Access {
    /// One or more addresses, joined by commas: `nats://host:4222`, `tls://user:password@host:4222`.
    pub url: String,
    /// A credentials file (a JWT and its key), as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an NKey.
    pub nkey: Option<PathBuf>,
    /// Certificates of authorities that are trusted besides the system's.
    pub authority: Option<PathBuf>,
    /// The certificate that the client shows, and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl Access {
    /// Addresses without what is secret in them.
    pub fn shown(&self) -> String {
        let hide = |url: &str| match (url.split_once("://"), url.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            (None, Some((_, host))) => host.to_string(),
            _ => url.to_string(),
        };
        self.url.split(',').map(hide).collect::<Vec<_>>().join(",")
    }
}

/// Secrets stay out of logs.
impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let shown = |url: &str| Access { url: url.to_string(), ..Access::default() }.shown();
        assert_eq!(shown("nats://me:secret@host:4222"), "nats://host:4222");
        assert_eq!(shown("token@host,nats://b"), "host,nats://b");
    }
}
