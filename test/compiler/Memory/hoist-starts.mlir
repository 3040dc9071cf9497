// RUN: xf-opt %s --xf-hoist-starts | FileCheck %s

// What a collective does not need runs behind its start, in its order; behind those of keys and of values alike.
// CHECK-LABEL: func.func @hoists
func.func @hoists(%x: memref<1x16xf32>, %y: memref<1x16xf32>) attributes {xft.entry} {
  // CHECK-DAG: %[[Q:.*]] = memref.alloc() {q}
  // CHECK-DAG: %[[R:.*]] = memref.alloc() {r}
  // CHECK-DAG: %[[K:.*]] = memref.alloc() {k}
  // CHECK-DAG: %[[V:.*]] = memref.alloc() {v}
  %one = arith.constant 1 : index
  %q = memref.alloc() {q} : memref<1x16xf32>
  %r = memref.alloc() {r} : memref<1x16xf32>
  %k = memref.alloc() {k} : memref<1x16xf32>
  %v = memref.alloc() {v} : memref<1x16xf32>
  %k_all = memref.alloc() : memref<1x32xf32>
  %v_all = memref.alloc() : memref<1x32xf32>
  // CHECK: xft.launch @k tiles(%{{.*}}) (%{{.*}}, %[[K]] :
  // CHECK-NEXT: %[[FIRST:.*]] = xft.collective all_gather over ["data"] join 1 %[[K]]
  // CHECK-NEXT: xft.launch @k tiles(%{{.*}}) (%{{.*}}, %[[V]] :
  // CHECK-NEXT: %[[SECOND:.*]] = xft.collective all_gather over ["data"] join 1 %[[V]]
  // CHECK-NEXT: xft.launch @k tiles(%{{.*}}) (%{{.*}}, %[[Q]] :
  // CHECK-NEXT: xft.launch @k tiles(%{{.*}}) (%[[Q]], %[[R]] :
  // CHECK-NEXT: xft.wait %[[FIRST]]
  // CHECK-NEXT: xft.wait %[[SECOND]]
  xft.launch @k tiles(%one) (%x, %q : memref<1x16xf32>, memref<1x16xf32>)
  xft.launch @k tiles(%one) (%x, %k : memref<1x16xf32>, memref<1x16xf32>)
  xft.launch @k tiles(%one) (%q, %r : memref<1x16xf32>, memref<1x16xf32>)
  %first = xft.collective all_gather over ["data"] join 1 %k, %k_all : memref<1x16xf32>, memref<1x32xf32>
  xft.launch @k tiles(%one) (%x, %v : memref<1x16xf32>, memref<1x16xf32>)
  %second = xft.collective all_gather over ["data"] join 1 %v, %v_all : memref<1x16xf32>, memref<1x32xf32>
  xft.wait %first
  xft.wait %second
  xft.launch @k tiles(%one) (%r, %y : memref<1x16xf32>, memref<1x16xf32>)
  return
}

// A step moves behind two starts, and not behind a wait's.
// CHECK-LABEL: func.func @limit
func.func @limit(%x: memref<1x16xf32>, %y: memref<1x16xf32>) attributes {xft.entry} {
  // CHECK: %[[A:.*]] = memref.alloc() {a}
  %one = arith.constant 1 : index
  %a = memref.alloc() {a} : memref<1x16xf32>
  %b = memref.alloc() : memref<1x16xf32>
  %c = memref.alloc() : memref<1x16xf32>
  %d = memref.alloc() : memref<1x16xf32>
  %e = memref.alloc() : memref<1x16xf32>
  %sums = memref.alloc() : memref<1x16xf32>
  %more = memref.alloc() : memref<1x16xf32>
  %most = memref.alloc() : memref<1x16xf32>
  // CHECK: xft.collective
  // CHECK: xft.collective
  // CHECK-NEXT: xft.launch @k tiles(%{{.*}}) (%{{.*}}, %[[A]] :
  // CHECK-NEXT: xft.launch
  // CHECK-NEXT: xft.collective
  xft.launch @k tiles(%one) (%x, %a : memref<1x16xf32>, memref<1x16xf32>)
  xft.launch @k tiles(%one) (%x, %b : memref<1x16xf32>, memref<1x16xf32>)
  %first = xft.collective all_reduce over ["data"] %b, %sums : memref<1x16xf32>, memref<1x16xf32>
  xft.launch @k tiles(%one) (%x, %c : memref<1x16xf32>, memref<1x16xf32>)
  %second = xft.collective all_reduce over ["data"] %c, %more : memref<1x16xf32>, memref<1x16xf32>
  xft.launch @k tiles(%one) (%x, %d : memref<1x16xf32>, memref<1x16xf32>)
  %third = xft.collective all_reduce over ["data"] %d, %most : memref<1x16xf32>, memref<1x16xf32>
  // CHECK: xft.wait
  // CHECK-NEXT: xft.launch
  // CHECK-NEXT: xft.collective
  // CHECK-NEXT: xft.wait
  xft.launch @k tiles(%one) (%a, %e : memref<1x16xf32>, memref<1x16xf32>)
  xft.wait %first
  xft.launch @k tiles(%one) (%x, %b : memref<1x16xf32>, memref<1x16xf32>)
  %fourth = xft.collective all_reduce over ["data"] %b, %sums : memref<1x16xf32>, memref<1x16xf32>
  xft.wait %second
  xft.wait %third
  xft.wait %fourth
  xft.launch @k tiles(%one) (%e, %y : memref<1x16xf32>, memref<1x16xf32>)
  return
}

