// A slice of a state is replaced in the state's own memory: the only kernel of the entry runs over the rows of x.

// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @in_place
// CHECK-SAME: %[[CACHE:[a-z0-9]+]]: memref<1x2x16x8xf32>
// CHECK-SAME: %[[POSITION:[a-z0-9]+]]: memref<i32> {xf.name = "position", xf.range = array<i64: 0, 13>, xft.place}
// CHECK-SAME: %[[NEXT:[a-z0-9]+]]: memref<1x2x16x8xf32> {xf.name = "next"
// CHECK-NOT: memref.alloc
// CHECK-NOT: xft.copy
// CHECK: %[[VIEW:[a-z0-9_]+]] = memref.reinterpret_cast %[[NEXT]]
// CHECK-NOT: {{memref.alloc|xft.copy}}
// CHECK: xft.launch @slice_update{{[^(]*}}tiles({{[^)]*}}) ({{.*}}%[[VIEW]]
// CHECK-NOT: {{xft.launch|xft.copy}}
// CHECK: return
func.func @in_place(%cache: tensor<1x2x16x8xf32> {xf.name = "cache", xf.state = "cache"}, %k: tensor<1x3x16xf32> {xf.name = "k"},
                    %position: tensor<i32> {xf.name = "position"})
    -> (tensor<1x2x16x8xf32> {xf.name = "next", xf.updates = "cache"}) {
  %heads = xf.split_heads %k heads 2 : (tensor<1x3x16xf32>) -> tensor<1x2x3x8xf32>
  %next = xf.slice_update %cache, %heads at %position axis 2 : (tensor<1x2x16x8xf32>, tensor<1x2x3x8xf32>, tensor<i32>) -> tensor<1x2x16x8xf32>
  return %next : tensor<1x2x16x8xf32>
}

// -----

// Two slices of one state, and a reader of what they make: no copy either.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: {{memref.alloc|xft.copy}}
// CHECK: xft.launch @slice_update
// CHECK-NOT: {{memref.alloc|xft.copy|xft.launch}}
// CHECK: xft.launch @slice_update
// CHECK-NOT: {{memref.alloc|xft.copy|xft.launch}}
// CHECK: xft.launch @{{exp|map}}
// CHECK-NOT: {{xft.copy|xft.launch}}
// CHECK: return
func.func @twice(%state: tensor<16x8xf32> {xf.name = "s", xf.state = "s"}, %x: tensor<1x8xf32>, %p: tensor<i64>, %q: tensor<i64>)
    -> (tensor<16x8xf32> {xf.name = "y"}, tensor<16x8xf32> {xf.name = "next", xf.updates = "s"}) {
  %one = xf.slice_update %state, %x at %p axis 0 : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>) -> tensor<16x8xf32>
  %two = xf.slice_update %one, %x at %q axis 0 : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>) -> tensor<16x8xf32>
  %y = xf.exp %two : tensor<16x8xf32>
  return %y, %two : tensor<16x8xf32>, tensor<16x8xf32>
}

// -----

// The old state is read afterwards: it is copied.
// CHECK-LABEL: func.func @read_later
// CHECK: memref.alloc
// CHECK: xft.copy
// CHECK: xft.launch @slice_update
func.func @read_later(%state: tensor<16x8xf32> {xf.name = "s", xf.state = "s"}, %x: tensor<1x8xf32>, %p: tensor<i64>)
    -> (tensor<16x8xf32> {xf.name = "y"}, tensor<16x8xf32> {xf.name = "next", xf.updates = "s"}) {
  %next = xf.slice_update %state, %x at %p axis 0 : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i64>) -> tensor<16x8xf32>
  %y = xf.exp %state : tensor<16x8xf32>
  return %y, %next : tensor<16x8xf32>, tensor<16x8xf32>
}

// -----

// The slice is read from the state, which the kernel would overwrite while it reads.
// CHECK-LABEL: func.func @shift
// CHECK: memref.alloc
// CHECK: xft.launch @slice_update
func.func @shift(%state: tensor<16x8xf32> {xf.name = "s", xf.state = "s"}, %p: tensor<i64>)
    -> (tensor<16x8xf32> {xf.name = "next", xf.updates = "s"}) {
  %x = xf.slice %state offsets [1, 0] strides [1, 1] : tensor<16x8xf32> to tensor<4x8xf32>
  %next = xf.slice_update %state, %x at %p axis 0 : (tensor<16x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<16x8xf32>
  return %next : tensor<16x8xf32>
}

// -----

// A call compares the position with the size of the state minus that of x.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: xf.range = array<i64: 0, 16>, xft.place, xft.room = array<i64: 1, 0, 16>
func.func @dynamic(%state: tensor<16x8xf32> {xf.name = "s", xf.state = "s"}, %x: tensor<?x8xf32> {xf.name = "x"}, %p: tensor<i64> {xf.name = "p"})
    -> (tensor<16x8xf32> {xf.name = "next", xf.updates = "s"}) {
  %next = xf.slice_update %state, %x at %p axis 0 : (tensor<16x8xf32>, tensor<?x8xf32>, tensor<i64>) -> tensor<16x8xf32>
  return %next : tensor<16x8xf32>
}
