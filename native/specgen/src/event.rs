//! Events, and parameters, which functions have too.

/// A parameter of a function, an event or a callback type.
#[derive(Debug, Clone)]
pub struct Parameter {
    pub name: String,
    pub c_type: String,
    /// Whether it may be null.
    pub nullable: bool,
    /// The parameter that tells how long it is.
    pub count: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Event {
    pub number: u32,
    pub name: String,
    pub constant: String,
    pub since: u32,
    /// Whether the VM can tell of some threads only.
    pub by_thread: bool,
    pub requires: Vec<String>,
    pub enhanced_by: Vec<String>,
    /// Of one that the specification does not have: what HotSpot calls it. It has no number.
    pub id: Option<String>,
    pub parameters: Vec<Parameter>,
}
