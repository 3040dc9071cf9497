// Copies of bytes on the CPU and in the memory of the GPU: the results are those of the interpreter, to the bit.
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --stop-after=memory | FileCheck %s
// RUN: xf-run %s --entry=results --target=reference --input=x=random\(1\) --output=z=@%t.z.npy --output=same=@%t.same.npy
// RUN: xf-run %s --entry=results --input=x=random\(1\) --expected-output=z=@%t.z.npy --expected-output=same=@%t.same.npy | count 0
// RUN: env XF_SIM_CAPABILITY=8.0 xf-run %s --entry=results --target=cuda --gpu-arch=sm_80 --input=x=random\(1\) --expected-output=z=@%t.z.npy --expected-output=same=@%t.same.npy | count 0
// RUN: xfc %s --target=cuda --gpu-arch=sm_80 --entry=results --emit=shared -o %t.so
// RUN: %if simulator %{ env XF_SIM_CAPABILITY=8.0 %python %S/Inputs/replay.py %source/test/bench %build %t.so | FileCheck %s --check-prefix=GRAPH %}
// RUN: env XF_SIM_SCHEDULE=random %sm_80 %s
// RUN: env XF_SIM_SCHEDULE=lazy %sm_90a %s

// The second call records them, beside the launch, in a graph that it and later calls launch.
// GRAPH: 4 graphs, 6 copies

// CHECK-COUNT-3: xft.copy
// CHECK-NOT: xft.copy
func.func @results(%x: tensor<5x8xf32> {xf.name = "x"}) -> (tensor<5x8xf32> {xf.name = "y"}, tensor<40xf32> {xf.name = "z"}, tensor<5x8xf32> {xf.name = "same"}) {
  %y = xf.add %x, %x : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  %z = xf.reshape %y : tensor<5x8xf32> to tensor<40xf32>
  return %y, %z, %x : tensor<5x8xf32>, tensor<40xf32>, tensor<5x8xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK: xft.copy
func.func @dynamic(%x: tensor<?x8xf16> {xf.name = "x"}) -> (tensor<?x8xf16> {xf.name = "y"}) {
  return %x : tensor<?x8xf16>
}
