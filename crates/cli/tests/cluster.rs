//! Several workers and a server on the loopback: the same verdicts as without them, whatever dies. Needs `nats-server`;
//! without it the tests say so and pass, unless `ASSAY_REQUIRE` asks for `nats`.

#[path = "cluster/credentials.rs"]
mod credentials;

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const SAFE: &str = "extern void reach_error(void);\nint main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n";
const UNSAFE: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                      int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }\n";
/// No analysis comes to an end with it soon.
const LONG: &str = "extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++) { s = s * a + b; b ^= s * s; }
  if (s * s * s == 2862933555777941757u * (a | 1) && n > 77) reach_error();
  return 0;
}
";

/// A server, a folder of its own, and whatever was started beside them; all of it ends with the value.
struct Site {
    folder: PathBuf,
    port: u16,
    options: Vec<String>,
    server: Option<Child>,
    workers: Vec<Child>,
}

fn server_program() -> Option<PathBuf> {
    let places = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/usr/local/bin";
    let found = places.split(':').map(|place| Path::new(place).join("nats-server")).find(|path| path.is_file());
    let required = std::env::var("ASSAY_REQUIRE").is_ok_and(|tools| tools.split(',').any(|tool| tool == "nats"));
    assert!(found.is_some() || !required, "ASSAY_REQUIRE asks for nats-server, and there is none");
    if found.is_none() {
        eprintln!("skipped: there is no nats-server");
    }
    found
}

