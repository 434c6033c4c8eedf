# SPDX-License-Identifier: GPL-3.0-or-later
# For `run` and `test`, which source it: installs missing packages and builds. Asks nothing; speaks on stderr.

say() { printf 'slipstream: %s\n' "$*" >&2; }

missing_packages() {
  local wanted installed
  wanted=$(grep -v "^#" "$source_folder/resources/debian-packages.txt" | LC_ALL=C sort)
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' | LC_ALL=C sort -u)
  LC_ALL=C comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed")
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo -n "$@"
  fi
}

install_packages() {
  command -v dpkg-query >/dev/null || {
    say "this is not a Debian system: the packages of resources/debian-packages.txt must be there already"
    return 0
  }
  local missing
  mapfile -t missing < <(missing_packages)
  [ "${#missing[@]}" -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
    say "missing packages: ${missing[*]}"
    say "installing them needs root. As root: apt-get install ${missing[*]}"
    return 2
  fi
  say "installing ${missing[*]}"
  local settings=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Options::=--force-confold)
  as_root "${settings[@]}" update >&2 </dev/null || say "apt-get update failed; trying with what is known"
  as_root "${settings[@]}" install --no-install-recommends "${missing[@]}" >&2 </dev/null || {
    say "the packages could not be installed: ${missing[*]}"
    return 2
  }
}

# Succeeds where build/ can be written, or made.
can_build() {
  if [ -e "$source_folder/build" ]; then
    [ -w "$source_folder/build" ] && { [ ! -e "$source_folder/build/lock" ] || [ -w "$source_folder/build/lock" ]; }
  else
    [ -w "$source_folder" ]
  fi
}

# Shows how far a build is, read from ninja's lines: one line that moves on a terminal, a line for each tenth elsewhere,
# and nothing where there is little to do.
show_progress() {
  local line count total tenth last=0 moving=0
  [ -t 2 ] && moving=1
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    count=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    tenth=$((10 * count / total))
    if [ "$moving" -eq 1 ]; then
      printf '\rslipstream: building, step %d of %d ' "$count" "$total" >&2
    elif [ "$tenth" -gt "$last" ] && [ "$total" -ge 20 ]; then
      say "building, step $count of $total"
    fi
    last=$tenth
  done
  if [ "$moving" -eq 1 ] && [ -n "${total:-}" ]; then
    printf '\r\033[K' >&2
  fi
}

# Builds the targets named, or everything, into build/release. The compiler's output is shown only where it fails.
build() {
  local folder="$source_folder/build/release" log="$source_folder/build/release.log" arguments=()
  [ "$#" -gt 0 ] && arguments=(--target "$@")
  can_build || {
    say "cannot write $source_folder/build as $(id -un), so nothing can be built here"
    say "make a checkout of your own: git clone $source_folder FOLDER && FOLDER/run"
    return 2
  }
  mkdir -p "$folder"
  (
    flock 9
    cd "$source_folder"
    if [ ! -f "$folder/build.ninja" ]; then
      say "building in build/release; the first time takes 5 to 20 minutes on two cores"
      cmake --preset release >"$log" 2>&1 </dev/null || { tail -n 40 "$log" >&2; exit 2; }
    fi
    NINJA_STATUS='[%f/%t] ' cmake --build --preset release "${arguments[@]}" 2>&1 </dev/null | tee "$log" | show_progress || {
      tail -n 60 "$log" >&2
      exit 2
    }
  ) 9>"$source_folder/build/lock" || {
    say "the build failed; all of its output: $log"
    return 2
  }
}
