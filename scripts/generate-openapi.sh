#!/usr/bin/env bash
# The Swift that stands for openapi/openapi.json: Sources/MeroAPI/Generated, Sources/MeroKit/Api/Generated and
# Sources/MeroKitTestSupport/Generated.
#   generate           write it anew
#   check              say which files are not what the document makes of them; 1 if there are any
#   refresh [FROM]     take another document and generate. FROM is a file, a URL, or a commit, branch or tag of
#                      the repository behind OPENAPI_UPSTREAM; its name is recorded in openapi/source
# A document the generator does not understand changes nothing. The Swift toolchain is all it needs; refresh from
# a URL also uses curl.
set -euo pipefail
here=$PWD
cd "$(dirname "$0")/.."

folders=(Sources/MeroAPI/Generated Sources/MeroKit/Api/Generated Sources/MeroKitTestSupport/Generated)
upstream=${OPENAPI_UPSTREAM:-https://raw.githubusercontent.com/calimero-network/core/REF/docs/public/openapi.json}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  printf 'generate-openapi: %s\n' "$1" >&2
  exit "${2:-1}"
}

# Writes what document $1 stands for below folder $2, laid out by the repository's own rules.
generate_into() {
  # shellcheck disable=SC2086
  swift build ${MERO_BUILD_FLAGS:-} --product APIGenerator >"$work/build.log" 2>&1 ||
    { cat "$work/build.log" >&2; fail "the generator does not build"; }
  # shellcheck disable=SC2086
  "$(swift build ${MERO_BUILD_FLAGS:-} --show-bin-path)/APIGenerator" "$1" "$2" >/dev/null ||
    fail "the document was refused; nothing was changed"
  swift format format --in-place --recursive --configuration .swift-format "$2"
}

# Puts what stands below folder $1 in the place of what is checked in.
install_from() {
  local folder
  for folder in "${folders[@]}"; do
    [ -d "$1/$folder" ] || fail "the generator wrote no $folder"
  done
  for folder in "${folders[@]}"; do
    rm -rf "$folder"
    mkdir -p "$(dirname "$folder")"
    cp -R "$1/$folder" "$folder"
  done
}

check() {
  local stale=0 folder file
  for folder in "${folders[@]}"; do
    while IFS= read -r file; do
      if [ ! -f "$work/out/$file" ]; then
        printf 'not generated any more: %s\n' "$file" >&2
      elif [ ! -f "$file" ]; then
        printf 'missing: %s\n' "$file" >&2
      elif ! cmp -s "$file" "$work/out/$file"; then
        printf 'stale: %s\n' "$file" >&2
      else
        continue
      fi
      stale=$((stale + 1))
    done < <({ [ ! -d "$folder" ] || find "$folder" -type f; (cd "$work/out" && find "$folder" -type f); } | sort -u)
  done
  [ "$stale" -eq 0 ] || fail "$stale files are stale; run scripts/generate-openapi.sh generate"
}

# Fetches the document $1 names into $work/document and says where it came from.
fetch() {
  local from=$1 url
  case $from in
  http://* | https://* | file://*) url=$from ;;
  *)
    local path=$from
    [ "${path#/}" != "$path" ] || path=$here/$from
    if [ -f "$path" ]; then
      cp "$path" "$work/document"
      # Where a file lies on this machine is nobody's business; what it holds is told by its version.
      basename "$from"
      return
    fi
    [ "${from%.json}" = "$from" ] || fail "there is no file $from"
    [[ $from =~ ^[A-Za-z0-9._/-]+$ ]] || fail "\"$from\" is neither a file nor a ref"
    url=${upstream/REF/$from}
    ;;
  esac
  curl --fail --silent --show-error --location --proto '=https,http,file' --max-time 60 --output "$work/document" "$url" ||
    fail "could not get $url; nothing was changed"
  printf '%s\n' "$from"
}

case ${1:-} in
generate)
  generate_into openapi/openapi.json "$work/out"
  install_from "$work/out"
  ;;
check)
  generate_into openapi/openapi.json "$work/out"
  check
  ;;
refresh)
  [ $# -le 2 ] || fail "refresh takes one source" 2
  source=$(fetch "${2:-master}")
  generate_into "$work/document" "$work/out"
  install_from "$work/out"
  cp "$work/document" openapi/openapi.json
  printf '%s\n' "$source" >openapi/source
  ;;
*)
  fail "usage: generate-openapi.sh generate | check | refresh [FILE, URL or REF]" 2
  ;;
esac
