#!/usr/bin/env bash
# SPDX-FileCopyrightText: the gpuprof authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs what the build and the tests need, on Debian and Ubuntu; elsewhere it names the packages and stops with
# status 1. Does nothing when all is there. GPUPROF_SKIP_BOOTSTRAP=1 skips it, for systems prepared in another way.
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config git binutils
  libcli11-dev libfmt-dev nlohmann-json3-dev libprotozero-dev libxxhash-dev catch2
  protobuf-compiler python3 python3-jsonschema
)

if [ "${GPUPROF_SKIP_BOOTSTRAP:-0}" = 1 ]; then
  exit 0
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  cat >&2 <<EOF
bootstrap.sh: this system has no apt. Install the equivalents of these Debian packages:
  ${packages[*]}
(optional: ccache), then run again with GPUPROF_SKIP_BOOTSTRAP=1.
EOF
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" != installed ]; then
    missing+=("$package")
  fi
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "bootstrap.sh: not root and no sudo; run as root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "bootstrap.sh: installing ${missing[*]}" >&2
# A failed update is no reason to stop: the lists may be recent enough.
"${as_root[@]}" apt-get update -q >&2 || echo "bootstrap.sh: apt-get update failed; trying the lists that are there" >&2
if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -q --no-install-recommends "${missing[@]}" >&2; then
  echo "bootstrap.sh: apt-get could not install ${missing[*]}; see its messages above" >&2
  exit 1
fi
