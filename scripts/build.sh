#!/usr/bin/env bash
# Builds quietly: one line before, one after; the compiler's words only when it fails.
# usage: scripts/build.sh WHAT ARGUMENTS-OF-SWIFT-BUILD…
# MERO_BUILD_FLAGS holds further flags for the compiler driver; every script passes the same ones, so that
# nothing is built twice.
set -euo pipefail
cd "$(dirname "$0")/.."

what=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
started=$(date +%s)
printf 'building %s (the first time takes some minutes) …\n' "$what" >&2
# shellcheck disable=SC2086
if ! swift build "$@" ${MERO_BUILD_FLAGS:-} >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
printf 'built %s in %s s\n' "$what" "$(($(date +%s) - started))" >&2
