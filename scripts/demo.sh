#!/usr/bin/env bash
# The main job on this machine: builds what is needed, starts the local cluster, walks the whole journey.
# Arguments go to `mero demo` (`--json` for machines, `--help`).
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/bootstrap.sh
scripts/build.sh "mero" --product mero
# shellcheck disable=SC2086
binaries=$(swift build --show-bin-path ${MERO_BUILD_FLAGS:-})
exec "$binaries/mero" demo "$@"
