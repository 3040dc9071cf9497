// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xft.collective C1
func.func @converting(%x: memref<4xf32>, %y: memref<4xf16>) {
  // expected-error @below {{expected buffers of one element type, got 'memref<4xf32>' and 'memref<4xf16>'}}
  %ticket = xft.collective all_reduce over ["data"] %x, %y : memref<4xf32>, memref<4xf16>
  xft.wait %ticket
  return
}

// -----

// xft.collective C2
func.func @strided(%x: memref<4x8xf32, strided<[16, 1]>>, %y: memref<?x8xf32>) {
  // expected-error @below {{expected a buffer in row-major order without gaps, got 'memref<4x8xf32, strided<[16, 1]>>'}}
  %ticket = xft.collective all_gather over ["data"] %x, %y : memref<4x8xf32, strided<[16, 1]>>, memref<?x8xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C3
func.func @nowhere(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected names of axes, each once, got []}}
  %ticket = xft.collective all_reduce over [] %x, %y : memref<4xf32>, memref<4xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C3
func.func @twice(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected names of axes, each once, got ["data", "data"]}}
  %ticket = xft.collective all_reduce over ["data", "data"] %x, %y : memref<4xf32>, memref<4xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C4
func.func @shorter(%x: memref<4xf32>, %y: memref<2xf32>) {
  // expected-error @below {{expected buffers of equal sizes, got 'memref<4xf32>' and 'memref<2xf32>'}}
  %ticket = xft.collective all_reduce over ["data"] %x, %y : memref<4xf32>, memref<2xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C4
func.func @rows(%x: memref<4x8xf32>, %y: memref<?x16xf32>) {
  // expected-error @below {{expected buffers of equal parts, got 'memref<4x8xf32>' and 'memref<?x16xf32>'}}
  %ticket = xft.collective all_gather over ["sequence"] %x, %y : memref<4x8xf32>, memref<?x16xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C4
func.func @no_rows(%x: memref<f32>, %y: memref<f32>) {
  // expected-error @below {{expected buffers of equal parts, got 'memref<f32>' and 'memref<f32>'}}
  %ticket = xft.collective reduce_scatter over ["sequence"] %x, %y : memref<f32>, memref<f32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C5
func.func @without_plan(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // expected-error @below {{expected queries and a plan, got none}}
  %ticket = xft.collective exchange over ["sequence"] %x, %y : memref<?x8xf32>, memref<?x8xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C7
func.func @segments_without_plan(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %ids: memref<?x?xi32>) {
  // expected-error @below {{expected segments where there is a plan, got some without}}
  %ticket = xft.collective all_gather over ["sequence"] segments(%ids, %ids : memref<?x?xi32>, memref<?x?xi32>) %x, %y : memref<?x8xf32>, memref<?x8xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C7
func.func @segments_of_rank(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %ids: memref<?xi32>, %n: index) {
  // expected-error @below {{expected segments of rank 2 in row-major order without gaps, got 'memref<?xi32>'}}
  %ticket = xft.collective exchange over ["sequence"] queries %n plan([1, 0, 0]) segments(%ids, %ids : memref<?xi32>, memref<?xi32>) %x, %y : memref<?x8xf32>, memref<?x8xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C7
func.func @segments_of_types(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %ids: memref<?x?xi32>, %long: memref<?x?xi64>, %n: index) {
  // expected-error @below {{expected segments of one type, got 'memref<?x?xi32>' and 'memref<?x?xi64>'}}
  %ticket = xft.collective exchange over ["sequence"] queries %n plan([1, 0, 0]) segments(%ids, %long : memref<?x?xi32>, memref<?x?xi64>) %x, %y : memref<?x8xf32>, memref<?x8xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C5
func.func @with_plan(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // expected-error @below {{expected no queries or plan, got one}}
  %ticket = xft.collective all_to_all over ["sequence"] plan([0, 0]) %x, %y : memref<?x8xf32>, memref<?x8xf32>
  xft.wait %ticket
  return
}

// -----

// xft.collective C6
func.func @never(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected one xft.wait for the ticket, got 0}}
  %ticket = xft.collective all_reduce over ["data"] %x, %y : memref<4xf32>, memref<4xf32>
  return
}

// -----

// xft.collective C6
func.func @twice(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected one xft.wait for the ticket, got 2}}
  %ticket = xft.collective all_reduce over ["data"] %x, %y : memref<4xf32>, memref<4xf32>
  xft.wait %ticket
  xft.wait %ticket
  return
}
