#!/usr/bin/env bash
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Everything that is worth knowing on the day a GPU is at hand: does every family compute what the CPU computes, how fast
# is it beside cuDNN, FlashAttention and FlexAttention, is compute-sanitizer silent. After each step OUTPUT/table.md holds
# what is known.
#
# Each step leaves OUTPUT/NAME.state (its outcome) and OUTPUT/NAME.log, and ends by itself or after its limit: a kernel
# that hangs costs one step. The next run goes on with what is missing. Reads the device's settings, sets none.
set -uo pipefail

usage() {
  cat <<END
usage: test/bench/gpu.sh [options]

  --build=DIR      what '.ci/build tests' made (build/release), or the folder of a bundle: bin/gpu-check, bin/xf-run, bin/xf-bench,
                   lib/libxfrt.so, and bin/xfc where models are still to be compiled
  --output=DIR     where results go (gpu.out)
  --state=FILE.tgz keep all results there too, the table in FILE.md and what ncu says in FILE-ncu.txt: rewritten after each
                   step and each minute
  --resume=FILE.tgz  first take over the results that another run kept
  --fresh          forget earlier results; --retry: of steps that failed or were stopped
  --only=REGEX     steps whose names begin so; --list prints all names
  --plan=FILE      the steps of a file instead, in its order: a line has names, joined by + where one process runs several
                   groups, the seconds that they may take, and options of gpu_check.py, gpu_speed.py or gpu_profile.py
  --flex           FlexAttention beside xf too: each of its compilations takes a dozen seconds
  --minutes=N      end after so many (8); the next run goes on. Of --prepare: begin no model afterwards (no limit)
  --limit=N        seconds that a step may take (every step has a limit of its own)
  --hang=N         seconds after which a kernel is one that does not end (20)
  --save-every=N   seconds between two writings of --state (60)
  --jobs=N         programs that are compiled at a time (one for each processor)
  --gpu-arch=GPU,.. what to compile for (the device's; with --prepare sm_90a)
  --quick          small sizes, to try this script on a simulated GPU (test/ptx)
  --prepare        compile the models and stop; needs no GPU
  --bundle=FILE.tar.xz  that, and pack what another machine needs: tar xf FILE.tar.xz; xf-gpu/bench/gpu.sh

Exit code 0: every step passed, or every model is there; 1: some did not, or were not reached; 2: usage; 77: no CUDA device.
END
}

here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../build/release
[ -x "$here/../bin/xf-run" ] && build=$here/..
out=gpu.out models='' archive='' resume='' only='' minutes='' limit='' hang=20 save_every=60 jobs=$(nproc) arch='' bundle=''
fresh='' retry='' quick=() list='' prepare='' plan='' flex=()
for argument in "$@"; do
  value=${argument#*=}
  case $argument in
    --build=*) build=$value ;;
    --output=*) out=$value ;;
    --state=*) archive=$value ;;
    --resume=*) resume=$value ;;
    --only=*) only=$value ;;
    --minutes=*) minutes=$value ;;
    --limit=*) limit=$value ;;
    --hang=*) hang=$value ;;
    --save-every=*) save_every=$value ;;
    --jobs=*) jobs=$value ;;
    --gpu-arch=*) arch=$value ;;
    --bundle=*) bundle=$value prepare=1 ;;
    --prepare) prepare=1 ;;
    --plan=*) plan=$value ;;
    --flex) flex=(--flex) ;;
    --fresh) fresh=1 ;;
    --retry) retry=1 ;;
    --quick) quick=(--quick) ;;
    --list) list=1 ;;
    --help) usage; exit 0 ;;
    *) echo "gpu.sh: error: expected an option of --help, got '$argument'" >&2; exit 2 ;;
  esac
done
[[ $minutes$jobs$limit$hang$save_every =~ ^[0-9]+$ ]] || {
  echo "gpu.sh: error: expected whole numbers for --minutes, --limit, --hang, --save-every and --jobs" >&2
  exit 2
}
export PYTHONPATH=$here PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
export PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
python=${PYTHON:-python3}

#---- steps ------------------------------------------------------------------------------------------------------------------

families=$("$python" -c 'import gpu_programs; print(*gpu_programs.FAMILIES)') || exit 2
groups=$("$python" -c 'import gpu_programs; print(*gpu_programs.groups(False), "image")')

