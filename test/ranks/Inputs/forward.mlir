// Results of forward passes have the bits of one rank: a row takes its keys in the same order.
module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @causal(%q: tensor<1x1x1152x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x1152x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x1152x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x1152x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x1x1152x16xf32>, tensor<1x1x1152x16xf32>, tensor<1x1x1152x16xf32>) -> tensor<1x1x1152x16xf32>
    return %o : tensor<1x1x1152x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @window(%q: tensor<1x1x1152x33xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x1152x33xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x1152x33xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x1152x33xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 70, right = 5>) : (tensor<1x1x1152x33xf32>, tensor<1x1x1152x33xf32>, tensor<1x1x1152x33xf32>) -> tensor<1x1x1152x33xf32>
    return %o : tensor<1x1x1152x33xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 2>} {
  func.func @dense(%q: tensor<1x1x480x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x480x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x480x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x480x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.dense) : (tensor<1x1x480x16xf32>, tensor<1x1x480x16xf32>, tensor<1x1x480x16xf32>) -> tensor<1x1x480x16xf32>
    return %o : tensor<1x1x480x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @fixed(%q: tensor<1x1x384x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x384x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x384x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x384x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.fixed<block = 32, summary = 4>) : (tensor<1x1x384x16xf32>, tensor<1x1x384x16xf32>, tensor<1x1x384x16xf32>) -> tensor<1x1x384x16xf32>
    return %o : tensor<1x1x384x16xf32>
  }
}

// -----

module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @grouped(%q: tensor<1x4x384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x384x64xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x4x384x64xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.causal) : (tensor<1x4x384x64xf32>, tensor<1x1x384x64xf32>, tensor<1x1x384x64xf32>) -> tensor<1x4x384x64xf32>
    return %o : tensor<1x4x384x64xf32>
  }
}

// -----

// Rows of the first rank see most keys, those of the last one few.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @narrowing(%q: tensor<1x1x1152x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x1152x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x1152x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x1152x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (j - i ge 0, Nk + i - 2 * j ge 0)>) : (tensor<1x1x1152x16xf32>, tensor<1x1x1152x16xf32>, tensor<1x1x1152x16xf32>) -> tensor<1x1x1152x16xf32>
    return %o : tensor<1x1x1152x16xf32>
  }
}

// -----

// A window as long as an eighth of all queries.
module attributes {xf.mesh = #xf.mesh<"sequence" = 4>} {
  func.func @by_count(%q: tensor<1x1x1152x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %k: tensor<1x1x1152x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}, %v: tensor<1x1x1152x16xf32> {xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>}) -> tensor<1x1x1152x16xf32> {
    %o = xf.attention %q, %k, %v pattern(#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, 8 * j - 8 * i + Nq ge 0)>) : (tensor<1x1x1152x16xf32>, tensor<1x1x1152x16xf32>, tensor<1x1x1152x16xf32>) -> tensor<1x1x1152x16xf32>
    return %o : tensor<1x1x1152x16xf32>
  }
}
