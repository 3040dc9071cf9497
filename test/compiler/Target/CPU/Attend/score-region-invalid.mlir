// RUN: not xfc %s --stop-after=target -o - 2>&1 | FileCheck %s

// CHECK: [[@LINE+3]]:{{.*}}: error: not implemented: 'math.atanh' in a score region{{$}}
func.func @atan(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.causal) score(%s : f32, %b, %h, %i, %j) {
    %r = math.atanh %s : f32
    xf.yield %r : f32
  } : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
  return %o : tensor<1x1x4x8xf32>
}
