// RUN: xf-opt %s -split-input-file -verify-diagnostics

// #xf.mesh C1
// expected-error@+1 {{expected the axes of a mesh, each with its number of ranks, got none}}
module attributes {xf.mesh = #xf.mesh<>} {}

// -----

// #xf.mesh C1
// expected-error@+1 {{expected names of axes that are not empty and differ, got "data"}}
module attributes {xf.mesh = #xf.mesh<"data" = 2, "data" = 4>} {}

// -----

// #xf.mesh C2
// expected-error@+1 {{expected from 0 to 65536 ranks for the axis "data", got -1}}
module attributes {xf.mesh = #xf.mesh<"data" = -1>} {}

// -----

// #xf.mesh C2
// expected-error@+1 {{expected a mesh of at most 65536 ranks, got 131072 or more}}
module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 65536>} {}

// -----

// #xf.mesh C2
// expected-error@+1 {{expected one axis at most with 0, as many ranks as there are, got 2}}
module attributes {xf.mesh = #xf.mesh<"data" = 0, "sequence" = 0>} {}

// -----

// expected-error@+1 {{expected a #xf.mesh in attribute 'xf.mesh' of a module, got 4}}
module attributes {xf.mesh = 4} {}

// -----

// expected-error@+1 {{expected a #xf.mesh in attribute 'xf.mesh' of a module, got #xf.mesh<"data" = 2>}}
func.func private @f() attributes {xf.mesh = #xf.mesh<"data" = 2>}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // #xf.sharding C1
  // expected-error@+1 {{expected each axis of a sharding once, got "data" twice}}
  func.func private @f(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {"data"}]>})
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // #xf.sharding C2
  // expected-error@+1 {{expected axes for 2 dimensions in a sharding of 'tensor<4x8xf32>', got 1}}
  func.func private @f(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data"}]>})
}

// -----

// #xf.sharding C3
// expected-error@+1 {{expected a module with 'xf.mesh' for a sharding over "data", got none}}
func.func private @f(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>})

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // #xf.sharding C3
  // expected-error@+1 {{expected an axis of #xf.mesh<"data" = 2> in a sharding, got "sequence"}}
  func.func private @f() -> (tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"sequence"}, {}]>})
}

// -----

// expected-error@+1 {{expected a #xf.sharding in attribute 'xf.sharding', got "data"}}
func.func private @f(tensor<4x8xf32> {xf.sharding = "data"})

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2>} {
  // #xf.sharding C4
  // expected-error@+1 {{expected one axis of a dimension with zigzag chunks, got ["data", "sequence"]}}
  func.func private @f(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data", "sequence" zigzag 2}, {}]>})
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // #xf.sharding C4
  // expected-error@+1 {{expected 2 to 64 chunks of each rank, got 65}}
  func.func private @f(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data" zigzag 65}, {}]>})
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // #xf.sharding C4
  // expected-error@+1 {{expected 2 to 64 chunks of each rank, got 1}}
  func.func private @f(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data" zigzag 1}, {}]>})
}

// -----

module attributes {xf.mesh = #xf.mesh<"data" = 2>} {
  // #xf.sharding C4
  // expected-error@+1 {{expected 2 to 64 chunks of each rank, got -2}}
  func.func private @f(tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data" zigzag -2}, {}]>})
}