# Leaves in `command` what runs a step, and in `seconds` its limit.
command_of() { # command_of NAME
  local part
  for part in ${1//+/ }; do
    [[ " $names " == *" $part "* ]] || {
      echo "gpu.sh: error: expected the name of a step (--list), got '$part'" >&2
      exit 2
    }
  done
  seconds=90
  case $1 in
    check-*) seconds=60 command=(gpu_check.py "${1#check-}" "$models" "$out" --hang="$hang") ;;
    memcheck-* | racecheck-* | synccheck-* | initcheck-*)
      command=(gpu_check.py "${1#*-}" "$models" "$out" --hang=$((4 * hang)) --first --under="${1%%-*}") ;;
    speed-*) command=(gpu_speed.py "${1//speed-image/image}" "$models" "$out" "${flex[@]}") ;;
    ncu) command=(counts/gpu_profile.py "$models" "$out") ;;
  esac
  command+=(--build="$build" "${quick[@]}")
}

# First what tells most: does Hopper's kernel work, how fast is it. Last what takes longest and may complain of what is right.
default_plan() {
  local family group tool
  echo check-smoke
  echo speed-causal-128
  printf 'check-%s\n' ${families/smoke/}
  for group in ${groups/speed-causal-128/}; do
    echo "${group/#image/speed-image}"
  done
  echo ncu
  for tool in memcheck racecheck synccheck initcheck; do
    printf "$tool-%s\n" smoke strided segments kernelised products rows
  done
}

all_steps() {
  local name limits rest names
  names=$(echo $(default_plan))
  while read -r name limits rest <&3; do
    [ -z "$name" ] || step "$name" "$limits" $rest
  done 3< <(if [ -n "$plan" ]; then sed 's/#.*//' "$plan"; else default_plan; fi)
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
    124 | 137) echo "stopped after $2 s$(sed -n 's/^stopped: /: /p' "$3" | tail -1)" ;;
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

seconds_left() {
  echo $((minutes * 60 - SECONDS))
}

# A step that the end of all time cuts short has no outcome: the next run goes on with what it left.
run_step() { # run_step SECONDS SCRIPT ARGUMENTS..; leaves `result`, `state`
  local seconds=$1 left code
  left=$(seconds_left)
  timeout -k 5 $((seconds < left ? seconds : left)) "$python" "$here/$2" "${@:3}" >"$log" 2>&1
  code=$?
  result=$(outcome $code "$seconds" "$log")
  [[ $result == 'not run: no CUDA'* ]] && no_device "$result"
  case $code in
    124 | 137) [ "$seconds" -lt "$left" ] || result="not finished: the time is over" ;;
  esac
  [[ $result == 'not run'* || $result == 'not finished'* ]] || echo "$result" >"$state"
}

step() { # step NAME [SECONDS] [OPTION..]
  local name=$1 state=$out/$1.state log=$out/$1.log result command seconds
  command_of "$name"
  seconds=${2:-$seconds}
  seconds=${limit:-$seconds}
  [[ $name =~ ^($only) ]] || return 0
  [ -z "$list" ] || { echo "$name"; return 0; }
  if [ -f "$state" ]; then
    result=$(<"$state")
    echo "$name: $result (before)"
  elif [ "$(seconds_left)" -lt 1 ]; then
    result='not reached: the time is over'
    echo "$name: $result"
  else
    run_step "$seconds" "${command[@]}" "${@:3}"
    echo "$name: $result"
    keep
  fi
  count "$result"
}

no_device() { # no_device WHY: no other step would find one
  echo "$1"
  exit 77
}

#---- results ----------------------------------------------------------------------------------------------------------------

write_table() {
  local part=$out/.table.$BASHPID
  "$python" "$here/gpu_table.py" "$out" >"$part" && mv "$part" "$out/table.md"
}

# The archive is whole at any time: a command that is killed leaves what the last one held.
write_archive() {
  [ -n "$archive" ] || return 0
  local part=$archive.$BASHPID
  cp "$out/table.md" "$part" && mv "$part" "${archive%.*}.md"
  [ ! -f "$out/ncu.txt" ] || cp "$out/ncu.txt" "${archive%.*}-ncu.txt"
  tar czf "$part" --exclude=./models --exclude='./.table*' -C "$out" . 2>/dev/null
  mv "$part" "$archive"
}

