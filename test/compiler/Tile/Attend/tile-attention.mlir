// RUN: xf-opt %s -xf-solve-patterns -xf-tile-program=machine=x86-64-v3 -split-input-file | FileCheck %s

// The piece of residues, whose rows lie apart, saves its state; the one whose rows follow each other resumes it. A
// residue is in every lane: of 16 residues 8 in each of two tasks, 16 ranks of each. No launch packs keys: those of a
// block of 48 queries in the window of 16 lie among 63 or so, for which a ring has 8 panels.
// CHECK-LABEL: func.func @strided
// CHECK-NOT: xft.launch @gather_panels_
// CHECK: xft.launch @[[APART:attend_residues_[0-9a-f]+]] tiles(%c2)
// CHECK-NOT: xft.launch @gather_panels_
// CHECK: xft.launch @[[INPLACE:attend_[0-9a-f]+]] tiles(%c6)
// CHECK-NEXT: return
// CHECK: func.func private @[[APART]](
// CHECK: xft.attend_residues {{.*}} sums(%{{.*}}, %{{.*}} : {{.*}} order <queries = #xf.index_map<residues = 16, {{.*}} tile <rows = 3, keys = 4, lanes = 8, queries = 12, ranks = 16> save
// CHECK: func.func private @[[INPLACE]](
// CHECK: xft.attend {{.*}} order <queries = #xf.index_map<>{{.*}} gathered = 128> {{.*}} resume
func.func @strided(%q: tensor<1x1x256x16xf32> {xf.name = "q"}, %k: tensor<1x1x256x16xf32> {xf.name = "k"}, %v: tensor<1x1x256x16xf32> {xf.name = "v"}) -> (tensor<1x1x256x16xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 16>)
    : (tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>, tensor<1x1x256x16xf32>) -> tensor<1x1x256x16xf32>
  return %o : tensor<1x1x256x16xf32>
}

// -----

