//! A server that knows its users by signed tokens alone, and the file of one of its users: what `nsc` makes, made by
//! openssl.

use std::path::Path;
use std::process::Command;

/// A pair of keys in the server's text form.
struct Pair {
    name: String,
    seed: String,
    file: String,
}

fn openssl(folder: &Path, line: &str) -> Option<Vec<u8>> {
    let done = Command::new("openssl").args(line.split(' ')).current_dir(folder).output().ok()?;
    assert!(done.status.success(), "openssl {line}: {}", String::from_utf8_lossy(&done.stderr));
    Some(done.stdout)
}

/// Groups of bits as letters.
fn letters(bytes: &[u8], bits: u32, alphabet: &[u8]) -> String {
    let (mut text, mut held, mut count) = (String::new(), 0u32, 0);
    for &byte in bytes {
        held = (held << 8 | u32::from(byte)) & 0xffff;
        count += 8;
        while count >= bits {
            count -= bits;
            text.push(alphabet[(held >> count) as usize & ((1 << bits) - 1)] as char);
        }
    }
    if count > 0 {
        text.push(alphabet[(held << (bits - count)) as usize & ((1 << bits) - 1)] as char);
    }
    text
}

/// Base 32 with a checksum.
fn key_text(mut bytes: Vec<u8>) -> String {
    let mut sum = 0u16;
    for &byte in &bytes {
        sum ^= u16::from(byte) << 8;
        for _ in 0..8 {
            sum = if sum & 0x8000 != 0 { sum << 1 ^ 0x1021 } else { sum << 1 };
        }
    }
    bytes.extend(sum.to_le_bytes());
    letters(&bytes, 5, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}

fn base64(bytes: &[u8]) -> String {
    letters(bytes, 6, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
}

/// `kind` is the letter of operators, accounts or users, as the server counts them.
fn pair(folder: &Path, file: &str, kind: u8) -> Option<Pair> {
    openssl(folder, &format!("genpkey -algorithm ed25519 -out {file}"))?;
    let secret = openssl(folder, &format!("pkey -in {file} -outform DER"))?;
    let public = openssl(folder, &format!("pkey -in {file} -pubout -outform DER"))?;
    let prefix = kind << 3;
    let last = |der: &[u8]| der[der.len() - 32..].to_vec();
    let seed = [vec![18 << 3 | prefix >> 5, (prefix & 31) << 3], last(&secret)].concat();
    Some(Pair { name: key_text([vec![prefix], last(&public)].concat()), seed: key_text(seed), file: file.to_string() })
}

/// A token that says what it says in the name of `by`.
fn token(folder: &Path, by: &Pair, of: &Pair, says: &str) -> Option<String> {
    let claims = format!(
        "{{\"jti\":\"{}\",\"iat\":1600000000,\"iss\":\"{}\",\"name\":\"x\",\"sub\":\"{}\",\"nats\":{says}}}",
        of.name, by.name, of.name
    );
    let text = format!("{}.{}", base64(br#"{"typ":"JWT","alg":"ed25519-nkey"}"#), base64(claims.as_bytes()));
    std::fs::write(folder.join("text"), &text).ok()?;
    let signature = openssl(folder, &format!("pkeyutl -sign -rawin -inkey {} -in text", by.file))?;
    Some(format!("{text}.{}", base64(&signature)))
}

/// Writes `server.conf`, and `user.creds` and `stranger.creds` of a user that the server knows and of one that it does
/// not; `None` without openssl.
pub(crate) fn write(folder: &Path) -> Option<()> {
    std::fs::create_dir_all(folder).ok()?;
    let operator = pair(folder, "operator", 14)?;
    let [system, account, other] = ["system", "account", "other"].map(|name| pair(folder, name, 0));
    let [system, account, other] = [system?, account?, other?];
    let user = pair(folder, "user", 20)?;
    let limits = "\"subs\":-1,\"data\":-1,\"payload\":-1";
    let own = token(folder, &operator, &operator, "{\"type\":\"operator\",\"version\":2}")?;
    let store = "\"mem_storage\":-1,\"disk_storage\":-1,\"streams\":-1,\"consumer\":-1";
    let of_account = |stores: &str| {
        format!(
            "{{\"limits\":{{{limits},\"imports\":-1,\"exports\":-1,\"wildcards\":true,\"conn\":-1,\"leaf\":-1{stores}}},\
             \"default_permissions\":{{\"pub\":{{}},\"sub\":{{}}}},\"type\":\"account\",\"version\":2}}"
        )
    };
    let accounts = [
        format!("{}: {}", system.name, token(folder, &operator, &system, &of_account(""))?),
        format!("{}: {}", account.name, token(folder, &operator, &account, &of_account(&format!(",{store}")))?),
    ];
    let config =
        format!("operator: {own}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n{}\n}}\n", system.name, accounts.join("\n"));
    std::fs::write(folder.join("server.conf"), config).ok()?;
    for (file, by) in [("user.creds", &account), ("stranger.creds", &other)] {
        let says = format!("{{\"pub\":{{}},\"sub\":{{}},{limits},\"type\":\"user\",\"version\":2}}");
        let token = token(folder, by, &user, &says)?;
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            user.seed
        );
        std::fs::write(folder.join(file), text).ok()?;
    }
    Some(())
}
