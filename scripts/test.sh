#!/usr/bin/env bash
# Everything that has to hold: formatting, generated code up to date, the tests.
#   --tsan        the tests under ThreadSanitizer, one at a time, in a build folder of their own
#   --filter RE   only the tests whose names match
# Other arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck disable=SC2206
flags=(${MERO_BUILD_FLAGS:-})
arguments=()
only_tests=false
under_tsan=false
while [ $# -gt 0 ]; do
  case $1 in
  --tsan)
    flags+=(--sanitize=thread --scratch-path .build/tsan)
    only_tests=true
    under_tsan=true
    ;;
  --filter)
    arguments+=(--filter "${2:?--filter needs a pattern}")
    only_tests=true
    shift
    ;;
  *) arguments+=("$1") ;;
  esac
  shift
done

scripts/bootstrap.sh

if [ "$only_tests" = false ]; then
  printf 'checking the formatting …\n' >&2
  swift format lint --strict --recursive --parallel Package.swift Sources Tests
fi

export MERO_BUILD_FLAGS="${flags[*]:-}"
scripts/build.sh "the tests" --build-tests

if [ "$only_tests" = false ]; then
  printf 'checking that the generated code is up to date …\n' >&2
  scripts/generate-openapi.sh check
fi

# The sanitizer makes everything some ten times slower. Tests side by side would then take each other's time, and those
# that wait for what must come within a minute would wait in vain; one test alone has races enough to be seen.
together=()
[ "$under_tsan" = false ] || together=(--no-parallel)

# Otherwise all tests begin at once, each with a cluster of its own: thousands of sockets, and memory for nothing.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-16}

run_tests() {
  swift test --skip-build ${flags[@]+"${flags[@]}"} ${arguments[@]+"${arguments[@]}"} \
    ${together[@]+"${together[@]}"} "$@"
}

# Tests over real sockets wait in real time, and must not wait for those that keep every core busy.
on_sockets='^(MeroHTTPTests|LocalClusterTests|MeroToolTests|MeroKitTests\.SocketStatementTests)[./]'
if [ ${#arguments[@]} -gt 0 ]; then
  printf 'testing …\n' >&2
  run_tests
else
  printf 'testing over sockets …\n' >&2
  run_tests --filter "$on_sockets"
  printf 'testing all the rest …\n' >&2
  run_tests --skip "$on_sockets"
fi
