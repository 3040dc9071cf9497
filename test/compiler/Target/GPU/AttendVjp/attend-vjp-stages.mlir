// Both sides of a gradient: what passes arrives while the block before is computed with, behind one barrier for each.
// RUN: xfc %s --vjp=short --target=cuda --gpu-arch=sm_80 --emit=ptx | FileCheck %s --check-prefix=STAGES
// STAGES-COUNT-2: .visible .entry attend_vjp_{{[a-z_0-9]+}}(
// STAGES: cp.async.wait_group 0;
// STAGES: bar.red.or.pred
// STAGES: cp.async.cg.shared.global
// STAGES: cp.async.commit_group
func.func @short(%q: tensor<1x2x150x64xbf16>, %k: tensor<1x1x150x64xbf16>, %v: tensor<1x1x150x64xbf16>) -> tensor<1x2x150x64xbf16> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x2x150x64xbf16>, tensor<1x1x150x64xbf16>, tensor<1x1x150x64xbf16>) -> tensor<1x2x150x64xbf16>
  return %o : tensor<1x2x150x64xbf16>
}
