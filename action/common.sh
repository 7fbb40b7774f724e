# What the scripts of the action share. Sourced.
# shellcheck shell=bash

# The text of a workflow command: a line end would end it, and the rest might be a command of its own.
escaped() {
    local text=$1
    text=${text//'%'/%25}
    text=${text//$'\r'/%0D}
    text=${text//$'\n'/%0A}
    printf '%s' "$text"
}

notice() { printf '::notice title=reaplint::%s\n' "$(escaped "$1")"; }
problem() { printf '::error title=reaplint::%s\n' "$(escaped "$1")"; }

die() {
    problem "$1"
    exit "${2:-2}"
}

# output NAME VALUE: for the steps that follow.
output() {
    case $2 in *$'\n'*) die "an output of the action may not hold a line end: $1" ;; esac
    printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# yes NAME VALUE: is an input that is either `true` or `false`, true?
yes() {
    case $2 in
    true) return 0 ;;
    false) return 1 ;;
    *) die "the input \`$1\` is \`true\` or \`false\`, and not \`$2\`" ;;
    esac
}
