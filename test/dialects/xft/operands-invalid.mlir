// RUN: xf-opt %s -split-input-file -verify-diagnostics

// xft.tabulate C1
func.func @numbers(%x: memref<?xi32>, %values: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected integers BxM, BxN and BxGx2, got 'memref<?xi32>', 'memref<?x?xi32>' and 'memref<?x?x2xi32>'}}
  xft.tabulate %x to %values, %ranges count %n nq %n nk %n at affine_map<(i)[Nq, Nk] -> (i)> symbols [] group 6
      : memref<?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

// xft.tabulate C3
func.func @part(%x: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %part: memref<2xi64>, %n: index) {
  // expected-error @below {{expected a part of 1x2 integers, got 'memref<2xi64>'}}
  xft.tabulate %x to %x, %ranges count %n nq %n nk %n part(%part : memref<2xi64>) at affine_map<(i)[Nq, Nk] -> (i)>
      symbols [] group 6 : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

// xft.tabulate C2
func.func @place(%x: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected a map (x)[Nq, Nk, ..] -> (y), got affine_map<(d0, d1)[s0, s1] -> (d0)>}}
  xft.tabulate %x to %x, %ranges count %n nq %n nk %n at affine_map<(i, j)[Nq, Nk] -> (i)> symbols [] group 6
      : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

func.func @inputs(%x: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected a symbol for each of 1 inputs, got 0}}
  xft.tabulate %x to %x, %ranges count %n nq %n nk %n inputs(%x : memref<?x?xi32>)
      at affine_map<(i)[Nq, Nk, d] -> (d)> symbols [] group 6 : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

func.func @symbols(%x: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected symbols of the map from 2 on, got 3}}
  xft.tabulate %x to %x, %ranges count %n nq %n nk %n inputs(%x : memref<?x?xi32>)
      at affine_map<(i)[Nq, Nk, d] -> (d)> symbols [3] group 6 : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

func.func @group(%x: memref<?x?xi32>, %ranges: memref<?x?x2xi32>, %n: index) {
  // expected-error @below {{expected groups of at least 1, got 0}}
  xft.tabulate %x to %x, %ranges count %n nq %n nk %n at affine_map<(i)[Nq, Nk] -> (i)> symbols [] group 0
      : memref<?x?xi32>, memref<?x?xi32>, memref<?x?x2xi32>
  return
}

// -----

// xft.sort_lists C1
func.func @lists(%offsets: memref<?xi32>, %columns: memref<?xf32>) {
  // expected-error @below {{expected integers of rank 1, got 'memref<?xi32>', 'memref<?xf32>' and 'memref<?xf32>'}}
  xft.sort_lists %offsets, %columns to %columns : memref<?xi32>, memref<?xf32>, memref<?xf32>
  return
}

// -----

// xft.gather_panels C1
func.func @source(%x: memref<?x?x64xf32>, %to: memref<?x?x1x?x1024xf32>) {
  // expected-error @below {{expected a source BxHxNxD with unit inner stride, got 'memref<?x?x64xf32>'}}
  xft.gather_panels %x to %to by #xf.index_map<> transposed width 16 : memref<?x?x64xf32>, memref<?x?x1x?x1024xf32>
  return
}

// -----

// xft.gather_panels C2
func.func @destination(%x: memref<?x?x?x64xf32>, %to: memref<?x?x?x1024xf32>) {
  // expected-error @below {{expected a destination BxHxRxPxC with unit inner stride, got 'memref<?x?x?x1024xf32>'}}
  xft.gather_panels %x to %to by #xf.index_map<> transposed width 16 : memref<?x?x?x64xf32>, memref<?x?x?x1024xf32>
  return
}

// -----

// xft.gather_panels C3
func.func @terms(%x: memref<?x?x?x64xbf16>, %to: memref<?x?x1x?x960xbf16>) {
  // expected-error @below {{expected a width of whole groups of 2 terms, got 15}}
  xft.gather_panels %x to %to by #xf.index_map<> transposed width 15 terms 2 : memref<?x?x?x64xbf16>, memref<?x?x1x?x960xbf16>
  return
}

// -----

// xft.pack_panels C2
func.func @panels_of_other_type(%w: memref<?x?xf32>, %panels: memref<?x?x16xbf16>) {
  // expected-error @below {{expected panels of 'f32', got 'bf16'}}
  xft.pack_panels %w into %panels : memref<?x?xf32>, memref<?x?x16xbf16>
  return
}

// -----

func.func @panels_of_rank(%w: memref<?x?xf32>, %panels: memref<?x16xf32>) {
  // expected-error @below {{expected panels of rank 3, got 2}}
  xft.pack_panels %w into %panels : memref<?x?xf32>, memref<?x16xf32>
  return
}

// -----

// xft.pack_panels C1
func.func @packs_strided(%w: memref<?x?xf32, strided<[?, ?]>>, %panels: memref<?x?x16xf32>) {
  // expected-error @below {{expected b with a static stride of 1 in n or k, got 'memref<?x?xf32, strided<[?, ?]>>'}}
  xft.pack_panels %w into %panels : memref<?x?xf32, strided<[?, ?]>>, memref<?x?x16xf32>
  return
}