// A step stays before one that writes what it reads, or a result: it may be in the memory of any argument.
// CHECK-LABEL: func.func @stays
func.func @stays(%x: memref<1x16xf32>, %y: memref<1x16xf32>, %z: memref<1x16xf32>) attributes {xft.entry} {
  // CHECK-DAG: %[[A:.*]] = memref.alloc() {a}
  // CHECK-DAG: %[[B:.*]] = memref.alloc() {b}
  %one = arith.constant 1 : index
  %a = memref.alloc() {a} : memref<1x16xf32>
  %b = memref.alloc() {b} : memref<1x16xf32>
  %sum = memref.alloc() : memref<1x16xf32>
  // CHECK: xft.launch @k tiles(%{{.*}}) (%{{.*}}, %[[A]] :
  // CHECK-NEXT: xft.launch @k tiles(%{{.*}}) (%[[A]], %[[B]] :
  // CHECK-NEXT: xft.launch @k tiles(%{{.*}}) (%{{.*}}, %[[A]] :
  // CHECK-NEXT: xft.collective
  // CHECK-NEXT: xft.wait
  xft.launch @k tiles(%one) (%x, %a : memref<1x16xf32>, memref<1x16xf32>)
  xft.launch @k tiles(%one) (%a, %b : memref<1x16xf32>, memref<1x16xf32>)
  xft.launch @k tiles(%one) (%x, %a : memref<1x16xf32>, memref<1x16xf32>)
  %first = xft.collective all_reduce over ["data"] %a, %sum : memref<1x16xf32>, memref<1x16xf32>
  xft.wait %first
  // CHECK-NEXT: xft.launch @k tiles(%{{.*}}) (%{{.*}}, %[[B]] :
  // CHECK-NEXT: xft.launch
  // CHECK-NEXT: xft.collective
  xft.launch @k tiles(%one) (%x, %b : memref<1x16xf32>, memref<1x16xf32>)
  xft.launch @k tiles(%one) (%sum, %y : memref<1x16xf32>, memref<1x16xf32>)
  %second = xft.collective all_reduce over ["data"] %y, %z : memref<1x16xf32>, memref<1x16xf32>
  xft.wait %second
  return
}

// What rows add up is written, too.
// CHECK-LABEL: func.func @adds
func.func @adds(%x: memref<1x16xf32>, %y: memref<1x16xf32>) attributes {xft.entry} {
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<1x16xf32>
  %sum = memref.alloc() : memref<1x16xf32>
  // CHECK: xft.launch @add
  // CHECK-NEXT: xft.collective
  xft.launch @add tiles(%one) (%x, %a : memref<1x16xf32>, memref<1x16xf32>)
  %ticket = xft.collective all_reduce over ["data"] %a, %sum : memref<1x16xf32>, memref<1x16xf32>
  xft.wait %ticket
  xft.launch @k tiles(%one) (%sum, %y : memref<1x16xf32>, memref<1x16xf32>)
  return
}

func.func private @add(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<1x16xf32>, %y: memref<1x16xf32>) attributes {xft.kernel} {
  %one = arith.constant 1 : index
  %n = arith.constant 16 : index
  xft.rows outer(%one) columns(%n) blocks(%one) {
  ^bb0(%row: i64):
    xft.cols ins(%x : memref<1x16xf32>) accs(%y : memref<1x16xf32>) combine(add) {
    ^bb0(%column: i64, %element: f32):
      xft.yield %element : f32
    }
  }
  return
}

func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<1x16xf32>, %y: memref<1x16xf32>) attributes {xft.kernel} {
  %one = arith.constant 1 : index
  %n = arith.constant 16 : index
  xft.rows outer(%one) columns(%n) blocks(%one) {
  ^bb0(%row: i64):
    xft.cols ins(%x : memref<1x16xf32>) outs(%y : memref<1x16xf32>) {
    ^bb0(%column: i64, %element: f32):
      xft.yield %element : f32
    }
  }
  return
}
