#!/usr/bin/env bash
# Puts reaplint where the next step finds it: a release whose SHA-256 is in checksums.txt, or what is built from the source beside
# this file, or what is on the PATH. Outputs: program, version.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/common.sh
. "$here/common.sh"

exe=
[ "${RUNNER_OS:-}" != Windows ] || exe=.exe

finish() {
    local said
    said=$("$1" --version) || die "$1 does not run on this machine"
    echo "$said"
    output program "$1"
    output version "${said##* }"
    exit 0
}

sha256() {
    if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d' ' -f1
}

asset() {
    local system
    case ${RUNNER_OS:-} in
    # Without a C library of the system's, so that it runs on any.
    Linux) system=unknown-linux-musl.tar.gz ;;
    macOS) system=apple-darwin.tar.gz ;;
    Windows) system=pc-windows-msvc.zip ;;
    *) return 1 ;;
    esac
    case ${RUNNER_ARCH:-} in
    X64) echo "reaplint-x86_64-$system" ;;
    ARM64) echo "reaplint-aarch64-$system" ;;
    *) return 1 ;;
    esac
}

# known VERSION ASSET: its SHA-256, if there is such a release.
known() { awk -v version="$1" -v asset="$2" '$1 == version && $3 == asset { print $2 }' "$here/checksums.txt"; }

unpack() {
    case $1 in
    *.tar.gz) tar -xzf "$1" -C "$2" ;;
    *) if command -v unzip >/dev/null; then unzip -q "$1" -d "$2"; else "$SYSTEMROOT/System32/tar.exe" -xf "$1" -C "$2"; fi ;;
    esac
}

# download VERSION ASSET SHA256 FOLDER
download() {
    local work repository=${ACTION_REPOSITORY:-$GITHUB_REPOSITORY}
    local url=${GITHUB_SERVER_URL:-https://github.com}/$repository/releases/download/v$1/$2
    work=$(mktemp -d "$RUNNER_TEMP/reaplint.XXXXXX")
    echo "downloading $url"
    curl --fail --silent --show-error --location --retry 3 --output "$work/$2" "$url" || die "$url cannot be downloaded"
    local sum
    sum=$(sha256 "$work/$2")
    [ "$sum" = "$3" ] || die "$url is not what was released: its SHA-256 is $sum, and not $3"
    if yes verify-attestation "${INPUT_VERIFY_ATTESTATION:-false}"; then
        GH_TOKEN=$INPUT_TOKEN gh attestation verify "$work/$2" --repo "$repository" ||
            die "GitHub does not attest that $2 was built by a workflow of $repository"
    fi
    mkdir "$work/unpacked"
    unpack "$work/$2" "$work/unpacked"
    mkdir -p "$4"
    # The last step in one piece: another job of this machine may be at it as well.
    mv -f "$work/unpacked"/*/"reaplint$exe" "$4/reaplint$exe"
    rm -rf "$work"
}

build() {
    command -v cargo >/dev/null ||
        die "no release belongs to this revision of the action, and there is no cargo to build it with; name a release by \`version\`"
    echo "no release belongs to this revision of the action: building it from its source"
    # Not in the tool cache: that outlives the job, and the next revision has the same version.
    local target=${CARGO_TARGET_DIR:-$RUNNER_TEMP/reaplint-target}
    (cd "$here/.." && CARGO_TARGET_DIR=$target cargo build --locked --release --bin reaplint) || die "reaplint cannot be built"
    finish "$target/release/reaplint$exe"
}

version=${INPUT_VERSION#v}
if [ "$version" = none ]; then
    program=$(command -v reaplint) || die "\`version\` is \`none\`, and no reaplint is on the PATH"
    finish "$program"
fi
asked=$version
[ -n "$asked" ] || version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$here/../Cargo.toml" | head -n 1)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.+-]*$ ]] || die "\`version\` is a version as in \`1.2.3\`, or \`none\`, and not \`$version\`"

sum=
if name=$(asset); then
    sum=$(known "$version" "$name")
fi
if [ -z "$sum" ]; then
    [ -z "$asked" ] || die "this revision of the action knows no release $version for $RUNNER_OS on $RUNNER_ARCH; it knows: $(
        awk '!/^#/ && NF { print $1 }' "$here/checksums.txt" | sort -u | paste -sd' ' -
    )"
    build
fi
folder=${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}/reaplint/$version/$RUNNER_ARCH
if [ ! -x "$folder/reaplint$exe" ]; then
    download "$version" "$name" "$sum" "$folder"
fi
finish "$folder/reaplint$exe"
