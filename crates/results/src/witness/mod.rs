//! Witnesses that other tools can check: SV-COMP's format 2.0 (YAML) and 1.0 (GraphML).

mod graphml;
mod waypoints;
mod yaml;

pub use graphml::{correctness_graphml, violation_graphml};
pub use waypoints::{Waypoint, WaypointKind, waypoints};
pub use yaml::{correctness_yaml, violation_yaml};
