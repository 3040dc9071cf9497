// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xft.contract C1
func.func @vector(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  // expected-error @below {{expected a of rank 2 or more and b of that rank or, packed, one more, got ranks 1 and 1}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 : memref<?xf32>, memref<?xf32>, memref<?xf32> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @no_unit_stride(%a: memref<?x?xf32>, %b: memref<?x?xf32, strided<[?, ?]>>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected b with a static stride of 1 in n or k, got 'memref<?x?xf32, strided<[?, ?]>>'}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 : memref<?x?xf32>, memref<?x?xf32, strided<[?, ?]>>, memref<?x?xf32> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @other_width(%a: memref<?x?xf32>, %b: memref<?x?x8xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected panels with innermost size 16 and strides 16, 1, got 'memref<?x?x8xf32>'}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 : memref<?x?xf32>, memref<?x?x8xf32>, memref<?x?xf32> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @strided_result(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32, strided<[1, ?]>>) {
  // expected-error @below {{expected a result with a static innermost stride of 1, got 'memref<?x?xf32, strided<[1, ?]>>'}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32, strided<[1, ?]>> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @strided_operand(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %r: memref<?x?xf32, strided<[1, 2]>>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected an operand with a static innermost stride of 0 or 1, got 'memref<?x?xf32, strided<[1, 2]>>'}}
  xft.contract %a, %b ins(%r) outs(%c) rows 6 columns 16 block 96 depth 512 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32, strided<[1, 2]>>, memref<?x?xf32> {
  ^bb0(%s: f32, %e: f32):
    xft.yield %s : f32
  }
  return
}

// -----

// xft.contract C2
func.func @other_type(%a: memref<?x?xf32>, %b: memref<?x?xf64>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected b of 'f32', got 'f64'}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 : memref<?x?xf32>, memref<?x?xf64>, memref<?x?xf32> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @cut_tile(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected an even number of columns and a block of whole register tiles, got columns 16, block 95, rows 6}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 95 depth 512 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

// xft.contract C4
func.func @cut_run(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected a depth of whole runs of 512 terms, got 700}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 700 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
  ^bb0(%s: f32):
    xft.yield %s : f32
  }
  return
}

// -----

func.func @region_in_storage_type(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>, %c: memref<?x?xbf16>) {
  // expected-error @below {{expected a region on ('f32'), got ('bf16')}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 : memref<?x?xbf16>, memref<?x?xbf16>, memref<?x?xbf16> {
  ^bb0(%s: bf16):
    xft.yield %s : bf16
  }
  return
}

// -----

// xft.contract C3
func.func @yields_twice(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @below {{expected the region to yield ('f32'), got ('f32', 'f32')}}
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
  ^bb0(%s: f32):
    xft.yield %s, %s : f32, f32
  }
  return
}

// -----

func.func @memory_in_region(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %zero = arith.constant 0 : index
  xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 512 : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32> {
  ^bb0(%s: f32):
    // expected-error @below {{expected an element-wise arith or math op on scalars in the region of xft.contract}}
    %d = memref.dim %c, %zero : memref<?x?xf32>
    xft.yield %s : f32
  }
  return
}
