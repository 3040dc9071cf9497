#!/usr/bin/env bash
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is worth knowing of several ranks on the day that GPUs are at hand: do programs of several ranks, which are threads
# of one process, compute on GPUs what one rank computes, by messages through the host and by NCCL, with the same bits on
# every run. One GPU is enough where NCCL lets ranks share it (NCCL_MULTI_RANK_GPU_ENABLE, since 2.32).
#
# Each step has a limit, so that a rank that waits for ever costs one step, and leaves OUTPUT/NAME.log. The table in
# OUTPUT/ranks.md holds what is known after each step.
set -uo pipefail

usage() {
  cat <<END
usage: test/bench/gpu_ranks.sh [options]

  --build=DIR      what '.ci/build tests' made (build/release)
  --output=DIR     where results go (gpu_ranks.out)
  --gpus=N         GPUs that ranks have in turn (1)
  --gpu-arch=GPU   what to compile for (sm_80: code that every later device runs, too)
  --runs=N         with other orders of messages (10)
  --limit=N        seconds of a step (300)
  --only=REGEX     steps whose names begin so; --list prints all names

Exit code 0: every step passed; 1: some did not; 2: usage; 77: no CUDA device.
END
}

here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../build/release
out=gpu_ranks.out gpus=1 arch=sm_80 runs=10 limit=300 only='' list=''
for argument in "$@"; do
  value=${argument#*=}
  case $argument in
    --build=*) build=$value ;;
    --output=*) out=$value ;;
    --gpus=*) gpus=$value ;;
    --gpu-arch=*) arch=$value ;;
    --runs=*) runs=$value ;;
    --limit=*) limit=$value ;;
    --only=*) only=$value ;;
    --list) list=1 ;;
    --help) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
  esac
done
for number in "$gpus" "$runs" "$limit"; do
  [[ $number =~ ^[1-9][0-9]*$ ]] || { echo "gpu_ranks.sh: expected numbers of at least 1, got '$number'" >&2 && exit 2; }
done

# Kernels of NCCL wait on the device: what stops the whole device meanwhile, as loading code at its first launch, never ends.
export CUDA_MODULE_LOADING=EAGER
[ "$gpus" = 1 ] && export NCCL_MULTI_RANK_GPU_ENABLE=1

steps=()
for transport in host nccl; do
  for programs in layers attention train families; do steps+=("$transport-$programs"); done
done
if [ -n "$list" ]; then
  printf '%s\n' "${steps[@]}"
  exit 0
fi

if ! python3 - <<'END'
import ctypes
import sys

try:
    driver = ctypes.CDLL("libcuda.so.1")
except OSError:
    sys.exit(1)
count = ctypes.c_int(0)
sys.exit(driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0 or count.value == 0)
END
then
  echo "gpu_ranks.sh: no CUDA device" >&2
  exit 77
fi

mkdir -p "$out"
table=$out/ranks.md
printf '| step | outcome | programs that are right | worst difference | seconds |\n|---|---|---|---|---|\n' > "$table"
failed=0
for step in "${steps[@]}"; do
  [[ $step =~ ^($only) ]] || continue
  options=("--gpu=$arch" "--runs=$runs")
  [[ $step == nccl-* ]] && options+=(--nccl "--gpus=$gpus")
  [[ $step == *-families ]] && options+=(--tolerance=2e-6 --meaning-tolerance=1e-9) # of f32
  log=$out/$step.log
  start=$SECONDS
  timeout -k 10 "$limit" "$build/bin/xf-shares" "$here/../ranks/Inputs/${step#*-}.mlir" "${options[@]}" > "$log" 2>&1
  code=$?
  outcome=passed
  [ $code -ne 0 ] && outcome="failed ($code)" && failed=1
  [ $code -eq 124 ] && outcome="stopped after $limit s"
  right=$(grep -c ': right$' "$log")
  worst=$(sed -n 's/.*worst difference \([^,]*\),.*/\1/p' "$log" | sort -g | tail -1)
  echo "| $step | $outcome | $right | ${worst:--} | $((SECONDS - start)) |" | tee -a "$table"
done
exit $failed
