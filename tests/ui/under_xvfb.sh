#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# under_xvfb.sh COMMAND...: runs it on an X server of its own, which ends with it. Exits with 77 where there is none.
set -u
for program in Xvfb xvfb-run xauth; do
  command -v "$program" >/dev/null || {
    echo "skipped: $program is not installed (Debian: apt-get install xvfb xauth)"
    exit 77
  }
done
export QT_QPA_PLATFORM=xcb
exec xvfb-run --auto-servernum --server-args="-screen 0 1600x1000x24 -nolisten tcp" "$@"
