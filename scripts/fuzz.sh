#!/usr/bin/env bash
# Throws changed inputs at the readers of foreign bytes, guided by what code they reach (libFuzzer), and says what did
# not hold.
#   fuzz.sh [--seconds N] [TARGET…]   N seconds for each target (60), all targets unless some are named
#   fuzz.sh --list                    the targets
#   fuzz.sh --run TARGET FILE…        runs a finding again
# One line per target: inputs tried, edges of the code reached, result. A finding is kept in .build/fuzz/findings and
# makes the exit status 1. What was learnt stays in .build/fuzz/corpus, so that the next run begins there.
# Needs a toolchain with libFuzzer: swift.org's on Linux has it, Xcode's has not.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.build/fuzz
findings=$folder/findings
seconds=60
targets=()
mode=fuzz

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"; }

fail() {
  printf 'fuzz: %s\n' "$1" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
  --help | -h)
    usage
    exit 0
    ;;
  --seconds)
    seconds=${2:-}
    [[ $seconds =~ ^[1-9][0-9]*$ ]] || fail "--seconds needs a number of seconds"
    shift
    ;;
  --list) mode=list ;;
  --run) mode=run ;;
  -*) fail "unknown option $1; --help says what there is" ;;
  *) targets+=("$1") ;;
  esac
  shift
done

scripts/bootstrap.sh
export MERO_FUZZ=1
MERO_BUILD_FLAGS="-c release --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing --scratch-path $folder ${MERO_BUILD_FLAGS:-}"
export MERO_BUILD_FLAGS
scripts/build.sh "the fuzz targets" --product Fuzz
# shellcheck disable=SC2086
fuzz=$(swift build --show-bin-path $MERO_BUILD_FLAGS)/Fuzz
# Fixtures live as long as the program; that is no leak.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
# Swift's own report of a crash takes seconds; --run prints it.
export SWIFT_BACKTRACE=enable=no
limits=(-timeout=5 -rss_limit_mb=2048 -malloc_limit_mb=512 -max_len=65536)

all=$("$fuzz" --list)
dictionary_of() { printf '%s\n' "$all" | awk -v name="$1" '$1 == name { print $2 }'; }

if [ "$mode" = list ]; then
  printf '%s\n' "$all" | cut -d ' ' -f 1
  exit 0
fi

if [ "$mode" = run ]; then
  [ ${#targets[@]} -ge 2 ] || fail "--run needs a target and a file"
  SWIFT_BACKTRACE=enable=yes,color=no exec "$fuzz" "${limits[@]}" "${targets[@]:1}" -ignore_remaining_args=1 "${targets[0]}"
fi

if [ ${#targets[@]} -eq 0 ]; then
  while read -r name _; do targets+=("$name"); done <<<"$all"
fi
for target in "${targets[@]}"; do
  [ -n "$(dictionary_of "$target")" ] || fail "there is no target $target; --list names them"
done

shared=()
if [ -f ../shared/data/tee/quotes/cases.json ]; then
  shared=(../shared/data/tee)
else
  printf 'fuzz: there is no ../shared/data/tee beside the package; made-up seeds only\n' >&2
fi

# Fuzzes one target and prints its line; 1 for a finding.
fuzz_target() {
  local target=$1 dictionary seeds corpus log
  local flags=()
  seeds=$folder/seeds/$target
  corpus=$folder/corpus/$target
  log=$folder/logs/$target.log
  rm -rf "$seeds"
  mkdir -p "$seeds" "$corpus" "$findings/$target" "$folder/logs"
  "$fuzz" --seeds "$seeds" ${shared[@]+"${shared[@]}"} "$target" || exit 2
  dictionary=$(dictionary_of "$target")
  [ "$dictionary" = - ] || flags+=("-dict=Tests/Fuzz/Dictionaries/$dictionary.dict")
  local status=0 executions coverage
  flags+=("${limits[@]}" "-artifact_prefix=$findings/$target/")
  if [ -n "$(ls "$seeds/large")" ]; then
    "$fuzz" "${flags[@]}" "$seeds"/large/* -ignore_remaining_args=1 "$target" >"$log" 2>&1 || status=$?
  fi
  if [ "$status" -eq 0 ]; then
    "$fuzz" -max_total_time="$seconds" -print_final_stats=1 "${flags[@]}" "$corpus" "$seeds/small" \
      -ignore_remaining_args=1 "$target" >"$log" 2>&1 || status=$?
  fi
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  coverage=$(sed -n 's/^#.* cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
  local result="nothing found"
  if [ "$status" -ne 0 ]; then
    result=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    if [ -z "$result" ]; then
      # One of the large inputs, of which libFuzzer keeps no copy.
      result=$findings/$target/large
      cp "$(sed -n 's/^Running: //p' "$log" | tail -n 1)" "$result" || result="see $log"
    fi
    result="FOUND: $result"
    grep -m 3 -E 'Fatal error|ERROR: (AddressSanitizer|libFuzzer)' "$log" | sed 's/^/    /' >&2 || true
  fi
  printf '%-20s %10s inputs %6s edges  %s\n' "$target" "${executions:-?}" "${coverage:-?}" "$result"
  [ "$status" -eq 0 ]
}

found=0
for target in "${targets[@]}"; do
  fuzz_target "$target" || found=1
done
exit "$found"
