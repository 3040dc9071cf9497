// RUN: xf-opt %s -split-input-file -verify-diagnostics

func.func @group_of_none(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>, %c: memref<?x?xbf16>) {
  // expected-error @below {{expected at least one group that computes and one stage, got #xft.warpgroups<consumers = 0, stages = 2>}}
  xft.contract %a, %b outs(%c) rows 64 columns 64 block 64 depth 512 warpgroups <consumers = 0, stages = 2> : memref<?x?xbf16>, memref<?x?xbf16>, memref<?x?xbf16> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

// xft.contract C5
func.func @wide_floats(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected one panel of unpacked floats of 16 bits with warpgroups, got 'memref<?x?xf32>'}}
  xft.contract %a, %b outs(%c) rows 64 columns 64 block 64 depth 512 warpgroups <consumers = 1, stages = 2> : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @rows_without_unit(%a: memref<?x?xbf16, strided<[?, 2]>>, %b: memref<?x?xbf16>, %c: memref<?x?xbf16>) {
  // expected-error @below {{expected a with a static stride of 1 in m or k with warpgroups, got 'memref<?x?xbf16, strided<[?, 2]>>'}}
  xft.contract %a, %b outs(%c) rows 64 columns 64 block 64 depth 512 warpgroups <consumers = 1, stages = 2> : memref<?x?xbf16, strided<[?, 2]>>, memref<?x?xbf16>, memref<?x?xbf16> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @few_rows_of_groups(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>, %c: memref<?x?xbf16>) {
  // expected-error @below {{expected a block of multiples of 128 rows, and up to 256 columns in multiples of 64, got block 64, columns 64}}
  xft.contract %a, %b outs(%c) rows 64 columns 64 block 64 depth 512 warpgroups <consumers = 2, stages = 2> : memref<?x?xbf16>, memref<?x?xbf16>, memref<?x?xbf16> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @odd_columns_of_groups(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>, %c: memref<?x?xbf16>) {
  // expected-error @below {{expected a block of multiples of 128 rows, and up to 256 columns in multiples of 64, got block 128, columns 96}}
  xft.contract %a, %b outs(%c) rows 64 columns 96 block 128 depth 512 warpgroups <consumers = 2, stages = 2> : memref<?x?xbf16>, memref<?x?xbf16>, memref<?x?xbf16> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

// xft.contract C6
func.func @widened_f32(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected widened rows of 16-bit floats with a static stride of 1 in k, without warpgroups, got 'memref<?x?xf32>'}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 widened : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @widened_columns(%a: memref<?x?xf16, strided<[1, ?]>>, %b: memref<?x?xf16>, %c: memref<?x?xf16>) {
  // expected-error @below {{expected widened rows of 16-bit floats with a static stride of 1 in k, without warpgroups, got 'memref<?x?xf16, strided<[1, ?]>>'}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 widened : memref<?x?xf16, strided<[1, ?]>>, memref<?x?xf16>, memref<?x?xf16> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}
