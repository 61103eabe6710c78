//! A task on its way: options, files by their hash, and where each of them lies. Nothing in it is believed where it
//! arrives: options are those of a list, paths stay below the worker's folder, and headers of the system have to be the
//! same on both sides.

use crate::batch::sources;
use assay_cluster::{Cluster, ClusterError};
use assay_results::task::sha256;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Options of `assay verify` that travel. What reads or writes other files, or starts other programs, is not among
/// them.
const OPTIONS: &[&str] = &[
    "property",
    "max-violations",
    "data-model",
    "entry",
    "rules",
    "outside-pointers",
    "externals",
    "malloc-may-fail",
    "models",
    "include",
    "std",
    "define",
    "config",
    "set",
    "unwind",
    "time-limit",
    "memory-limit",
    "threads",
    "serve",
];
/// Of these the value may be a path.
const PATHS: &[&str] = &["property", "models", "include", "config"];
/// Keys of `--set` that name files or programs.
const LOCAL_KEYS: &[&str] = &["cache", "trace-jobs", "dump-queries", "solver"];
/// More files than this no program has.
const MOST_FILES: usize = 10_000;

/// What one side packs and the other takes apart.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Packed {
    options: Vec<(String, Value)>,
    /// The working directory, from the root.
    folder: String,
    /// As the command line had them.
    inputs: Vec<String>,
    /// Paths from the root, and hashes.
    files: Vec<(String, String)>,
    headers: Vec<(String, String)>,
}

/// Whether an option of `assay verify` can be sent to workers.
pub(crate) fn travels(name: &str) -> bool {
    OPTIONS.contains(&name)
}

/// Whether an option's value names a file or a folder, and is no name of ours.
fn is_path(name: &str, value: &str) -> bool {
    match name {
        "include" | "models" => true,
        "property" | "config" => Path::new(value).is_file(),
        _ => false,
    }
}

impl Packed {
    /// Packs a task, and puts its files on the server.
    pub(crate) fn pack(options: &[(String, Option<String>)], inputs: &[PathBuf], cluster: &Cluster) -> Result<Packed, String> {
        let mut packed = Packed { folder: rooted(Path::new("."))?, ..Packed::default() };
        let mut named: Vec<PathBuf> = inputs.to_vec();
        let mut include = vec![];
        for (name, value) in options {
            let travels = OPTIONS.contains(&name.as_str()) && !value.as_deref().is_some_and(|value| name == "set" && is_local(value));
            if !travels {
                let value = value.as_deref().unwrap_or_default();
                return Err(format!("--{name} {value} means something on this machine only, and cannot be sent to workers"));
            }
            let value = match value {
                Some(value) if is_path(name, value) => {
                    let path = PathBuf::from(value);
                    match name.as_str() {
                        "include" => include.push(path.clone()),
                        "models" => named.extend(sources::c_files(&path)),
                        _ => named.push(path.clone()),
                    }
                    json!({"path": rooted(&path)?})
                }
                Some(value) => json!(value),
                None => Value::Null,
            };
            packed.options.push((name.clone(), value));
        }
        packed.inputs = inputs.iter().map(|input| input.to_string_lossy().into_owned()).collect();
        for (path, content) in sources::closure(&named, &include).map_err(|error| error.to_string())? {
            let hash = sha256(&content);
            if sources::is_system(&path) {
                packed.headers.push((path.to_string_lossy().into_owned(), hash));
            } else {
                cluster.put_content(&content).map_err(|error| error.to_string())?;
                packed.files.push((rooted(&path)?, hash));
            }
        }
        Ok(packed)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Packed { options, folder, inputs, files, headers } = self;
        json!({"options": options, "folder": folder, "inputs": inputs, "files": files, "headers": headers}).to_string().into_bytes()
    }

