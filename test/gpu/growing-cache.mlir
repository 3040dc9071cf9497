// A step of decoding with a cache of 4096 keys that grows in place: its length is in the memory of the device, so that calls
// do not differ, and from the second on a recorded graph runs. A call reads the keys and values that the cache holds, 500
// rows of 256 bytes of each for two heads, not its capacity.

// REQUIRES: simulator
// RUN: xfc %s --target=cuda --gpu-arch=sm_90a --emit=shared -O0 -o %t.so
// RUN: env XF_SIM_CAPABILITY=9.0 XF_SIM_STATISTICS=1 %python %S/Inputs/growing_cache.py %source/test/bench %build %t.so 2>&1 | FileCheck %s
// CHECK-COUNT-5: kernel attend_decode_step_dense_full: {{[0-9]+}} blocks of 96 threads, {{.*}}, {{5[23]....}} bytes read
// CHECK: lengths 500 to 504: as numpy says; 4 graphs, 0 copies on the device

!cache = tensor<1x2x4096x64xf32>
!token = tensor<1x2x1x64xf32>
func.func @step(%q: tensor<1x8x1x64xf32> {xf.name = "q"}, %k: !token {xf.name = "k"}, %v: !token {xf.name = "v"},
                %at: tensor<i32> {xf.name = "at"}, %length: tensor<1xi64> {xf.name = "length"},
                %keys: !cache {xf.name = "keys"}, %values: !cache {xf.name = "values"})
    -> (tensor<1x8x1x64xf32> {xf.name = "o"}, !cache {xf.name = "keys", xf.updates = "keys"},
        !cache {xf.name = "values", xf.updates = "values"}) {
  %grown = xf.slice_update %keys, %k at %at axis 2 : (!cache, !token, tensor<i32>) -> !cache
  %more = xf.slice_update %values, %v at %at axis 2 : (!cache, !token, tensor<i32>) -> !cache
  %o = xf.attention %q, %grown, %more pattern(#xf.dense) lengths(%length : tensor<1xi64>)
    : (tensor<1x8x1x64xf32>, !cache, !cache) -> tensor<1x8x1x64xf32>
  return %o, %grown, %more : tensor<1x8x1x64xf32>, !cache, !cache
}
