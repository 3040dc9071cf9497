// Entries of all kinds: dynamic sizes and results, a parameter, a state that grows, an input that is updated, types that numpy lacks.
module @small {
  func.func @scale(%x: tensor<?x4xf32> {xf.name = "x"}) -> (tensor<?x4xf32> {xf.name = "twice"}, tensor<4xf32> {xf.name = "sums"}) {
    %0 = xf.add %x, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %1 = xf.reduce sum %0 axes [0] : tensor<?x4xf32> -> tensor<4xf32>
    return %0, %1 : tensor<?x4xf32>, tensor<4xf32>
  }
  func.func @project(%x: tensor<2x3xf32> {xf.name = "x"}, %w: tensor<4x3xf32> {xf.name = "w", xf.parameter = "layer.weight"}) -> (tensor<2x4xf32> {xf.name = "y"}) {
    %0 = xf.linear %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func @count(%x: tensor<3xf32> {xf.name = "x"}, %total: tensor<3xf32> {xf.name = "total", xf.state = "total"}) -> (tensor<3xf32> {xf.name = "y"}, tensor<3xf32> {xf.name = "next", xf.updates = "total"}) {
    %0 = xf.add %total, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %0, %0 : tensor<3xf32>, tensor<3xf32>
  }
  func.func @double(%x: tensor<2x3xf32> {xf.name = "x"}) -> (tensor<2x3xf32> {xf.name = "doubled", xf.updates = "x"}) {
    %0 = xf.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
  func.func @half(%x: tensor<4xbf16> {xf.name = "x"}, %n: tensor<i32> {xf.name = "n", xf.range = array<i64: 0, 4>}) -> (tensor<4xbf16> {xf.name = "y"}) {
    %0 = xf.add %x, %x : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    return %0 : tensor<4xbf16>
  }
  // Names that attributes of Python's objects have, too.
  func.func @table(%x: tensor<2xf32> {xf.name = "x"}) -> (tensor<2xf32> {xf.name = "count"}, tensor<2xf32> {xf.name = "names"}, tensor<2xf32> {xf.name = "index"}) {
    %0 = xf.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %1 = xf.add %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %x, %0, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  // Names that parameters of Python's functions have.
  func.func @apart(%a: tensor<2xf32> {xf.name = "self"}, %b: tensor<2xf32> {xf.name = "out"}, %c: tensor<2xf32> {xf.name = "class"}) -> (tensor<2xf32> {xf.name = "y"}) {
    %0 = xf.sub %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %1 = xf.mul %0, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