impl Site {
    fn new(name: &str, options: &[&str]) -> Option<Site> {
        server_program()?;
        let folder = std::env::temp_dir().join(format!("assay-cluster-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("tasks")).unwrap();
        std::fs::create_dir_all(folder.join("tmp")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = options.iter().map(|option| option.replace("FOLDER", &folder.to_string_lossy())).collect();
        let mut site = Site { folder, port, options, server: None, workers: vec![] };
        site.start_server();
        Some(site)
    }

    fn start_server(&mut self) {
        let mut command = Command::new(server_program().unwrap());
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-js", "-sd"]).arg(self.folder.join("store")).args(&self.options);
        self.server = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(20), "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn stop_server(&mut self) {
        let mut server = self.server.take().unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).unwrap();
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command.args(words).current_dir(&self.folder).env("TMPDIR", self.folder.join("tmp"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn worker(&mut self) {
        let url = self.url();
        let mut command = self.command(&["worker", "--cluster", &url, "--jobs", "1", "--quiet"]);
        self.workers.push(command.stderr(Stdio::null()).spawn().unwrap());
    }

    fn kill_worker(&mut self, index: usize) {
        let mut worker = self.workers.remove(index);
        worker.kill().unwrap();
        worker.wait().unwrap();
    }

    fn batch(&self, output: &str, options: &[&str]) -> Command {
        let mut words = vec!["batch", "tasks", "--property", "unreach-call", "--output", output];
        words.extend(options);
        self.command(&words)
    }

    fn table(&self, output: &str) -> BTreeMap<String, (String, String)> {
        let text = std::fs::read_to_string(self.folder.join(output).join("results.tsv")).unwrap();
        let line = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            (fields[0].to_string(), (fields[3].to_string(), fields[4].to_string()))
        };
        text.lines().skip(1).map(line).collect()
    }

    fn status(&self) -> Value {
        let output = self.command(&["cluster", "status", &self.url(), "--json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    }

    /// Waits until the status is as it should be.
    fn until(&self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let status = self.status();
            if holds(&status) {
                return status;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "{what}: {status:#}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Speaks the server's protocol, as anybody could.
    fn publish(&self, subject: &str, payload: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut line = [0u8; 4096];
        let _ = stream.read(&mut line).unwrap();
        stream.write_all(b"CONNECT {\"verbose\":false}\r\n").unwrap();
        stream.write_all(format!("PUB {subject} {}\r\n", payload.len()).as_bytes()).unwrap();
        stream.write_all(payload).unwrap();
        stream.write_all(b"\r\nPING\r\n").unwrap();
        let _ = stream.read(&mut line).unwrap();
    }

    /// A worker that reaches the server with these words decides two programs for a batch that uses the same.
    fn serves_a_batch(&mut self, words: &[&str]) {
        let worker = self.command(&[&["worker", "--jobs", "1", "--quiet"], words].concat()).stderr(Stdio::null()).spawn().unwrap();
        self.workers.push(worker);
        self.write("tasks/safe.c", SAFE);
        self.write("tasks/unsafe.c", UNSAFE);
        let output = self.batch("out", words).output().unwrap();
        let table = self.table("out");
        let verdicts: Vec<&str> = table.values().map(|(verdict, _)| verdict.as_str()).collect();
        assert_eq!(verdicts, ["true", "false"], "{}", text(&output));
    }

    /// The names under which summaries of blocks are kept.
    fn summaries(&self) -> Vec<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut bytes = vec![0u8; 1 << 16];
        let _ = stream.read(&mut bytes).unwrap();
        let request = "{\"subjects_filter\":\">\"}";
        let words = format!(
            "CONNECT {{\"verbose\":false}}\r\nSUB answers 1\r\nPUB $JS.API.STREAM.INFO.KV_assay-summaries answers {}\r\n{request}\r\n",
            request.len()
        );
        stream.write_all(words.as_bytes()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
        let mut text = String::new();
        while !text.contains("\"subjects\"") || !text.ends_with("}\r\n") {
            let count = stream.read(&mut bytes).unwrap();
            text.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        text.split('"').filter(|word| word.starts_with("$KV.assay-summaries.") && word.len() > 60).map(str::to_string).collect()
    }

    /// Ends the workers in order and looks that nothing of them is left.
    fn close(mut self) {
        for mut worker in std::mem::take(&mut self.workers) {
            // Only a worker that has begun listens to what it is asked.
            let name = format!("-{}-", worker.id());
            self.until("it has begun", |status| {
                status["workers"].as_array().unwrap().iter().any(|listed| listed["name"].as_str().unwrap().contains(&name))
            });
            assert!(Command::new("kill").args(["-TERM", &worker.id().to_string()]).status().unwrap().success());
            assert!(worker.wait().unwrap().success());
        }
        let left: Vec<PathBuf> = std::fs::read_dir(self.folder.join("tmp")).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{left:?}");
        let below = self.folder.canonicalize().unwrap();
        let here = |entry: &std::fs::DirEntry| std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(&below));
        assert_eq!(std::fs::read_dir("/proc").unwrap().flatten().filter(here).count(), 0, "processes are left");
        let status = self.until("nobody is listed", |status| status["workers"].as_array().unwrap().is_empty());
        assert!(status["queues"].as_array().unwrap().iter().all(|queue| queue["waiting"] == 0 && queue["running"] == 0), "{status:#}");
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        for child in self.workers.iter_mut().chain(&mut self.server) {
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// One batch through a kill of a worker, a kill of the coordinator and a restart of the server: nothing is lost, and
/// the table is the local one.
#[test]
fn verdicts_are_those_of_a_local_run_whatever_dies() {
    let Some(mut site) = Site::new("faults", &[]) else { return };
    for number in 0..12 {
        site.write(&format!("tasks/t{number:02}.c"), if number % 3 == 0 { UNSAFE } else { SAFE });
    }
    site.write("tasks/header.h", "#define LIMIT 3\n");
    site.write("tasks/u.c", &format!("#include \"header.h\"\n{}", SAFE.replace("x != 1", "x > LIMIT")));
    site.write("tasks/v.c", LONG);
    let limit = ["--time-limit", "3s"];
    assert!(site.batch("local", &limit).output().unwrap().status.code() == Some(10));
    site.worker();
    site.worker();
    let url = site.url();
    let options = ["--cluster", url.as_str(), "--time-limit", "3s"];
    // The coordinator dies while jobs run, one of them the long one; then a worker does, and the server.
    let mut first = site.batch("remote", &options).spawn().unwrap();
    site.until("the long one runs", |status| status["results"].as_u64() >= Some(6));
    first.kill().unwrap();
    first.wait().unwrap();
    site.kill_worker(0);
    site.stop_server();
    site.start_server();
    site.worker();
    let output = site.batch("remote", &options).output().unwrap();
    assert_eq!(output.status.code(), Some(10), "{}", text(&output));
    assert_eq!(site.table("remote"), site.table("local"));
    // Once more, from the results that the server keeps.
    let output = site.batch("again", &options).output().unwrap();
    assert_eq!(output.status.code(), Some(10), "{}", text(&output));
    assert_eq!(site.table("again"), site.table("local"));
    site.close();
}

#[test]
fn a_job_that_ends_three_workers_is_given_up() {
    let Some(mut site) = Site::new("deadly", &[]) else { return };
    site.write("tasks/long.c", LONG);
    let url = site.url();
    let batch = site.batch("remote", &["--cluster", &url, "--time-limit", "100s", "--config", "symbolic"]).spawn().unwrap();
    for _ in 0..3 {
        site.worker();
        // The dead are listed for a while; only the new one counts.
        let name = format!("-{}-", site.workers[0].id());
        let has_it = |worker: &Value| worker["busy"] == 1 && worker["name"].as_str().unwrap().contains(&name);
        site.until("somebody has the job", |status| status["workers"].as_array().unwrap().iter().any(has_it));
        site.kill_worker(0);
    }
    site.worker();
    let output = batch.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(20), "{}", text(&output));
    let table = site.table("remote");
    let (verdict, detail) = &table["tasks/long.c"];
    assert_eq!(verdict, "unknown");
    assert!(detail.starts_with("given up: 3 workers ended while they had it ("), "{detail}");
    site.close();
}

#[test]
fn other_builds_are_refused_by_name_and_what_is_no_job_is_dropped() {
    let Some(mut site) = Site::new("hostile", &[]) else { return };
    // The same program with a byte more is another build.
    let other = site.folder.join("other-assay");
    let mut bytes = std::fs::read(env!("CARGO_BIN_EXE_assay")).unwrap();
    bytes.push(0);
    std::fs::write(&other, bytes).unwrap();
    assert!(Command::new("chmod").arg("+x").arg(&other).status().unwrap().success());
    let mut stranger = Command::new(&other).args(["worker", "--cluster", &site.url(), "--quiet"]).spawn().unwrap();
    site.until("the stranger is there", |status| status["workers"].as_array().unwrap().len() == 1);
    site.write("tasks/a.c", SAFE);
    let url = site.url();
    let batch = site.batch("remote", &["--cluster", &url, "--time-limit", "20s"]).spawn().unwrap();
    let status = site.until("the job waits", |status| status["queues"].as_array().unwrap().iter().any(|queue| queue["waiting"] == 1));
    let build = status["build"].as_str().unwrap().to_string();
    std::thread::sleep(Duration::from_millis(500));
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    // Anybody with the same credentials can publish; what is no job has no effect but on a counter.
    site.publish(&format!("assay.jobs.{build}.x.y"), b"\0no json");
    site.publish(
        &format!("assay.jobs.{build}.x.z"),
        b"\0{\"options\":[[\"witness\",\"/tmp/x\"]],\"folder\":\"a\",\"inputs\":[],\"files\":[],\"headers\":[]}",
    );
    site.publish(&format!("assay.jobs.{build}.odd"), b"\0");
    site.worker();
    let output = batch.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("is another build"), "{}", text(&output));
    let counted = |status: &Value| {
        let worker = &status["workers"][0];
        worker["refused"] == 2 && worker["dropped"] == 1
    };
    site.until("everything is counted", counted);
    site.close();
}

/// Nodes of a portfolio are jobs: the second one finds what the first one looks for in vain, on another worker; a
/// violation is replayed here, a proof keeps its invariants and assumptions, and what workers use counts against the
/// limit.
#[test]
fn nodes_of_a_portfolio_run_on_workers() {
    let Some(mut site) = Site::new("nodes", &[]) else { return };
    site.worker();
    site.worker();
    site.until("both are there", |status| status["workers"].as_array().unwrap().len() == 2);
    site.write("race.toml", "stages = [\"random 0.9\", \"bmc 1\"]\n");
    site.write("needle.c", &UNSAFE.replace("() == 7", "() * 2654435761u == 12345u"));
    site.write("safe.c", "extern void reach_error(void);\nint main(void) {\n  for (unsigned i = 0; i < 100; i++)\n    if (i > 100) reach_error();\n  return 0;\n}\n");
    site.write("long.c", LONG);
    let url = site.url();
    let verify = |words: &[&str]| {
        let mut all = vec!["verify", "--cluster", url.as_str(), "--property", "unreach-call", "--json"];
        all.extend(words);
        let begin = Instant::now();
        let output = site.command(&all).output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)));
        (document, begin.elapsed())
    };
    let (document, time) = verify(&["--time-limit", "200s", "--config", "race.toml", "needle.c"]);
    assert_eq!((&document["verdict"], &document["violated"]), (&Value::from("false"), &Value::from("unreach-call")), "{document:#}");
    assert!(time < Duration::from_secs(60), "the second node waited for the first: {time:?}");
    // Whoever lost is gone at once.
    let begin = Instant::now();
    let roots = || std::fs::read_dir(site.folder.join("tmp")).unwrap().flatten().count();
    while roots() > 0 {
        assert!(begin.elapsed() < Duration::from_secs(5), "a job goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
    let cancelled = begin.elapsed();
    assert!(cancelled < Duration::from_secs(1), "cancelled after {cancelled:?}");
    let (document, _) = verify(&["--time-limit", "60s", "safe.c"]);
    assert_eq!(document["verdict"], "true", "{document:#}");
    assert!(document["notes"].to_string().contains("found by the worker"), "{document:#}");
    let (document, _) = verify(&["--time-limit", "60s", "--config", "interval", "safe.c"]);
    assert_eq!(document["verdict"], "true", "{document:#}");
    let (document, _) = verify(&["--time-limit", "4s", "long.c"]);
    assert_eq!((&document["verdict"], &document["reason"]), (&Value::from("unknown"), &Value::from("time limit")), "{document:#}");
    let cpu = document["seconds"]["total (CPU)"].as_f64().unwrap();
    assert!((2.0..6.0).contains(&cpu), "two workers used {cpu} s of 4 s");
    assert_eq!(site.status()["results"], 0);
    site.close();
}

#[test]
fn credentials_open_the_server_and_nothing_else_does() {
    // An example pair of keys of the server's documentation.
    let config = "authorization { users = [ { user: me, password: secret }, \
                  { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4 } ] }\n";
    let path = std::env::temp_dir().join(format!("assay-cluster-access-{}.conf", std::process::id()));
    std::fs::write(&path, config).unwrap();
    let Some(site) = Site::new("access", &["-c", &path.to_string_lossy()]) else { return };
    site.write("seed", "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY\n");
    let status = |url: &str, more: &[&str]| {
        let mut words = vec!["cluster", "status", url];
        words.extend(more);
        site.command(&words).output().unwrap()
    };
    let (plain, right, wrong) = (site.url(), site.url().replace("//", "//me:secret@"), site.url().replace("//", "//me:guess@"));
    for (url, more, code) in [
        (&plain, vec![], 6),
        (&wrong, vec![], 6),
        (&right, vec![], 0),
        (&plain, vec!["--nkey", "seed"], 0),
        (&plain, vec!["--nkey", "missing"], 6),
        (&plain, vec!["--creds", "seed"], 6),
        (&plain, vec!["--tls-cert", "seed"], 2),
        (&right, vec!["--tls-ca", "seed"], 6),
    ] {
        let output = status(url, &more);
        assert_eq!(output.status.code(), Some(code), "{url} {more:?}: {}", text(&output));
        assert!(!text(&output).contains("secret") && !text(&output).contains("guess"), "{}", text(&output));
    }
    let _ = std::fs::remove_file(path);
}

/// Users who are known by signed tokens: a batch with the file of one of them, and nothing without it.
#[test]
fn a_credentials_file_opens_the_server() {
    let folder = std::env::temp_dir().join(format!("assay-cluster-keys-{}", std::process::id()));
    if credentials::write(&folder).is_none() {
        return eprintln!("skipped: there is no openssl");
    }
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let Some(mut site) = Site::new("tokens", &["-c", &file("server.conf")]) else { return };
    let (url, user, stranger) = (site.url(), file("user.creds"), file("stranger.creds"));
    for (more, code) in [(vec!["--creds", &user], 0), (vec!["--creds", &stranger], 6), (vec![], 6)] {
        let output = site.command(&["cluster", "status", &url]).args(&more).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{more:?}: {}", text(&output));
    }
    let all = ["--cluster", &url, "--creds", &user];
    site.serves_a_batch(&all);
    let _ = std::fs::remove_dir_all(folder);
}

/// An authority, and certificates of it for a server and a client, below a folder; `None` without openssl.
fn certificates(folder: &Path) -> Option<()> {
    std::fs::create_dir_all(folder).ok()?;
    let openssl = |line: &str| {
        let done = Command::new("openssl").args(line.split(' ')).current_dir(folder).output().ok()?;
        assert!(done.status.success(), "openssl {line}: {}", text(&done));
        Some(())
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for authority in ["ca", "other"] {
        openssl(&format!("req -x509 {key} -keyout {authority}.key -out {authority}.pem -days 2 -subj /CN={authority}"))?;
    }
    for (name, extension) in
        [("server", "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth"), ("client", "extendedKeyUsage=clientAuth")]
    {
        std::fs::write(folder.join("extension"), extension).ok()?;
        openssl(&format!("req {key} -keyout {name}.key -out {name}.csr -subj /CN={name}"))?;
        openssl(&format!("x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out {name}.pem -days 2 -extfile extension"))?;
    }
    Some(())
}

/// A server that speaks TLS and wants certificates: a batch and blocks over it, and who is kept out.
#[test]
fn everything_travels_over_tls() {
    let folder = std::env::temp_dir().join(format!("assay-cluster-certificates-{}", std::process::id()));
    if certificates(&folder).is_none() {
        return eprintln!("skipped: there is no openssl");
    }
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let config = format!(
        "tls {{ cert_file: \"{}\", key_file: \"{}\", ca_file: \"{}\", verify: true }}\n\
         authorization {{ user: me, password: secret }}\n",
        file("server.pem"),
        file("server.key"),
        file("ca.pem")
    );
    std::fs::write(folder.join("server.conf"), config).unwrap();
    let Some(mut site) = Site::new("tls", &["-c", &file("server.conf")]) else { return };
    let url = site.url().replace("nats://", "tls://me:secret@");
    let [ca, other, certificate, key] = ["ca.pem", "other.pem", "client.pem", "client.key"].map(file);
    let all = ["--cluster", &url, "--tls-ca", &ca, "--tls-cert", &certificate, "--tls-key", &key];
    let plain = site.url();
    for (words, code) in [
        (vec!["cluster", "status", &url, "--tls-ca", &ca, "--tls-cert", &certificate, "--tls-key", &key], 0),
        // Neither an unknown authority, nor another one, nor a server without a certificate of the client, nor no TLS.
        (vec!["cluster", "status", &url, "--tls-cert", &certificate, "--tls-key", &key], 6),
        (vec!["cluster", "status", &url, "--tls-ca", &other, "--tls-cert", &certificate, "--tls-key", &key], 6),
        (vec!["cluster", "status", &url, "--tls-ca", &ca], 6),
        (vec!["cluster", "status", &plain], 6),
    ] {
        let output = site.command(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", text(&output));
        assert!(!text(&output).contains("secret"), "{}", text(&output));
    }
    site.serves_a_batch(&all);
    // The session of a run over blocks speaks with the server as its worker does.
    site.write("blocks.c", BLOCKS);
    let words = ["verify", "--property", "unreach-call", "--json", "--set", "send-blocks=all", "--config", "bam-value", "blocks.c"];
    let output = site.command(&[&words[..], &all[..]].concat()).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)));
    assert_eq!(document["verdict"], "true", "{document:#}");
    assert!(document["counters"]["summaries from workers"].as_u64().unwrap() > 0, "{document:#}");
    for mut worker in std::mem::take(&mut site.workers) {
        assert!(Command::new("kill").args(["-TERM", &worker.id().to_string()]).status().unwrap().success());
        assert!(worker.wait().unwrap().success());
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// Each block takes some time, and no two calls are in the same state.
const BLOCKS: &str = "extern void reach_error(void);
struct pair { int first; int *second; };
static int total;
int work(int seed, struct pair *p) {
  int x = seed;
  for (int i = 0; i < 20000; i++) x = (x * 3 + i) % 1000;
  p->first = x;
  *p->second += 1;
  total++;
  return x;
}
int main(void) {
  int count = 0;
  struct pair p = {0, &count};
#define STEP(i) { int x = work(i, &p); if (x >= 1000 || p.first != x) reach_error(); }
  STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11)
  if (count != 12 || total != 12) reach_error();
  return 0;
}
";

/// Blocks of memoization are explored by workers: the same verdicts with one and with two, of all presets, also where a
/// worker is killed and where the summaries that are kept are damaged.
#[test]
fn blocks_are_explored_by_workers() {
    let Some(mut site) = Site::new("blocks", &[]) else { return };
    site.worker();
    site.until("one is there", |status| status["workers"].as_array().unwrap().len() == 1);
    let url = site.url();
    let run = |site: &Site, words: &[&str]| {
        let mut all = vec!["verify", "--property", "unreach-call", "--json", "--time-limit", "100s"];
        all.extend(words);
        let output = site.command(&all).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)))
    };
    let eager = ["--cluster", url.as_str(), "--set", "send-blocks=all", "--config"];
    let remote = |site: &Site, config: &str, file: &str| run(site, &[&eager[..], &[config, file]].concat());
    let count = |document: &Value, name: &str| document["counters"][name].as_u64().unwrap_or(0);
    site.write("blocks.c", BLOCKS);
    site.write("violated.c", &BLOCKS.replace("total != 12", "total != 13"));
    let document = run(&site, &[&eager[..], &["bam-value", "blocks.c", "--trace-jobs", "jobs.json"]].concat());
    assert_eq!(document["verdict"], "true", "{document:#}");
    assert!(count(&document, "summaries from workers") >= 12, "{document:#}");
    assert!(count(&document, "summaries checked by workers at the end") > 0, "{document:#}");
    assert_eq!(count(&document, "summaries of workers that were gone at the end"), 0, "{document:#}");
    assert_eq!(count(&document, "damaged answers from workers"), 0, "{document:#}");
    // The timeline has both: what was done here, and what the session did, by its name.
    let trace: Value = serde_json::from_str(&std::fs::read_to_string(site.folder.join("jobs.json")).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let names: Vec<&str> = events.iter().filter(|event| event["ph"] == "M").map(|event| event["args"]["name"].as_str().unwrap()).collect();
    assert!(names.len() == 2 && names[0] == "this process" && names[1].contains('-'), "{names:?}");
    let there = |event: &&Value| event["ph"] == "X" && event["pid"] == 2 && event["dur"].as_f64().unwrap() > 0.0;
    assert!(events.iter().filter(there).count() >= 12 && events.iter().any(|event| event["ph"] == "X" && event["pid"] == 1), "{trace:#}");
    // Another run finds what was kept, and does not believe what was not written by a worker.
    let names = site.summaries();
    assert!(names.len() >= 8, "{names:?}");
    let explored = count(&document, "states explored by workers");
    let document = remote(&site, "bam-value", "blocks.c");
    assert_eq!(document["verdict"], "true", "{document:#}");
    assert!(count(&document, "states explored by workers") < explored / 2, "{document:#}");
    for (number, name) in names.iter().enumerate() {
        site.publish(name, if number % 2 == 0 { b"\0garbage" } else { b"\0" });
    }
    site.worker();
    site.until("both are there", |status| status["workers"].as_array().unwrap().len() == 2);
    let document = remote(&site, "bam-value", "blocks.c");
    assert_eq!(document["verdict"], "true", "{document:#}");
    assert!(count(&document, "damaged summaries on the server") > 0, "{document:#}");
    assert!(count(&document, "states explored by workers") > 0, "{document:#}");
    // A violation behind blocks that were explored elsewhere.
    let document = remote(&site, "bam-value", "violated.c");
    assert_eq!(document["verdict"], "false", "{document:#}");
    let verdicts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts");
    for name in ["block_keeps_relation_to_caller", "recursion_changes_memory", "dangling_pointer_reused_by_malloc"] {
        let path = verdicts.join(format!("{name}.c"));
        let file = path.to_str().unwrap();
        for config in ["bam-value", "bam-value-cegar", "bam-symbolic", "bam-symbolic-cegar", "bam-interval", "bam-bdd"] {
            let (here, there) = (run(&site, &["--config", config, file]), remote(&site, config, file));
            assert_eq!(here["verdict"], there["verdict"], "{name} {config}: {there:#}");
            assert_eq!(count(&there, "damaged answers from workers"), 0, "{name} {config}: {there:#}");
        }
    }
    // One of two dies while it has blocks.
    site.write("long.c", &BLOCKS.replace("20000", "40000"));
    let child =
        site.command(&["verify", "--property", "unreach-call", "--json"]).args(eager).args(["bam-value", "long.c"]).spawn().unwrap();
    site.until("sessions run", |status| status["workers"].as_array().unwrap().iter().all(|worker| worker["busy"] == 1));
    std::thread::sleep(Duration::from_millis(1500));
    site.kill_worker(0);
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)));
    assert_eq!(document["verdict"], "true", "{document:#}");
    // All die; what they explored is not known to be right any more, and is explored again. When that is depends on the
    // machine: the sessions must have begun, and the run must not be over.
    let steps: String = (0..300).map(|step| format!("STEP({step}) ")).collect();
    let (head, tail) = BLOCKS.split_once("  STEP(0)").unwrap();
    let tail = tail.split_once('\n').unwrap().1;
    site.write("many.c", &format!("{head}{steps}\n{tail}").replace("20000", "8000").replace("!= 12", "!= 300"));
    let explored_again = [400, 800, 1500, 2500, 4000, 6000].into_iter().any(|delay| {
        while site.workers.len() < 2 {
            site.worker();
        }
        site.until("two are there", |status| status["workers"].as_array().unwrap().len() == 2);
        let child =
            site.command(&["verify", "--property", "unreach-call", "--json"]).args(eager).args(["bam-value", "many.c"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        site.kill_worker(0);
        site.kill_worker(0);
        let output = child.wait_with_output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)));
        assert_eq!(document["verdict"], "true", "{document:#}");
        count(&document, "summaries of workers that were gone at the end") > 0
    });
    assert!(explored_again);
    // A new one takes away what the dead ones left.
    site.worker();
    assert_eq!(site.command(&["verify", "--serve", "x", "blocks.c"]).output().unwrap().status.code(), Some(2));
    site.close();
}

#[test]
fn a_worker_ends_when_it_is_asked_to_though_the_server_is_gone() {
    let Some(mut site) = Site::new("gone", &[]) else { return };
    site.worker();
    site.until("one worker", |status| status["workers"].as_array().unwrap().len() == 1);
    site.stop_server();
    std::thread::sleep(Duration::from_secs(3));
    let worker = &mut site.workers[0];
    assert!(Command::new("kill").args(["-TERM", &worker.id().to_string()]).status().unwrap().success());
    let begin = Instant::now();
    while worker.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(20), "the worker does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
}
