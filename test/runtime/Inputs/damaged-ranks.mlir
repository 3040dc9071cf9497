// Every collective; no handle is made without the other rank.
module attributes {xf.mesh = #xf.mesh<"a" = 2, "b" = 1>} {
  func.func @collect(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x12xf32>, tensor<2x6xf32>, tensor<2x12xf32>, tensor<4x3xf32>) attributes {xf.share} {
    %a = xf.all_reduce %x over ["a", "b"] : tensor<4x6xf32>
    %b = xf.all_gather %x dim 1 over ["a"] : tensor<4x6xf32> to tensor<4x12xf32>
    %c = xf.reduce_scatter %x dim 0 over ["a"] : tensor<4x6xf32> to tensor<2x6xf32>
    %d = xf.all_to_all %x split 0 join 1 over ["a"] : tensor<4x6xf32> to tensor<2x12xf32>
    %e = xf.all_slice %x dim 1 over ["a"] : tensor<4x6xf32> to tensor<4x3xf32>
    return %a, %b, %c, %d, %e : tensor<4x6xf32>, tensor<4x12xf32>, tensor<2x6xf32>, tensor<2x12xf32>, tensor<4x3xf32>
  }
}
