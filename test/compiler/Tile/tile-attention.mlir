// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=mcpu=x86-64-v3 | FileCheck %s

// The piece of residues, whose rows lie apart, saves its state; the one whose rows follow each other resumes it.
// CHECK-LABEL: func.func @strided
// CHECK: xft.launch @gather_panels_
// CHECK: xft.launch @gather_panels_
// CHECK: xft.launch @[[APART:attend_[0-9a-f]+]] tiles(%c16)
// CHECK: xft.launch @gather_panels_
// CHECK: xft.launch @[[INPLACE:attend_[0-9a-f]+]] tiles(%c6)
// CHECK-NEXT: return
// CHECK: func.func private @[[APART]](
// CHECK: xft.attend {{.*}}queries = #xf.index_map<residues = 16, {{.*}}save
// CHECK: func.func private @[[INPLACE]](
// CHECK: xft.attend {{.*}}queries = #xf.index_map<>{{.*}}resume
func.func @strided(%q: tensor<1x1x256x16xf32> {xf.name = "q"}, %k: tensor<1x1x256x16xf32> {xf.name = "k"}, %v: tensor<1x1x256x16xf32> {xf.name = "v"}) -> (tensor<1x1x256x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 16>)
    : (tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>) -> tensor<1x1x256x16xf32>
  return %o : tensor<1x1x256x16xf32>
}