// Where a run-time number bounds the last key of each row, a launch would pack keys that no row sees: tasks pack those of
// their rows, a block of 256 after the other. A second interval without such a bound has all keys, as a set without one.
// CHECK-LABEL: func.func @ends_at_run_time
// CHECK-NOT: xft.launch @gather_panels_
// CHECK: xft.launch @[[ENDS:attend_[0-9a-f]+]]
// CHECK: xft.launch @gather_panels_
// CHECK: xft.launch @attend_
// CHECK: func.func private @[[ENDS]](
// CHECK: xft.attend {{.*}} gathered = 256>
func.func @ends_at_run_time(%q: tensor<1x2x?x64xf32> {xf.name = "q"}, %k: tensor<1x2x8192x64xf32> {xf.name = "k"}, %n: tensor<1xi64> {xf.name = "n"}) -> (tensor<1x2x?x64xf32> {xf.name = "o"}, tensor<1x2x?x64xf32> {xf.name = "p"}) {
  %o = xf.attention %q, %k, %k pattern(#xf.affine<(i, j)[Nq, Nk, n] : (i - j + n ge 0)>) symbols(%n : tensor<1xi64>)
    : (tensor<1x2x?x64xf32>, tensor<1x2x8192x64xf32>, tensor<1x2x8192x64xf32>) -> tensor<1x2x?x64xf32>
  %p = xf.attention %q, %k, %k pattern(#xf.union<[#xf.affine<(i, j)[Nq, Nk, n] : (i - j + n ge 0)>, #xf.affine<(i, j)[Nq, Nk, n] : (j - i - n - 9 ge 0)>]>) symbols(%n : tensor<1xi64>)
    : (tensor<1x2x?x64xf32>, tensor<1x2x8192x64xf32>, tensor<1x2x8192x64xf32>) -> tensor<1x2x?x64xf32>
  return %o, %p : tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>
}

// -----

// Tasks pack the keys of short heads: 200 are 13 panels, for which a ring has 16. Longer heads, those of any length, and
// those whose values are not whole registers are packed by a launch.
// CHECK-LABEL: func.func @short_heads
// CHECK-NOT: xft.launch @gather_panels_
// CHECK: xft.launch @[[SHORT:attend_[0-9a-f]+]] tiles(%c10)
// CHECK: xft.launch @gather_panels_
// CHECK: xft.launch @attend_
// CHECK: xft.launch @gather_panels_
// CHECK: xft.launch @attend_
// CHECK: xft.launch @gather_panels_
// CHECK: xft.launch @attend_
// CHECK: func.func private @[[SHORT]](
// CHECK: xft.attend {{.*}} gathered = 256>
func.func @short_heads(%x: tensor<1x2x200x64xf32> {xf.name = "x"}, %y: tensor<1x1x2048x64xf32> {xf.name = "y"}, %z: tensor<1x1x?x64xf32> {xf.name = "z"}, %r: tensor<1x1x200x33xf32> {xf.name = "r"}) -> (tensor<1x2x200x64xf32> {xf.name = "o"}, tensor<1x1x2048x64xf32> {xf.name = "p"}, tensor<1x1x?x64xf32> {xf.name = "s"}, tensor<1x1x200x33xf32> {xf.name = "t"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.causal) : (tensor<1x2x200x64xf32>, tensor<1x2x200x64xf32>, tensor<1x2x200x64xf32>) -> tensor<1x2x200x64xf32>
  %p = xf.attention %y, %y, %y pattern(#xf.causal) : (tensor<1x1x2048x64xf32>, tensor<1x1x2048x64xf32>, tensor<1x1x2048x64xf32>) -> tensor<1x1x2048x64xf32>
  %s = xf.attention %z, %z, %z pattern(#xf.causal) : (tensor<1x1x?x64xf32>, tensor<1x1x?x64xf32>, tensor<1x1x?x64xf32>) -> tensor<1x1x?x64xf32>
  %t = xf.attention %r, %r, %r pattern(#xf.causal) : (tensor<1x1x200x33xf32>, tensor<1x1x200x33xf32>, tensor<1x1x200x33xf32>) -> tensor<1x1x200x33xf32>
  return %o, %p, %s, %t : tensor<1x2x200x64xf32>, tensor<1x1x2048x64xf32>, tensor<1x1x?x64xf32>, tensor<1x1x200x33xf32>
}

// -----

// With dropout, and where residues do not fit a cache in lanes: tasks gather the keys and values of a
// short residue themselves, 32 ranks in panels of 16; of 1024 ranks panels are gathered once.
// CHECK-LABEL: func.func @apart
// CHECK: xft.launch @[[DROPS:attend_[0-9a-f]+]] tiles(%c16)
// CHECK: xft.launch @gather_panels_
// CHECK: func.func private @[[DROPS]](
// CHECK: xft.attend {{.*}} order <queries = #xf.index_map<residues = 16,{{.*}}gathered = 32> weights <{{.*}} dropout = 
// CHECK-NOT: xft.attend_residues
func.func @apart(%x: tensor<1x1x512x16xf32> {xf.name = "x"}, %y: tensor<1x1x16384x64xf32> {xf.name = "y"}, %s: tensor<2xi64> {xf.name = "s"}) -> (tensor<1x1x512x16xf32> {xf.name = "o"}, tensor<1x1x16384x64xf32> {xf.name = "p"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.strided<stride = 16, part = column>) dropout(0.5, %s : tensor<2xi64>)
    : (tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>, tensor<1x1x512x16xf32>) -> tensor<1x1x512x16xf32>
  %p = xf.attention %y, %y, %y pattern(#xf.strided<stride = 16, part = column>)
    : (tensor<1x1x16384x64xf32>, tensor<1x1x16384x64xf32>, tensor<1x1x16384x64xf32>) -> tensor<1x1x16384x64xf32>
  return %o, %p : tensor<1x1x512x16xf32>, tensor<1x1x16384x64xf32>
}

// -----

// Ids are tabulated once for queries and once for keys; the kernel asks them.
// CHECK-LABEL: func.func @documents
// CHECK-DAG: xft.launch @[[NUMBERS:tabulate_[0-9a-f]+]] tiles(%c22)
// CHECK-DAG: xft.launch @[[OTHER:tabulate_[0-9a-f]+]] tiles(%c8)
// CHECK: xft.launch @attend_
// CHECK: xft.tabulate {{.*}} group
// CHECK: xft.attend {{.*}} data(
func.func @documents(%x: tensor<1x1x128x16xf32> {xf.name = "x"}, %ids: tensor<1x128xi32> {xf.name = "ids"}) -> (tensor<1x1x128x16xf32> {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.segments) segments(%ids, %ids : tensor<1x128xi32>, tensor<1x128xi32>)
    : (tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x1x128x16xf32>
  return %o : tensor<1x1x128x16xf32>
}

// -----

// The static part of a union resumes nothing; the table's stage comes last, and sorts its lists.
// CHECK-LABEL: func.func @prefix_and_table
// CHECK: xft.launch @[[FIRST:attend_[0-9a-f]+]]
// CHECK: xft.launch @sort_lists_{{[0-9a-f]+}} tiles(%c16)
// CHECK: xft.launch @[[LAST:attend_[0-9a-f]+]]
// CHECK: func.func private @[[FIRST]](
// CHECK: xft.attend {{.*}}save
// CHECK: func.func private @[[LAST]](
// CHECK: xft.attend {{.*}} data({{.*}}resume
func.func @prefix_and_table(%x: tensor<1x1x128x16xf32> {xf.name = "x"}, %offsets: tensor<17xi32> {xf.name = "offsets"}, %columns: tensor<40xi32> {xf.name = "columns"}) -> (tensor<1x1x128x16xf32> {xf.name = "o"}) {
  %o = xf.attention %x, %x, %x pattern(#xf.union<[#xf.prefix<length = 3>, #xf.table<block = 8>]>) table(%offsets, %columns : tensor<17xi32>, tensor<40xi32>)
    : (tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>, tensor<1x1x128x16xf32>) -> tensor<1x1x128x16xf32>
  return %o : tensor<1x1x128x16xf32>
}

// -----

// Residues that do not fit a cache are gathered once, for all blocks of their queries.
// CHECK-LABEL: func.func @long_residues
// CHECK: xft.launch @gather_panels_
// CHECK: xft.launch @gather_panels_
// CHECK: xft.launch @attend_{{[0-9a-f]+}} tiles(%c344)
// CHECK-NOT: gathered
func.func @long_residues(%q: tensor<1x1x16384x64xf32> {xf.name = "q"}, %k: tensor<1x1x16384x64xf32> {xf.name = "k"}, %v: tensor<1x1x16384x64xf32> {xf.name = "v"}) -> (tensor<1x1x16384x64xf32> {xf.name = "o"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 8, part = column>)
    : (tensor<1x1x16384x64xf32>, tensor<1x1x16384x64xf32>, tensor<1x1x16384x64xf32>) -> tensor<1x1x16384x64xf32>
  return %o : tensor<1x1x16384x64xf32>
}

// -----

// Drawn lists are operands: attentions that draw other lists, as layers do, launch one kernel.
// CHECK-LABEL: func.func @two_draws
// CHECK: xft.launch @[[DRAWN:attend_[0-9a-f]+]]
// CHECK: xft.launch @[[DRAWN]]
// CHECK: func.func private @[[DRAWN]](
// CHECK: xft.attend {{.*}} data(%{{.*}} offsets = dense<0> : tensor<257xi32>, columns = dense<> : tensor<0xi32>
// CHECK-NOT: xft.attend %
func.func @two_draws(%q: tensor<1x2x128x8xf32> {xf.name = "q"}) -> (tensor<1x2x128x8xf32> {xf.name = "o"}) {
  %x = xf.attention %q, %q, %q pattern(#xf.random<count = 3, seed = 1>)
    : (tensor<1x2x128x8xf32>, tensor<1x2x128x8xf32>, tensor<1x2x128x8xf32>) -> tensor<1x2x128x8xf32>
  %o = xf.attention %x, %x, %x pattern(#xf.random<count = 3, seed = 2>)
    : (tensor<1x2x128x8xf32>, tensor<1x2x128x8xf32>, tensor<1x2x128x8xf32>) -> tensor<1x2x128x8xf32>
  return %o : tensor<1x2x128x8xf32>
}