keep() {
  write_table
  write_archive
}

keep_on_keeping() { # as long as this script runs
  while sleep "$save_every" && kill -0 $$ 2>/dev/null; do keep; done
}

take_over() { # take_over FILE
  tar xzf "$1" -C "$out" || { echo "gpu.sh: error: expected the archive of a run, got '$1'" >&2; exit 2; }
}

#---- models -----------------------------------------------------------------------------------------------------------------

# What the chosen steps run, one name on a line, in their order.
needed_models() {
  list_steps | tr + '\n' | sed -E 's/^(mem|race|sync|init)check-/check-/; s/^speed-image$/image-cubin\nimage-ptx/; s/^ncu$/speed-causal-128\nspeed-linear/' |
    awk '!seen[$0]++'
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
prepare_models() { # prepare_models MINUTES
  local names
  mapfile -t names < <(needed_models)
  [ -x "$build/bin/xfc" ] && [ ${#names[@]} -gt 0 ] || return 0
  "$python" "$here/gpu_programs.py" "$models" --build="$build" --gpu-arch="$arch" --jobs="$jobs" --minutes="$1" \
    "${quick[@]}" "${names[@]}"
}

pack() { # pack FILE: of what is there
  local folder bytes
  folder=$(mktemp -d) || return 1
  mkdir -p "$folder"/xf-gpu/{bench/counts,bin,lib,compiled}
  cp "$here/counts/gpu_profile.py" "$folder/xf-gpu/bench/counts/"
  cp "$here"/gpu*.{sh,py,mlir,plan} "$here/xfrt.py" "$here/../../runtime/python/xfrt/_abi.py" "$folder/xf-gpu/bench/"
  cp -r "$here/../sweep" "$folder/xf-gpu/"
  cp "$build"/bin/{gpu-check,xf-run,xf-bench} "$folder/xf-gpu/bin/"
  cp -L "$build/lib/libxfrt.so" "$folder/xf-gpu/lib/"
  git -C "$here" rev-parse --short HEAD >"$folder/xf-gpu/bench/commit" 2>/dev/null || rm -f "$folder/xf-gpu/bench/commit"
  find "$models" -name '*.so' ! -name '*.part.so' -exec cp -t "$folder/xf-gpu/compiled" {} +
  XZ_OPT='-9 -T2' tar cJf "$1" -C "$folder" xf-gpu
  rm -rf "$folder"
  bytes=$(stat -c %s "$1") || return 1
  echo "$1: $((bytes >> 20)) MiB"
  [ "$bytes" -le $((48 << 20)) ] || { echo "gpu.sh: expected at most 48 MiB that travel" >&2; return 1; }
}

#---- the run ----------------------------------------------------------------------------------------------------------------

[ -z "$plan" ] || [ -r "$plan" ] || { echo "gpu.sh: error: expected the file of a plan, got '$plan'" >&2; exit 2; }
[ -z "$list" ] || { list_steps; exit 0; }
[ -z "$fresh" ] || rm -rf "$out"
mkdir -p "$out" || exit 2
[ -z "$resume" ] || take_over "$resume"
[ -z "$retry" ] || grep -LZ '^passed' "$out"/*.state 2>/dev/null | xargs -0r rm -f
models=$out/models
[ -d "$here/../compiled" ] && models=$here/../compiled
if [ -n "$prepare" ]; then
  arch=${arch:-sm_90a}
  prepare_models "${minutes:-1000000}"
  prepared=$?
  [ -z "$bundle" ] || pack "$bundle" || exit 1
  exit $prepared
fi

minutes=${minutes:-8}
"$python" "$here/gpu_device.py" "$out" --build="$build" >"$out/device.log" 2>&1
[ $? -ne 77 ] || no_device "$(<"$out/device.log")"
arch=${arch:-$(device_architecture)}
prepare_models "$minutes"
keep_on_keeping >/dev/null 2>&1 &
trap "kill $!" EXIT
all_steps
keep
cat "$out/table.md"
echo "$passed passed, $failed failed or missing, $skipped not run; results in $out"
[ "$failed" -eq 0 ]
