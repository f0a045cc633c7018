#!/bin/sh
# Installs and builds what is missing before a script of package.json runs: the npm packages, the web UI, and on Debian the
# packages that the sandbox (and, for `test`, the tests in Python, in a browser, of SSH and of Git LFS) need. Plain sh, because nothing
# else is there yet.
set -eu
cd "$(dirname "$0")/.."

# npm writes this file at the end of an install, so it is newer than the lock file exactly when the install is whole.
installed=node_modules/.package-lock.json
if [ ! -f "$installed" ] || [ package-lock.json -nt "$installed" ]; then
  echo "Installing npm packages …" >&2
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  touch "$installed"
fi

[ "${1:-}" = check ] && exit 0

# What GitHub publishes, for tests alone: examples of webhooks, and, for the slow ones, its documents, which are large.
published=server/test/github/published
whole="$published/node_modules/.package-lock.json"
[ "${2:-}" = all ] && documents="$published/node_modules/@octokit/openapi" omit= || documents=$published omit=--omit=dev
if [ "${1:-}" = test ] && { [ ! -d "$documents" ] || [ ! -f "$whole" ] || [ "$published/package-lock.json" -nt "$whole" ]; }; then
  echo "Installing what GitHub publishes …" >&2
  npm ci --prefix "$published" $omit --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  touch "$whole"
fi

# What Kubernetes publishes, for the slow test of the chart.
published=deploy/chart/published
whole="$published/node_modules/.package-lock.json"
if [ "${1:-}" = test ] && [ "${2:-}" = all ] && { [ ! -f "$whole" ] || [ "$published/package-lock.json" -nt "$whole" ]; }; then
  echo "Installing what Kubernetes publishes …" >&2
  npm ci --prefix "$published" --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  touch "$whole"
fi

# The test runners of other people's projects, for the slow test of the repair engine.
runners=server/test/programs/runners
whole="$runners/node_modules/.package-lock.json"
if [ "${1:-}" = test ] && [ "${2:-}" = all ] && { [ ! -f "$whole" ] || [ "$runners/package-lock.json" -nt "$whole" ]; }; then
  echo "Installing test runners …" >&2
  npm ci --prefix "$runners" --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  touch "$whole"
fi

# The web UI is built when there is none, or when something that it is made of is newer. Beside the old one first: who
# builds at the same time does no harm.
sources="web/src web/public web/index.html web/vite.config.ts sdk/src package-lock.json"
if [ ! -f web/dist/index.html ] || [ -n "$(find $sources -type f -newer web/dist/index.html | head -n 1)" ]; then
  echo "Building the web UI …" >&2
  node bin/node24.mjs node_modules/vite/bin/vite.js build web --outDir "dist.$$" --logLevel warn >&2
  rm -rf web/dist
  mv "web/dist.$$" web/dist
fi

[ "$(uname -s)" = Linux ] || exit 0

# Tests in a browser take half the processor time in this one. Where there is none, they run in Chromium.
add_shell() {
  [ "$1" = test ] && [ "$(id -u)" = 0 ] && [ ! -x /usr/bin/chromium-headless-shell ] && command -v apt-get >/dev/null || return 0
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o Acquire::Retries=0 \
    -o Acquire::http::Timeout=10 chromium-headless-shell >/dev/null 2>&1 || true
}

# Docker's daemon for the slow tests, unpacked and not installed: installed, it starts by itself and changes the machine's network.
unpack_docker() {
  [ "${1:-}" = test ] && [ "${2:-}" = all ] && [ "$(id -u)" = 0 ] && [ ! -d .data/test-docker/usr ] && command -v apt-get >/dev/null || return 0
  echo "Unpacking Docker …" >&2
  new=".data/test-docker/new.$$"
  mkdir -p "$new"
  (cd "$new" && apt-get download -qq docker.io containerd && for package in *.deb; do dpkg -x "$package" .; done) >/dev/null 2>&1 &&
    mv "$new/usr" .data/test-docker/ || true
  rm -rf "$new"
}

missing=
[ -x /usr/bin/bwrap ] || missing="$missing bubblewrap"
if [ "${1:-}" = test ] && [ "$(id -u)" = 0 ] && [ ! -x /usr/bin/python3 ]; then missing="$missing python3"; fi
if [ "${1:-}" = test ] && [ "$(id -u)" = 0 ] && [ ! -d /usr/lib/python3/dist-packages/pytest ]; then missing="$missing python3-pytest"; fi
if [ "${1:-}" = test ] && [ "$(id -u)" = 0 ] && [ ! -x /usr/bin/git-lfs ]; then missing="$missing git-lfs"; fi
if [ "${1:-}" = test ] && [ "$(id -u)" = 0 ] && [ ! -x /usr/bin/ssh ]; then missing="$missing openssh-client"; fi
if [ "${1:-}" = test ] && [ "$(id -u)" = 0 ] && [ ! -x /usr/bin/chromium ]; then missing="$missing chromium"; fi
# What repositories of the slow tests are installed with.
if [ "${1:-}" = test ] && [ "${2:-}" = all ] && [ "$(id -u)" = 0 ]; then
  [ -x /usr/bin/go ] || missing="$missing golang-go"
  [ -x /usr/bin/cargo ] || missing="$missing cargo"
  # What Helm is made of.
  [ -d /usr/share/gocode/src/github.com/Masterminds/sprig ] || missing="$missing golang-github-masterminds-sprig-dev"
  [ -d /usr/share/gocode/src/sigs.k8s.io/yaml ] || missing="$missing golang-k8s-sigs-yaml-dev"
  # A container engine, and what makes an image without a registry.
  [ -x /usr/bin/podman ] || missing="$missing podman runc uidmap slirp4netns catatonit containernetworking-plugins"
  [ -x /usr/bin/podman-compose ] || missing="$missing podman-compose"
  # Without it the containers of Podman do not find each other by name.
  [ -x /usr/lib/cni/dnsname ] || missing="$missing golang-github-containernetworking-plugin-dnsname"
  [ -x /usr/bin/mmdebstrap ] || missing="$missing mmdebstrap"
  [ -x /usr/bin/runsc ] || missing="$missing runsc"
  /usr/bin/python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
fi
if [ -z "$missing" ]; then
  add_shell "${1:-}"
  unpack_docker "$@"
  exit 0
fi

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Debian packages:$missing …" >&2
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
  add_shell "${1:-}"
  unpack_docker "$@"
  exit 0
fi
[ "${RUNWRIGHT_UNSAFE_SANDBOX:-}" = 1 ] && exit 0
echo "Runwright needs$missing to keep agents in a sandbox. Install it and start again:" >&2
echo "  sudo apt-get install --no-install-recommends$missing" >&2
exit 1
