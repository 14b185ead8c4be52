#!/usr/bin/env bash
# Installs the system packages that the build needs and that are missing. Prints nothing when all are there.
# Linux: the headers of OpenSSL, zlib, libcurl, libmicrohttpd and SQLite. macOS: libmicrohttpd (CryptoKit and SQLite are
# part of the system).
set -euo pipefail

say() { printf 'setup: %s\n' "$*" >&2; }

if ! command -v swift >/dev/null 2>&1; then
  say "the Swift toolchain (6.0 or later) is not on PATH; see https://www.swift.org/install"
  exit 1
fi

has_header() {
  local folder
  for folder in /usr/include /usr/local/include /usr/include/"$(uname -m)"-linux-gnu; do
    [ -e "$folder/$1" ] && return 0
  done
  return 1
}

install_linux() {
  local missing=()
  has_header openssl/evp.h || missing+=(libssl-dev)
  has_header zlib.h || missing+=(zlib1g-dev)
  has_header curl/curl.h || missing+=(libcurl4-openssl-dev)
  has_header microhttpd.h || missing+=(libmicrohttpd-dev)
  has_header sqlite3.h || missing+=(libsqlite3-dev)
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    say "install the headers of OpenSSL 3, zlib, libcurl, libmicrohttpd and SQLite with your package manager" \
      "(Fedora: openssl-devel zlib-devel libcurl-devel libmicrohttpd-devel sqlite-devel), then run this again"
    exit 1
  fi
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      say "${missing[*]} must be installed, which needs root, and sudo is not there; run as root:" \
        "apt-get update && apt-get install -y ${missing[*]}"
      exit 1
    fi
    root=(sudo)
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { ${root[@]+"${root[@]}"} apt-get update -qq &&
    ${root[@]+"${root[@]}"} env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    say "apt-get could not install ${missing[*]}; its words are above"
    exit 1
  fi
  rm -f "$log"
}

install_macos() {
  local prefix
  for prefix in /opt/homebrew /usr/local; do
    [ -e "$prefix/include/microhttpd.h" ] && return 0
  done
  if ! command -v brew >/dev/null 2>&1; then
    say "install Homebrew (https://brew.sh), or libmicrohttpd and pkg-config by other means"
    exit 1
  fi
  say "installing libmicrohttpd and pkg-config"
  brew install --quiet libmicrohttpd pkg-config >&2
}

case "$(uname -s)" in
Linux) install_linux ;;
Darwin) install_macos ;;
*)
  say "MeroKit builds on Linux and on Apple's systems; this is $(uname -s)"
  exit 1
  ;;
esac
