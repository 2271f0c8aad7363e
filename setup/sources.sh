#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Format the sources in place, or check their format and lint them.
#
# usage: setup/sources.sh format|lint
# Every tool runs, even after one has found something; the exit code is 1 when any did.
set -uo pipefail

sources() { # the files of the repository, new ones too, whose names match
  git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
    if [[ -f $file ]]; then echo "$file"; fi
  done
}
mapfile -t cpp < <(sources '*.c' '*.cc' '*.cpp' '*.h' '*.hpp')
mapfile -t verilog < <(sources '*.sv' '*.svh' '*.v')
mapfile -t scala < <(sources 'hw/*.scala')
verible_format=(verible-verilog-format --column_limit=120 --inplace)

spdx() { # every text file but the licence itself names its licence
  local missing
  missing=$(git ls-files --cached --others --exclude-standard -- ':!LICENSE' | while read -r file; do
    if [[ -s $file ]] && ! head -n 3 -- "$file" | grep -aq 'SPDX-License-Identifier: ' && grep -Iq . -- "$file"; then
      echo "$file: no SPDX line in its first three lines"
    fi
  done)
  [[ -z $missing ]] || { echo "$missing"; return 1; }
}

found=0
run() { # run NAME COMMAND...: say which tool runs, remember when it finds something
  echo "$1"
  "${@:2}" || found=1
}

case ${1:-} in
  format)
    if ((${#scala[@]})); then
      run scalafix ./mill --ticker false hw.fix + hw.test.fix
      run scalafmt ./mill --ticker false hw.reformat + hw.test.reformat
    fi
    run ruff ruff check --quiet --fix-only
    run 'ruff format' ruff format --quiet
    if ((${#cpp[@]})); then run clang-format clang-format-16 -i "${cpp[@]}"; fi
    if ((${#verilog[@]})); then run verible "${verible_format[@]}" "${verilog[@]}"; fi
    ;;
  lint)
    run 'SPDX lines' spdx
    if ((${#scala[@]})); then
      run scalafmt ./mill --ticker false hw.checkFormat + hw.test.checkFormat
      run scalafix ./mill --ticker false hw.fix --check + hw.test.fix --check
    fi
    run ruff ruff check --quiet
    run 'ruff format' ruff format --quiet --check
    if ((${#cpp[@]})); then run clang-format clang-format-16 --dry-run -Werror "${cpp[@]}"; fi
    if ((${#verilog[@]})); then
      run 'verible format' "${verible_format[@]}" --verify "${verilog[@]}"
      run verible verible-verilog-lint --rules_config=.rules.verible_lint "${verilog[@]}"
    fi
    ;;
  *)
    echo "usage: setup/sources.sh format|lint" >&2
    exit 2
    ;;
esac
exit "$found"