    /// Reads a job; anything that is not one is refused with a reason.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Packed, String> {
        let document: Value = serde_json::from_slice(bytes).map_err(|_| "a job is no JSON document".to_string())?;
        let list =
            |key: &str| document[key].as_array().filter(|list| list.len() <= MOST_FILES).ok_or(format!("a job has no list of {key}"));
        let text = |value: &Value| value.as_str().map(str::to_string).ok_or("a job has a value of another kind".to_string());
        let pair = |value: &Value| Ok::<_, String>((text(&value[0])?, text(&value[1])?));
        let mut packed = Packed { folder: text(&document["folder"])?, ..Packed::default() };
        for value in list("options")? {
            let name = text(&value[0])?;
            let value = value[1].clone();
            let plain = value.as_str().unwrap_or_default();
            let allowed = match name.as_str() {
                _ if !OPTIONS.contains(&name.as_str()) => false,
                "set" => !is_local(plain),
                _ if PATHS.contains(&name.as_str()) && value.is_string() => !plain.contains('/') && !plain.ends_with(".prp"),
                _ => true,
            };
            let form = value.is_null() || value.is_string() || (PATHS.contains(&name.as_str()) && value["path"].is_string());
            if !allowed || !form {
                return Err(format!("a job has the option --{}, which workers do not take", name.chars().take(40).collect::<String>()));
            }
            packed.options.push((name, value));
        }
        packed.inputs = list("inputs")?.iter().map(text).collect::<Result<_, _>>()?;
        packed.files = list("files")?.iter().map(pair).collect::<Result<_, _>>()?;
        packed.headers = list("headers")?.iter().map(pair).collect::<Result<_, _>>()?;
        Ok(packed)
    }

    /// Lays the files out below a folder; gives the working directory and the words of the command line.
    pub(crate) fn lay_out(&self, root: &Path, cluster: &Cluster) -> Result<(PathBuf, Vec<OsString>), String> {
        for (path, hash) in &self.headers {
            let path = Path::new(path);
            if !sources::is_system(path) || path.components().any(|part| part == Component::ParentDir) {
                return Err("a job names a header that is none of the system's".to_string());
            }
            if std::fs::read(path).map(|content| sha256(&content)).ok().as_ref() != Some(hash) {
                return Err(format!("the header {} is another one on this worker", path.display()));
            }
        }
        let io = |error: std::io::Error| format!("the files of a job cannot be written: {error}");
        for (path, hash) in &self.files {
            let place = below(root, path)?;
            let content = cluster.content(hash).map_err(|error| match error {
                ClusterError::Missing(_) => format!("the file {path} is not on the server any more"),
                other => other.to_string(),
            })?;
            std::fs::create_dir_all(place.parent().unwrap_or(root)).map_err(io)?;
            std::fs::write(place, &**content).map_err(io)?;
        }
        let folder = below(root, &self.folder)?;
        std::fs::create_dir_all(&folder).map_err(io)?;
        let mut words: Vec<OsString> = vec![];
        for (name, value) in &self.options {
            words.push(match (value.as_str(), value["path"].as_str()) {
                (Some(text), _) => format!("--{name}={text}").into(),
                (None, Some(path)) => {
                    let place = below(root, path)?;
                    // A folder without files of the program is there all the same.
                    if matches!(name.as_str(), "include" | "models") {
                        std::fs::create_dir_all(&place).map_err(io)?;
                    }
                    let mut word = OsString::from(format!("--{name}="));
                    word.push(place);
                    word
                }
                (None, None) => format!("--{name}").into(),
            });
        }
        words.push("--".into());
        for input in &self.inputs {
            let path = Path::new(input);
            let (place, word) = match path.strip_prefix("/") {
                Ok(rest) => (root.join(rest), root.join(rest)),
                Err(_) => (folder.join(path), path.to_path_buf()),
            };
            let place = sources::absolute(&place).map_err(io)?;
            let known = self.files.iter().any(|(path, _)| below(root, path).is_ok_and(|file| file == place));
            if !known {
                return Err("a job names an input that is not among its files".to_string());
            }
            words.push(word.into_os_string());
        }
        Ok((folder, words))
    }

    /// The value of an option, if the job has it.
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(given, _)| given == name).and_then(|(_, value)| value.as_str())
    }

    /// Adds settings before those that are there, which then have the last word.
    pub(crate) fn put_settings_first(&mut self, settings: &[(String, String)]) {
        let settings = settings.iter().map(|(key, value)| ("set".to_string(), json!(format!("{key}={value}"))));
        self.options.splice(0..0, settings);
    }

    /// Gives an option another value.
    pub(crate) fn set_option(&mut self, name: &str, value: String) {
        self.options.retain(|(given, _)| given != name);
        self.options.push((name.to_string(), json!(value)));
    }
}

fn is_local(setting: &str) -> bool {
    let key = setting.split('=').next().unwrap_or_default().trim();
    LOCAL_KEYS.contains(&key)
}

/// A path from the root of the file system, without the root.
fn rooted(path: &Path) -> Result<String, String> {
    let path = sources::absolute(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = path.strip_prefix("/").unwrap_or(&path).to_str().map(str::to_string);
    text.ok_or_else(|| format!("{} is not valid UTF-8", path.display()))
}

/// A path below a folder, and never outside of it.
fn below(root: &Path, path: &str) -> Result<PathBuf, String> {
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) && !path.contains('\0');
    if plain { Ok(root.join(path)) } else { Err("a job names a file outside of its folder".to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_options(options: &Value) -> Result<Packed, String> {
        let document = json!({"options": options, "folder": "w", "inputs": ["a.c"], "files": [["w/a.c", "00"]], "headers": []});
        Packed::from_bytes(document.to_string().as_bytes())
    }

    #[test]
    fn a_job_is_read_back_as_it_was() {
        let packed = with_options(&json!([["property", {"path": "w/p.prp"}], ["malloc-may-fail", null], ["set", "order=dfs"]])).unwrap();
        assert_eq!(Packed::from_bytes(&packed.to_bytes()), Ok(packed));
    }

    #[test]
    fn hostile_jobs_are_refused() {
        for options in [
            json!([["witness", "/etc/passwd"]]),
            json!([["cache", "/tmp/x"]]),
            json!([["set", "solver=/bin/sh"]]),
            json!([["set", " dump-queries =/tmp/x"]]),
            json!([["config", "/etc/passwd"]]),
            json!([["property", "../x.prp"]]),
            json!([["time-limit", {"path": "x"}]]),
            json!([["time-limit", 3]]),
            json!("none"),
        ] {
            assert!(with_options(&options).is_err(), "{options}");
        }
        for path in ["/etc/passwd", "../x", "a/../../x", "./x", ""] {
            assert!(path.is_empty() || below(Path::new("/r"), path).is_err(), "{path}");
        }
        assert!(Packed::from_bytes(b"{}").is_err() && Packed::from_bytes(&[0xFF, 0]).is_err());
    }
}
