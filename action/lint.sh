#!/usr/bin/env bash
# Runs reaplint once, with every output there is to be, and leaves its exit code to the last step, so that findings are uploaded
# before they fail the job. Outputs: exit-code, findings, sarif-file, upload.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/common.sh
. "$here/common.sh"

# words NAME TEXT: in `words`, what a shell would split a text into, without anything else that a shell would do.
words() {
    local text
    text=$(printf '%s' "$2" | xargs printf '%s\n') || die "the quotes in the input \`$1\` do not match"
    words=()
    local line
    while IFS= read -r line; do
        [ -z "$line" ] || words+=("$line")
    done <<<"$text"
}

# The commit to compare with, if any, in `base`.
find_base() {
    base=
    case $INPUT_DIFF_BASE in
    none | '') return ;;
    auto) base=$BASE_SHA ;;
    *)
        # What somebody asked for must be there: reaplint says so if it is not.
        base=$INPUT_DIFF_BASE
        return
        ;;
    esac
    [ -n "$base" ] || return 0
    if ! git rev-parse --verify --quiet HEAD >/dev/null; then
        notice "this is no git repository, so that everything is reported and not only what is new"
        base=
        return
    fi
    # What GitHub checks out for a pull request is a merge; what it merged into may be newer than what the event says.
    if [ -n "$HEAD_SHA" ] && [ "$(git rev-parse --verify --quiet HEAD^2)" = "$HEAD_SHA" ]; then
        base=$(git rev-parse HEAD^1)
    fi
    if ! git cat-file -e "$base^{commit}" 2>/dev/null; then
        notice "what this is merged into ($base) is not in this shallow clone, so that everything is reported and not only what is new; give actions/checkout \`fetch-depth: 0\`"
        base=
    elif ! git merge-base HEAD "$base" >/dev/null; then
        notice "this clone is too shallow to tell where the branches parted; give actions/checkout \`fetch-depth: 0\`"
    fi
}

# May the token upload? In `upload`.
find_upload() {
    upload=false
    case $INPUT_UPLOAD_SARIF in
    false) return ;;
    true | auto) ;;
    *) die "the input \`upload-sarif\` is \`auto\`, \`true\` or \`false\`, and not \`$INPUT_UPLOAD_SARIF\`" ;;
    esac
    if ! yes sarif "$INPUT_SARIF"; then
        [ "$INPUT_UPLOAD_SARIF" = auto ] || die "\`upload-sarif\` is \`true\`, and \`sarif\` is \`false\`"
        return 0
    fi
    upload=true
    [ "$INPUT_UPLOAD_SARIF" = auto ] || return 0
    if [ "$GITHUB_EVENT_NAME" = pull_request ] && [ "$HEAD_REPOSITORY" != "$GITHUB_REPOSITORY" ]; then
        upload=false
        notice "a pull request from a fork has a token that may only read: nothing is uploaded to code scanning, see the annotations"
    elif [ "$GITHUB_EVENT_NAME" = pull_request ] && [ "${GITHUB_ACTOR:-}" = "dependabot[bot]" ]; then
        upload=false
        notice "a pull request of Dependabot has a token that may only read: nothing is uploaded to code scanning, see the annotations"
    elif [ "$(may_read_alerts)" = 403 ]; then
        upload=false
        notice "nothing is uploaded to code scanning: the job lacks \`permissions: security-events: write\`, or code scanning is off for this repository"
    fi
}

# GitHub's answer to somebody who asks for alerts: 403 is a no, anything else leaves it to the upload.
may_read_alerts() {
    printf 'authorization: Bearer %s\n' "$INPUT_TOKEN" |
        curl --silent --output /dev/null --write-out '%{http_code}' --max-time 20 --header @- \
            "${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY/code-scanning/analyses?per_page=1" || true
}

cd "$GITHUB_WORKSPACE"
cd -- "$INPUT_WORKING_DIRECTORY" || die "there is no folder \`$INPUT_WORKING_DIRECTORY\` to work in"
# In a container the workspace belongs to somebody else.
count=${GIT_CONFIG_COUNT:-0}
export GIT_CONFIG_COUNT=$((count + 1)) "GIT_CONFIG_KEY_$count=safe.directory" "GIT_CONFIG_VALUE_$count=$GITHUB_WORKSPACE"

work=$(mktemp -d "$RUNNER_TEMP/reaplint.XXXXXX")
find_base
find_upload

options=(--color=always --output-format=full "--output-format=json-lines=$work/findings")
sarif=
if yes sarif "$INPUT_SARIF"; then
    sarif=$work/reaplint.sarif
    options+=("--output-format=sarif=$sarif")
fi
if yes annotations "$INPUT_ANNOTATIONS"; then
    options+=("--output-format=github=$work/annotations")
fi
if yes summary "$INPUT_SUMMARY"; then
    options+=("--output-format=markdown=$work/summary")
fi
while IFS= read -r line; do
    [ -z "$line" ] || options+=("--config=$line")
done <<<"$INPUT_CONFIG"
[ -z "$INPUT_MIN_SEVERITY" ] || options+=("--min-severity=$INPUT_MIN_SEVERITY")
[ -z "$INPUT_MIN_CONFIDENCE" ] || options+=("--min-confidence=$INPUT_MIN_CONFIDENCE")
case $INPUT_FAIL_LEVEL in
'') ;;
none) options+=(--exit-zero) ;;
*) options+=("--fail-level=$INPUT_FAIL_LEVEL") ;;
esac
[ -z "$INPUT_BASELINE" ] || options+=("--baseline=$INPUT_BASELINE")
[ -z "$base" ] || options+=("--diff-base=$base")
words args "$INPUT_ARGS"
options+=(${words[@]+"${words[@]}"})
words paths "$INPUT_PATHS"

# The linted code is quoted, and might hold commands to the runner.
pause=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$pause"
code=0
"$REAPLINT" check "${options[@]}" -- ${words[@]+"${words[@]}"} 2>&1 || code=$?
printf '\n::%s::\n' "$pause"

if [ -f "$work/annotations" ]; then cat "$work/annotations"; fi
if [ -f "$work/summary" ]; then cat "$work/summary" >>"$GITHUB_STEP_SUMMARY"; fi
[ "$code" -le 1 ] || problem "reaplint could not do its job (exit code $code): see what it says above"
# A run that broke off would close alerts that it did not get to see again.
[ "$code" -le 1 ] || upload=false
[ -z "$sarif" ] || [ -f "$sarif" ] || sarif=
[ -n "$sarif" ] || upload=false

findings=
[ ! -f "$work/findings" ] || findings=$(wc -l <"$work/findings" | tr -d ' ')
output exit-code "$code"
output findings "$findings"
output sarif-file "$sarif"
output upload "$upload"
