#!/usr/bin/env bash
# Speed and memory of a release build, in ratios within one run. Arguments go to `mero bench` (`--only NAME`, `--quote`
# FILE …); each line of output is one JSON object. It ends with 1 when an aim was missed.
#
# When a quote of real hardware is there (in a folder ../shared beside this one, or by --quote and --collateral), it is
# verified in place of a made-up one. When PyPI's dcap-qvl is installed in .build/dcap-qvl, it verifies the same quote in
# the same run, and the last line compares the two:
#   python3 -m venv .build/dcap-qvl && .build/dcap-qvl/bin/pip install dcap-qvl==0.7.0
set -euo pipefail
cd "$(dirname "$0")/.."

python=.build/dcap-qvl/bin/python
scripts/bootstrap.sh
scripts/build.sh "mero, optimised" -c release --product mero
# shellcheck disable=SC2086
mero=$(swift build -c release --show-bin-path ${MERO_BUILD_FLAGS:-})/mero

arguments=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quotes=../shared/data/tee/quotes
is_given() {
  local word
  for word in "${arguments[@]+"${arguments[@]}"}"; do
    case $word in "$1" | "$1="*) return 0 ;; esac
  done
  return 1
}

if ! is_given --quote && [ -f "$quotes/cases.json" ] && command -v python3 >/dev/null; then
  python3 - "$quotes" >"$work/collateral.json" <<'PYTHON'
import json, sys
cases = json.load(open(sys.argv[1] + "/cases.json"))
json.dump(cases["collaterals"]["phala-b0c06f"], sys.stdout)
PYTHON
  arguments+=(--quote "$quotes/phala-tdx-v4.quote.bin" --collateral "$work/collateral.json" --at 1751000000)
elif ! is_given --quote; then
  printf 'no quote of real hardware is here: a made-up one is verified, and nothing is compared\n' >&2
fi

if ! is_given --quote || is_given --root || ! [ -x "$python" ]; then
  [ -x "$python" ] || printf 'dcap-qvl is not installed in .build/dcap-qvl: nothing is compared\n' >&2
  exec "$mero" bench --json "${arguments[@]+"${arguments[@]}"}"
fi

# An aim that is missed is told at the end: what is compared below is measured all the same.
status=0
"$mero" bench --json "${arguments[@]}" | tee "$work/figures" || status=$?
grep -q '"benchmark":"quoteVerification"' "$work/figures" || exit "$status"
"$python" - "$work/figures" "$mero" "${arguments[@]}" <<'PYTHON'
import json, subprocess, sys, time
import dcap_qvl

figures, mero, *words = sys.argv[1:]
given = {}
while words:
    word = words.pop(0)
    if "=" in word:
        word, value = word.split("=", 1)
    elif word != "--json" and words:
        value = words.pop(0)
    else:
        continue
    given[word] = value
quote = open(given["--quote"], "rb").read()
text = open(given["--collateral"]).read()
now = int(given.get("--at", time.time()))
options = [f"{name}={given[name]}" for name in ("--quote", "--collateral", "--at") if name in given]


def times(work, count=500):
    found = []
    for run in range(count + 20):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return sorted(found[20:])


def theirs():
    found = times(lambda: dcap_qvl.verify(quote, dcap_qvl.QuoteCollateralV3.from_json(text), now))
    return found[0] * 1e3, found[len(found) // 2] * 1e3


def ours():
    output = subprocess.run(
        [mero, "bench", "--json", "--only", "quoteVerification", *options], capture_output=True)
    if output.returncode not in (0, 1) or not output.stdout:
        sys.exit(output.stderr.decode())
    figures = json.loads(output.stdout)
    return figures["bestMilliseconds"]["value"], figures["milliseconds"]["value"]


# In turns, from the bytes of quote and collateral to a verdict on both sides. The shortest times decide: they are
# what the work costs when nothing else is in its way, however busy the machine is.
rounds = [(ours(), theirs()) for _ in range(3)]
(best, median), (their_best, their_median) = (
    [min(side[part] for side in sides) for part in (0, 1)] for sides in zip(*rounds))
ratio = best / their_best
print(json.dumps({
    "benchmark": "quoteVerificationBesideDcapQvl",
    "timesOfDcapQvl": {"value": round(ratio, 3), "unit": "×", "aimAtMost": 1, "met": ratio <= 1},
    "timesOfDcapQvlByMedian": {"value": round(median / their_median, 3), "unit": "×"},
    "bestMilliseconds": {"value": round(best, 3), "unit": "ms"},
    "dcapQvlBestMilliseconds": {"value": round(their_best, 3), "unit": "ms"},
}, ensure_ascii=False))
if ratio > 1:
    sys.exit("not every aim was met: timesOfDcapQvl")
PYTHON
exit "$status"
