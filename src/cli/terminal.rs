//! How an output can be written to: colour, Unicode, width.
//!
//! Colour, the first that speaks: `--color always|never`; a non-empty `NO_COLOR` (off); `FORCE_COLOR` or
//! `CLICOLOR_FORCE`, neither empty nor `0` (on); `CLICOLOR=0` or `TERM=dumb` (off); whether the output is a terminal.
//! Box-drawing characters only where a person looks and the locale says UTF-8, so that a log is plain ASCII.

use super::ColorWhen;
use crate::report::Look;

/// The look of an output that is a terminal or not.
pub fn look(when: ColorWhen, is_terminal: bool) -> Look {
    let env = |name: &str| std::env::var(name).ok();
    let color = color(when, is_terminal, env);
    let unicode = (is_terminal || color) && unicode(env);
    let width = if is_terminal { width() } else { Look::PLAIN.width };
    Look { color, unicode, width }
}

fn color(when: ColorWhen, is_terminal: bool, env: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
    let forced = |name: &str| env(name).is_some_and(|value| !value.is_empty() && value != "0");
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto if set("NO_COLOR") => false,
        ColorWhen::Auto if forced("FORCE_COLOR") || forced("CLICOLOR_FORCE") => true,
        ColorWhen::Auto if env("CLICOLOR").as_deref() == Some("0") => false,
        ColorWhen::Auto if env("TERM").as_deref() == Some("dumb") => false,
        ColorWhen::Auto => is_terminal,
    }
}

/// The locale says UTF-8. Windows has no such variable; its terminals of today draw boxes.
fn unicode(env: impl Fn(&str) -> Option<String>) -> bool {
    if cfg!(windows) {
        return true;
    }
    let set = |name: &str| env(name).filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

fn width() -> usize {
    let columns = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.unwrap_or(Look::PLAIN.width).clamp(40, 160)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(vars: &[(&str, &str)], when: ColorWhen, is_terminal: bool) -> bool {
        color(when, is_terminal, |name| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
    }

    #[test]
    fn the_flag_wins() {
        assert!(with(&[("NO_COLOR", "1")], ColorWhen::Always, false));
        assert!(!with(&[("FORCE_COLOR", "1")], ColorWhen::Never, true));
    }

    #[test]
    fn no_color_beats_force_color_unless_empty() {
        assert!(!with(&[("NO_COLOR", "1"), ("FORCE_COLOR", "1")], ColorWhen::Auto, true));
        assert!(with(&[("NO_COLOR", "")], ColorWhen::Auto, true));
        assert!(with(&[("NO_COLOR", ""), ("FORCE_COLOR", "1")], ColorWhen::Auto, false));
    }

    #[test]
    fn forced_on_a_pipe_unless_zero() {
        assert!(with(&[("CLICOLOR_FORCE", "1")], ColorWhen::Auto, false));
        assert!(with(&[("FORCE_COLOR", "yes")], ColorWhen::Auto, false));
        assert!(!with(&[("CLICOLOR_FORCE", "0")], ColorWhen::Auto, false));
        assert!(!with(&[("FORCE_COLOR", "")], ColorWhen::Auto, false));
    }

    #[test]
    fn a_terminal_has_colour_unless_it_says_no() {
        assert!(with(&[], ColorWhen::Auto, true));
        assert!(!with(&[], ColorWhen::Auto, false));
        assert!(!with(&[("TERM", "dumb")], ColorWhen::Auto, true));
        assert!(!with(&[("CLICOLOR", "0")], ColorWhen::Auto, true));
    }
}
