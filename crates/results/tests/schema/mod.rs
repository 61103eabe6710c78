//! Checks witnesses against the fields that their formats demand, on the parsed document: it does not trust the writer.

use yaml_rust2::{Yaml, YamlLoader};

/// Checks a witness of format 2.0; gives its entry type.
pub(crate) fn check_yaml(text: &str) -> Result<&'static str, String> {
    let documents = YamlLoader::load_from_str(text).map_err(|error| error.to_string())?;
    let [document] = documents.as_slice() else { return Err("not one document".into()) };
    let entries = document.as_vec().ok_or("the document is no list")?;
    let [entry] = entries.as_slice() else { return Err("not one entry".into()) };
    fields(entry, &["entry_type", "metadata", "content"], &[])?;
    metadata(&entry["metadata"])?;
    let content = entry["content"].as_vec().ok_or("content is no list")?;
    match entry["entry_type"].as_str() {
        Some("violation_sequence") => violation(content).map(|()| "violation_sequence"),
        Some("invariant_set") => content.iter().try_for_each(invariant).map(|()| "invariant_set"),
        other => Err(format!("entry_type {other:?}")),
    }
}

fn metadata(metadata: &Yaml) -> Result<(), String> {
    fields(metadata, &["format_version", "uuid", "creation_time", "producer", "task"], &[])?;
    if metadata["format_version"].as_str() != Some("2.0") {
        return Err("format_version".into());
    }
    if text(&metadata["uuid"])?.len() != 36 || text(&metadata["creation_time"])?.len() != 20 {
        return Err("uuid or creation_time".into());
    }
    fields(&metadata["producer"], &["name", "version"], &["configuration", "command_line", "description"])?;
    let task = &metadata["task"];
    fields(task, &["input_files", "input_file_hashes", "specification", "data_model", "language"], &[])?;
    let files = task["input_files"].as_vec().ok_or("input_files is no list")?;
    for file in files {
        let hash = text(&task["input_file_hashes"][text(file)?])?;
        if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(format!("the hash {hash}"));
        }
    }
    if !matches!(text(&task["data_model"])?, "ILP32" | "LP64") || text(&task["language"])? != "C" {
        return Err("data_model or language".into());
    }
    text(&task["specification"])?.starts_with("CHECK(").then_some(()).ok_or("specification".into())
}

fn violation(content: &[Yaml]) -> Result<(), String> {
    for (index, item) in content.iter().enumerate() {
        fields(item, &["segment"], &[])?;
        let waypoints = item["segment"].as_vec().ok_or("segment is no list")?;
        let (last, before) = waypoints.split_last().ok_or("an empty segment")?;
        for waypoint in before {
            if waypoint["waypoint"]["action"].as_str() != Some("avoid") {
                return Err("a follow that is not the last of its segment".into());
            }
        }
        let point = &last["waypoint"];
        let kind = text(&point["type"])?;
        if text(&point["action"])? != "follow" {
            return Err("a segment without follow".into());
        }
        if (kind == "target") != (index + 1 == content.len()) {
            return Err(format!("{kind} is segment {index} of {}", content.len()));
        }
        let (constrained, format): (bool, &[&str]) = match kind {
            "target" | "function_enter" => (false, &[]),
            "branching" => (true, &[]),
            "assumption" => (true, &["c_expression"]),
            "function_return" => (true, &["acsl_expression"]),
            other => return Err(format!("type {other}")),
        };
        let required: &[&str] = if constrained { &["type", "action", "location", "constraint"] } else { &["type", "action", "location"] };
        fields(point, required, &[])?;
        location(&point["location"])?;
        if constrained {
            let constraint = &point["constraint"];
            fields(constraint, &["value"], &["format"])?;
            text(&constraint["value"])?;
            if !format.is_empty() && !format.contains(&text(&constraint["format"])?) {
                return Err("the format of a constraint".into());
            }
        }
    }
    if content.is_empty() { Err("no segment".into()) } else { Ok(()) }
}

fn invariant(item: &Yaml) -> Result<(), String> {
    fields(item, &["invariant"], &[])?;
    let invariant = &item["invariant"];
    fields(invariant, &["type", "location", "value", "format"], &[])?;
    if !matches!(text(&invariant["type"])?, "loop_invariant" | "location_invariant") || text(&invariant["format"])? != "c_expression" {
        return Err("type or format of an invariant".into());
    }
    text(&invariant["value"])?;
    location(&invariant["location"])
}

fn location(location: &Yaml) -> Result<(), String> {
    fields(location, &["file_name", "line"], &["column", "function"])?;
    text(&location["file_name"])?;
    let positive = |value: &Yaml| value.as_i64().is_some_and(|n| n >= 1);
    let column = &location["column"];
    (positive(&location["line"]) && (column.is_badvalue() || positive(column))).then_some(()).ok_or("line or column".into())
}

fn text(value: &Yaml) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("{value:?} is no text"))
}

/// Exactly the required keys, and no others than the optional ones.
fn fields(value: &Yaml, required: &[&str], optional: &[&str]) -> Result<(), String> {
    let map = value.as_hash().ok_or_else(|| format!("{value:?} is no mapping"))?;
    let keys: Vec<&str> = map.keys().filter_map(Yaml::as_str).collect();
    let missing = required.iter().find(|key| !keys.contains(key));
    let surplus = keys.iter().find(|key| !required.contains(key) && !optional.contains(key));
    match (missing, surplus) {
        (Some(key), _) => Err(format!("{key} is missing")),
        (_, Some(key)) => Err(format!("{key} is not known")),
        _ => Ok(()),
    }
}

/// Checks a witness of format 1.0.
pub(crate) fn check_graphml(text: &str) -> Result<(), String> {
    let document = roxmltree::Document::parse(text).map_err(|error| error.to_string())?;
    let named = |name: &'static str| document.descendants().filter(move |node| node.has_tag_name(name));
    let declared: Vec<&str> = named("key").filter_map(|key| key.attribute("id")).collect();
    if let Some(data) = named("data").find(|data| !data.attribute("key").is_some_and(|key| declared.contains(&key))) {
        return Err(format!("{data:?} has no declared key"));
    }
    let graph = named("graph").next().ok_or("no graph")?;
    let of_graph: Vec<&str> = graph.children().filter_map(|child| child.attribute("key")).collect();
    for key in ["witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash", "architecture", "creationtime"]
    {
        if !of_graph.contains(&key) {
            return Err(format!("{key} is missing"));
        }
    }
    let nodes: Vec<&str> = named("node").filter_map(|node| node.attribute("id")).collect();
    let marked = |key: &str| named("data").filter(|data| data.attribute("key") == Some(key) && data.text() == Some("true")).count();
    if marked("entry") != 1 || marked("violation") != 1 {
        return Err("not one entry and one violation".into());
    }
    let ends =
        |edge: &roxmltree::Node<'_, '_>| ["source", "target"].iter().all(|end| edge.attribute(*end).is_some_and(|id| nodes.contains(&id)));
    if named("edge").all(|edge| ends(&edge)) { Ok(()) } else { Err("an edge without ends".into()) }
}
