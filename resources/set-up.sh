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

# Builds the targets named, or everything. The compiler's words are shown only where it fails.
build() {
  local folder="$source_folder/build/release" log="$source_folder/build/release.log" arguments=()
  [ "$#" -gt 0 ] && arguments=(--target "$@")
  mkdir -p "$folder"
  (
    flock 9
    cd "$source_folder"
    if [ ! -f "$folder/build.ninja" ]; then
      say "building in build/release; the first time takes some minutes"
      cmake --preset release >"$log" 2>&1 </dev/null || { tail -n 40 "$log" >&2; exit 2; }
    fi
    cmake --build --preset release "${arguments[@]}" >"$log" 2>&1 </dev/null || { tail -n 60 "$log" >&2; exit 2; }
  ) 9>"$source_folder/build/lock" || {
    say "the build failed; all of its output: $log"
    return 2
  }
}
