// A warp runs a group of rows or keys, or a list.
// RUN: xfc %s --start-from=kernel --target=cuda --gpu-arch=sm_80 --emit=ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}

// Of two batches of 100 numbers in groups of 48, element 2 n - 3 of 10 in the first one, and none in the second.
// RUN: ptx-run %t.ptx --kernel=numbers --grid=4 --block=32 --scalar=s64:100 --scalar=s64:0 --scalar=s64:3 \
// RUN:   --buffer=s32:20:iota --buffer=s32:288:iota --buffer=s32:288 --buffer=s32:12 --scalar=s64:6 --print=2:8 --print=3 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: buffer 2: -1 -1 1 3 5 7 9 -1
// NUMBERS: buffer 3: -1 9 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1

// The second offset, 1065353216, ends the one list with the last number.
// RUN: ptx-run %t.ptx --kernel=lists --grid=1 --block=32 --scalar=s64:2 --scalar=s64:1 --scalar=s64:1 \
// RUN:   --buffer=f32:2:iota --buffer=s32:1:7 --buffer=s32:1 --scalar=s64:1 --print=1 --print=2 | %python %S/Inputs/is_sorted.py
// RUN: ptx-run %t.ptx --kernel=lists --grid=1 --block=32 --scalar=s64:2 --scalar=s64:77 --scalar=s64:77 \
// RUN:   --buffer=f32:2:iota --buffer=s32:77:random\(1\) --buffer=s32:77 --scalar=s64:1 --print=1 --print=2 | %python %S/Inputs/is_sorted.py
// RUN: ptx-run %t.ptx --kernel=lists --grid=1 --block=32 --scalar=s64:2 --scalar=s64:512 --scalar=s64:512 \
// RUN:   --buffer=f32:2:iota --buffer=s32:512:random\(2\) --buffer=s32:512 --scalar=s64:1 --print=1 --print=2 | %python %S/Inputs/is_sorted.py
// Lists of one number each.
// RUN: ptx-run %t.ptx --kernel=lists --grid=8 --block=32 --scalar=s64:20 --scalar=s64:19 --scalar=s64:19 \
// RUN:   --buffer=s32:20:iota --buffer=s32:19:random\(3\) --buffer=s32:19 --scalar=s64:19 --print=1 --print=2 | FileCheck %s --check-prefix=ONES
// ONES: buffer 1:[[GIVEN:.*]]
// ONES: buffer 2:[[GIVEN]]

// CHECK: .visible .entry numbers
// CHECK-COUNT-20: shfl.sync.bfly.b32
func.func private @numbers(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<2x10xi32>, %input: memref<2x144xi32>,
                           %values: memref<2x144xi32>, %ranges: memref<2x3x2xi32>, %count: index, %first: index,
                           %nk: index) attributes {xft.kernel} {
  xft.tabulate rows %x to %values, %ranges count %count nq %nk nk %nk inputs(%input : memref<2x144xi32>)
      at affine_map<(i)[Nq, Nk, d] -> (i + d - Nk)> symbols [2] group 48 : memref<2x10xi32>, memref<2x144xi32>, memref<2x3x2xi32>
  return
}

// CHECK: .visible .entry lists
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: bar.warp.sync
func.func private @lists(%begin: i64, %end: i64, %scratch: !llvm.ptr, %offsets: memref<?xi32>, %columns: memref<?xi32>,
                         %to: memref<?xi32>) attributes {xft.kernel} {
  xft.sort_lists %offsets, %columns to %to : memref<?xi32>, memref<?xi32>, memref<?xi32>
  return
}
