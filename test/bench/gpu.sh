#!/usr/bin/env bash
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Everything that is worth knowing on the day a GPU is at hand: does every family compute what the CPU computes, is
# compute-sanitizer silent, how fast is it beside cuDNN, FlashAttention and FlexAttention. Writes OUT/table.md.
#
# Each step leaves OUT/NAME.state (its outcome) and OUT/NAME.log, and ends by itself or after its limit: a kernel that
# hangs costs one step. A second run goes on with what is missing. Reads the device's settings, sets none.
set -uo pipefail

usage() {
  cat <<END
usage: test/bench/gpu.sh [options]

  --build=DIR      what .ci/build made (build/release), or the folder of a bundle: bin/xf-run, bin/xf-bench, lib/libxfrt.so,
                   and bin/xfc where models are still to be compiled
  --out=DIR        where results go (gpu.out)
  --fresh          forget earlier results; --retry: of steps that failed or were stopped
  --only=REGEX     steps whose names begin so; --list prints all names
  --minutes=N      start no step after so many (8); the next run goes on
  --limit=N        seconds that a step, and each run in it, may take (every step has limits of its own)
  --jobs=N         programs at a time, in compiling and in checks (one for each processor)
  --gpu-arch=GPU,.. what to compile for (the device's; with --prepare sm_90a,sm_80)
  --quick          tiny sizes, to try this script on a simulated GPU (test/ptx)
  --prepare        compile the models and stop; needs no GPU
  --bundle=FILE    that, and pack what another machine needs: tar xf FILE; xf-gpu/bench/gpu.sh

Exit code 0: every step passed; 1: some did not, or were not reached; 2: usage; 77: no CUDA device.
END
}

here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../build/release
[ -x "$here/../bin/xf-run" ] && build=$here/..
out=gpu.out models='' only='' minutes=8 limit='' jobs=$(nproc) arch='' bundle='' fresh='' retry='' quick=() list='' prepare=''
for argument in "$@"; do
  value=${argument#*=}
  case $argument in
    --build=*) build=$value ;;
    --out=*) out=$value ;;
    --only=*) only=$value ;;
    --minutes=*) minutes=$value ;;
    --limit=*) limit=$value ;;
    --jobs=*) jobs=$value ;;
    --gpu-arch=*) arch=$value ;;
    --bundle=*) bundle=$value prepare=1 ;;
    --prepare) prepare=1 ;;
    --fresh) fresh=1 ;;
    --retry) retry=1 ;;
    --quick) quick=(--quick) ;;
    --list) list=1 ;;
    --help) usage; exit 0 ;;
    *) echo "gpu.sh: error: expected an option of --help, got '$argument'" >&2; exit 2 ;;
  esac
done
[[ $minutes$jobs$limit =~ ^[0-9]+$ ]] || { echo "gpu.sh: error: expected whole numbers for --minutes, --jobs and --limit" >&2; exit 2; }
export PYTHONPATH=$here PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
export PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
python=${PYTHON:-python3}

#---- steps: `step NAME SECONDS COMMAND..` --------------------------------------------------------------------------------

families=$("$python" -c 'import gpu_programs; print(*gpu_programs.FAMILIES)') || exit 2
groups=$("$python" -c 'import gpu_programs; print(*gpu_programs.groups(False), "image")')

all_steps() {
  local family group tool
  for family in $families; do
    step "check-$family" 60 gpu_check.py "$family" "$models" --build="$build" --jobs="$jobs" --limit="${limit:-30}" "${quick[@]}"
  done
  for group in $groups; do
    step "${group/#image/speed-image}" 90 gpu_speed.py "$group" "$models" "$out" --build="$build" "${quick[@]}"
  done
  for tool in memcheck racecheck synccheck initcheck; do
    for family in dense strided segments kernelised products rows; do
      step "$tool-$family" 45 gpu_check.py "$family" "$models" --build="$build" --jobs="$jobs" --first --under=$tool "${quick[@]}"
    done
  done
}

list_steps() {
  local list=1
  all_steps
}

# What became of a step, from the exit code of its command; `timeout` answers 124, or 137 where it had to kill.
outcome() { # outcome CODE SECONDS LOG
  case $1 in
    0) echo passed ;;
    77) grep -m1 '^not run' "$3" || echo "not run" ;;
    124 | 137) echo "stopped after $2 s" ;;
    *) grep -m1 '^failed' "$3" || echo "failed: $(tail -1 "$3")" ;;
  esac
}

