#!/usr/bin/env bash
# Checks the HTML of a report in headless Chromium: that it is whole without
# scripts and network, light, dark and narrow, and that it prints. Installs
# Debian's chromium where there is none. Outside `go test ./...`, because a
# browser is no small thing to ask of everybody.
#
#   engine/report/page/check-in-browser.sh [REPORT.html [PICTURES]]
#
# Without REPORT.html the report of an invented run is checked. The pictures and
# the print stay in PICTURES (default: a new folder, which is told): look at them.
set -euo pipefail

report=${1:-}
pictures=${2:-$(mktemp -d -t deermem-report-XXXXXX)}
if [ -n "$report" ]; then
  report=$(realpath -- "$report")
fi
mkdir -p -- "$pictures"
pictures=$(realpath -- "$pictures")
cd "$(dirname "$0")/../../.."

browser=${DEERMEM_BROWSER:-}
if [ -z "$browser" ]; then
  browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
fi
if [ -z "$browser" ]; then
  as_root=
  if [ "$(id -u)" != 0 ]; then as_root=sudo; fi
  echo "no Chromium here: installing Debian's" >&2
  $as_root apt-get update
  $as_root apt-get install -y --no-install-recommends chromium fonts-dejavu-core
  browser=$(command -v chromium)
fi

DEERMEM_BROWSER=$browser DEERMEM_REPORT=$report DEERMEM_PICTURES=$pictures \
  go test ./engine/report/page -count=1 -run '^TestTheReportInABrowser$' -v
echo "look at: $pictures"
