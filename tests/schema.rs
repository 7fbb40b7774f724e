//! The JSON schema of configuration files, which editors read: it is made from the types, and kept here by this test.

use reaplint::config::table::Table;
use std::path::Path;

#[test]
fn the_schema_in_the_repository_is_that_of_the_types() {
    let schema = schemars::schema_for!(Table);
    let made = serde_json::to_string_pretty(&schema).expect("a schema") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reaplint.schema.json");
    if std::env::var_os("REAPLINT_UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &made).expect("the schema is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "the schema is out of date: run this test with REAPLINT_UPDATE_SCHEMA=1");
}

#[test]
fn every_key_is_described() {
    let schema = serde_json::to_value(schemars::schema_for!(Table)).expect("a schema");
    let keys = schema["properties"].as_object().expect("keys");
    assert!(keys.len() > 15);
    for (key, said) in keys {
        assert!(said["description"].as_str().is_some_and(|text| text.len() > 10), "{key}");
    }
    let call = &schema["$defs"]["CallSource"]["properties"];
    assert!(call["target"]["description"].is_string());
}