passed=0 failed=0 skipped=0
count() { # count OUTCOME
  case $1 in
    passed) passed=$((passed + 1)) ;;
    'not run'*) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
}

step() { # step NAME SECONDS SCRIPT ARGUMENTS..
  local name=$1 seconds=${limit:-$2} state=$out/$1.state log=$out/$1.log result
  [[ $name =~ ^($only) ]] || return 0
  [ -z "$list" ] || { echo "$name"; return 0; }
  if [ -f "$state" ]; then
    result=$(<"$state")
    echo "$name: $result (before)"
  elif [ $SECONDS -ge $((minutes * 60)) ]; then
    result='not reached: the time is over'
    echo "$name: $result"
  else
    timeout -k 5 "$seconds" "$python" "$here/$3" "${@:4}" >"$log" 2>&1
    result=$(outcome $? "$seconds" "$log")
    [[ $result == 'not run: no CUDA'* ]] && no_device "$result"
    [[ $result == 'not run'* ]] || echo "$result" >"$state"
    echo "$name: $result"
  fi
  count "$result"
}

no_device() { # no_device WHY: no other step would find one
  echo "$1"
  exit 77
}

#---- models -----------------------------------------------------------------------------------------------------------------

# What the chosen steps run, one name on a line.
needed_models() {
  list_steps | sed -E 's/^(mem|race|sync|init)check-/check-/; s/^speed-image$/image-cubin\nimage-ptx/' | sort -u
}

# The newest of xfc's --gpu-arch that the device runs; sm_80 runs on all later ones.
device_architecture() {
  case $(<"$out/device.json") in
    *'"sm_90"'*) echo sm_90a ;;
    *'"sm_89"'* | *'"sm_1'*) echo sm_89 ;;
    *'"sm_86"'*) echo sm_86 ;;
    *) echo sm_80 ;;
  esac
}

# Compiles what is missing, on all processors. Where there is no compiler, another machine did.
prepare_models() {
  local names
  mapfile -t names < <(needed_models)
  [ -x "$build/bin/xfc" ] && [ ${#names[@]} -gt 0 ] || return 0
  timeout -k 5 420 "$python" "$here/gpu_programs.py" "$models" --build="$build" --gpu-arch="$arch" --jobs="$jobs" "${quick[@]}" "${names[@]}"
}

pack() { # pack FILE
  local folder
  folder=$(mktemp -d) || return 1
  mkdir -p "$folder"/xf-gpu/{bench,bin,lib,models}
  cp "$here"/gpu*.{sh,py,mlir} "$here/xfrt.py" "$folder/xf-gpu/bench/"
  cp -r "$here/../sweep" "$folder/xf-gpu/"
  cp "$build"/bin/xf-{run,bench} "$folder/xf-gpu/bin/"
  cp -L "$build/lib/libxfrt.so" "$folder/xf-gpu/lib/"
  cp "$models"/*.so "$folder/xf-gpu/models/"
  tar czf "$1" -C "$folder" xf-gpu
  rm -rf "$folder"
}

#---- the run ----------------------------------------------------------------------------------------------------------------

[ -z "$list" ] || { list_steps; exit 0; }
[ -z "$fresh" ] || rm -rf "$out"
mkdir -p "$out" || exit 2
[ -z "$retry" ] || grep -LZ '^passed' "$out"/*.state 2>/dev/null | xargs -0r rm -f
models=$out/models
[ -d "$here/../models" ] && models=$here/../models
if [ -n "$prepare" ]; then
  arch=${arch:-sm_90a,sm_80}
  prepare_models || exit 1
  [ -z "$bundle" ] || pack "$bundle"
  exit
fi

"$python" "$here/gpu_device.py" "$out" --build="$build" >"$out/device.log" 2>&1
[ $? -ne 77 ] || no_device "$(<"$out/device.log")"
arch=${arch:-$(device_architecture)}
prepare_models
all_steps
"$python" "$here/gpu_table.py" "$out" >"$out/table.md" && cat "$out/table.md"
echo "$passed passed, $failed failed or missing, $skipped not run; results in $out"
[ "$failed" -eq 0 ]
