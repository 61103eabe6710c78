//! How the client of NATS is told where the server is and who we are.

use crate::{Access, ClusterError};
use async_nats::ConnectOptions;
use std::path::Path;
use std::time::Duration;

impl Access {
    pub(crate) fn addresses(&self) -> Result<Vec<async_nats::ServerAddr>, ClusterError> {
        let parse = |url: &str| url.trim().parse().map_err(|error| ClusterError::Access(format!("{}: {error}", self.shown())));
        self.url.split(',').map(parse).collect()
    }

    pub(crate) fn options(&self) -> Result<ConnectOptions, ClusterError> {
        // Silence of the network is noticed before the server gives our jobs to others.
        let mut options = ConnectOptions::new().ping_interval(Duration::from_secs(2)).connection_timeout(Duration::from_secs(5));
        options = options.reconnect_delay_callback(|attempts| Duration::from_millis(100 << attempts.min(4)));
        options = options.request_timeout(Some(Duration::from_secs(5)));
        let read =
            |path: &Path| std::fs::read_to_string(path).map_err(|error| ClusterError::Access(format!("{}: {error}", path.display())));
        // The client takes no notice of what is in the address.
        let first = self.addresses()?.into_iter().next();
        match first.as_ref().and_then(|address| Some((address.username()?, address.password()))) {
            Some((user, Some(password))) => options = options.user_and_password(plain(user), plain(password)),
            Some((token, None)) => options = options.token(plain(token)),
            None => {}
        }
        if self.credentials.is_some() && self.nkey.is_some() {
            return Err(ClusterError::Access("a credentials file and an NKey are given; one of them is enough".to_string()));
        }
        if let Some(path) = &self.credentials {
            let bad = |error: std::io::Error| ClusterError::Access(format!("{}: {error}", path.display()));
            options = options.credentials(&read(path)?).map_err(bad)?;
        }
        if let Some(path) = &self.nkey {
            // A seed is a line of its own, between comments.
            let text = read(path)?;
            let seed = text.lines().map(str::trim).find(|line| line.starts_with('S') && line.len() > 50);
            let Some(seed) = seed else { return Err(ClusterError::Access(format!("{} holds no seed of an NKey", path.display()))) };
            options = options.nkey(seed.to_string());
        }
        if let Some(path) = &self.authority {
            read(path)?;
            // The caller that names an authority does not mean to speak without one.
            options = options.require_tls(true).add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            read(certificate)?;
            read(key)?;
            options = options.require_tls(true).add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options)
    }
}

/// A part of an address without its percent-encoding.
fn plain(text: &str) -> String {
    let mut bytes = vec![];
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code =
            tail.get(..2).filter(|_| first == b'%').and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        assert_eq!((plain("a%40b%"), plain("%C3%BC")), ("a@b%".to_string(), "ü".to_string()));
        assert!(Access { url: "nats://[".to_string(), ..Access::default() }.addresses().is_err());
    }
}
