//! Takes a pack of costumes away.

use std::fs;
use std::io;
use std::path::Path;

pub fn take_away(pack: &Path, wardrobe: &Path) -> io::Result<()> {
    let shared: Vec<String> = match fs::read_to_string(pack.join("shared.txt")) {
        Ok(text) => text.lines().map(ToString::to_string).collect(),
        Err(e) if e.kind() == io::ErrorKind::NotFound => vec![],
        Err(e) => return Err(e),
    };
    let parts: Vec<String> = fs::read_to_string(pack.join("parts.txt"))?
        .lines()
        .filter(|line| !shared.iter().any(|s| s == *line))
        .map(ToString::to_string)
        .collect();
    for part in parts {
        fs::remove_dir_all(wardrobe.join(&part))?;
    }
    Ok(())
}
