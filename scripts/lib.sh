# Shared by the scripts beside it. Sourced, not run.
# shellcheck shell=bash

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/versions.sh
. "$root/scripts/versions.sh"

tools_dir=$root/.tools
export PATH="$tools_dir/bin:$PATH"
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}

say() { printf '%s\n' "$*" >&2; }
die() {
    say "error: $*"
    exit 1
}

# stage NAME COMMAND…: run a step, say how long it took, remember it for `stage_times`.
stage() {
    local name=$1 start=$SECONDS took
    shift
    printf '\n=== %s\n' "$name"
    if ! "$@"; then
        die "stage '$name' failed: $*"
    fi
    took=$((SECONDS - start))
    printf '=== %s: %d s\n' "$name" "$took"
    if [ -n "${WIRELINE_STAGE_LOG:-}" ]; then
        printf '%6d s  %s\n' "$took" "$name" >>"$WIRELINE_STAGE_LOG"
    fi
}
