// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xft.copy C1
func.func @converting(%x: memref<4xf32>, %y: memref<4xf16>) {
  // expected-error @below {{expected buffers of one element type and shape, got 'memref<4xf32>' and 'memref<4xf16>'}}
  xft.copy %x to %y : memref<4xf32> to memref<4xf16>
  return
}

// -----

// xft.copy C1
func.func @longer(%x: memref<4xf32>, %y: memref<5xf32>) {
  // expected-error @below {{expected buffers of one element type and shape, got 'memref<4xf32>' and 'memref<5xf32>'}}
  xft.copy %x to %y : memref<4xf32> to memref<5xf32>
  return
}

// -----

// xft.copy C2
func.func @strided(%x: memref<4x8xf32, strided<[16, 1]>>, %y: memref<4x8xf32>) {
  // expected-error @below {{expected a dense buffer with static sizes but the first, got 'memref<4x8xf32, strided<[16, 1]>>'}}
  xft.copy %x to %y : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
  return
}

// -----

// xft.copy C2
func.func @transposed(%x: memref<4x8xf32>, %y: memref<4x8xf32, strided<[1, 4]>>) {
  // expected-error @below {{expected a dense buffer with static sizes but the first, got 'memref<4x8xf32, strided<[1, 4]>>'}}
  xft.copy %x to %y : memref<4x8xf32> to memref<4x8xf32, strided<[1, 4]>>
  return
}

// -----

// xft.copy C2
func.func @unknown(%x: memref<4x?xf32>, %y: memref<4x?xf32>) {
  // expected-error @below {{expected a dense buffer with static sizes but the first, got 'memref<4x?xf32>'}}
  xft.copy %x to %y : memref<4x?xf32> to memref<4x?xf32>
  return
}

// -----

// xft.copy C3
func.func @within(%x: memref<8xf32>) {
  %low = memref.reinterpret_cast %x to offset: [0], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %high = memref.reinterpret_cast %x to offset: [4], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-error @below {{expected views of different buffers, got views of one}}
  xft.copy %low to %high : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: 4>>
  return
}

// -----

// xft.wait C1
func.func @from_elsewhere(%ticket: !xft.ticket) {
  // expected-error @below {{expected the ticket of a collective, got <block argument> of type '!xft.ticket' at index: 0}}
  xft.wait %ticket
  return
}
