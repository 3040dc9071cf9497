// RUN: xf-equivalence %s --vjp
// RUN: xf-equivalence %s --pipeline='func.func(xf-fuse)'
// RUN: xf-equivalence %s --vjp --pipeline='func.func(xf-fuse)' --seed=2

// A language model of one block under two checkpoints, one inside the other, with a tied embedding.
func.func @loss(%wte: tensor<9x8xf64>, %g: tensor<8xf64>, %wqkv: tensor<24x8xf64>, %bqkv: tensor<24xf64>,
                %wo: tensor<8x8xf64>, %w1: tensor<16x8xf64>, %c1: tensor<16xf64>, %w2: tensor<8x16xf64>,
                %tokens: tensor<2x6xi32> {xf.range = array<i64: 0, 8>},
                %targets: tensor<2x6xi32> {xf.range = array<i64: 0, 8>}) -> tensor<f64> {
  %x = xf.embedding %wte, %tokens : (tensor<9x8xf64>, tensor<2x6xi32>) -> tensor<2x6x8xf64>
  %z = xf.checkpoint (%cx = %x : tensor<2x6x8xf64>, %cg = %g : tensor<8xf64>, %cwqkv = %wqkv : tensor<24x8xf64>, %cbqkv = %bqkv : tensor<24xf64>,
                      %cwo = %wo : tensor<8x8xf64>, %cw1 = %w1 : tensor<16x8xf64>, %cc1 = %c1 : tensor<16xf64>, %cw2 = %w2 : tensor<8x16xf64>) -> (tensor<2x6x8xf64>) {
    %n = xf.layer_norm %cx weight(%cg : tensor<8xf64>) eps 1.0e-5 : tensor<2x6x8xf64> -> tensor<2x6x8xf64>
    %qkv = xf.linear %n, %cwqkv bias(%cbqkv : tensor<24xf64>) : (tensor<2x6x8xf64>, tensor<24x8xf64>) -> tensor<2x6x24xf64>
    %q = xf.slice %qkv offsets [0, 0, 0] strides [1, 1, 1] : tensor<2x6x24xf64> to tensor<2x6x8xf64>
    %k = xf.slice %qkv offsets [0, 0, 8] strides [1, 1, 1] : tensor<2x6x24xf64> to tensor<2x6x8xf64>
    %v = xf.slice %qkv offsets [0, 0, 16] strides [1, 1, 1] : tensor<2x6x24xf64> to tensor<2x6x8xf64>
    %qh = xf.split_heads %q heads 2 : (tensor<2x6x8xf64>) -> tensor<2x2x6x4xf64>
    %kh = xf.split_heads %k heads 2 : (tensor<2x6x8xf64>) -> tensor<2x2x6x4xf64>
    %vh = xf.split_heads %v heads 2 : (tensor<2x6x8xf64>) -> tensor<2x2x6x4xf64>
    %o = xf.attention %qh, %kh, %vh pattern(#xf.fixed<block = 3, summary = 1>) : (tensor<2x2x6x4xf64>, tensor<2x2x6x4xf64>, tensor<2x2x6x4xf64>) -> tensor<2x2x6x4xf64>
    %om = xf.merge_heads %o : (tensor<2x2x6x4xf64>) -> tensor<2x6x8xf64>
    %p = xf.linear %om, %cwo : (tensor<2x6x8xf64>, tensor<8x8xf64>) -> tensor<2x6x8xf64>
    %r = xf.add %cx, %p : (tensor<2x6x8xf64>, tensor<2x6x8xf64>) -> tensor<2x6x8xf64>
    %m = xf.checkpoint (%mr = %r : tensor<2x6x8xf64>, %mw1 = %cw1 : tensor<16x8xf64>, %mc1 = %cc1 : tensor<16xf64>, %mw2 = %cw2 : tensor<8x16xf64>) -> (tensor<2x6x8xf64>) {
      %h = xf.linear %mr, %mw1 bias(%mc1 : tensor<16xf64>) : (tensor<2x6x8xf64>, tensor<16x8xf64>) -> tensor<2x6x16xf64>
      %a = xf.gelu %h form sigmoid : tensor<2x6x16xf64>
      %f = xf.linear %a, %mw2 : (tensor<2x6x16xf64>, tensor<8x16xf64>) -> tensor<2x6x8xf64>
      xf.yield %f : tensor<2x6x8xf64>
    }
    %y = xf.add %r, %m : (tensor<2x6x8xf64>, tensor<2x6x8xf64>) -> tensor<2x6x8xf64>
    xf.yield %y : tensor<2x6x8xf64>
  }
  %logits = xf.linear %z, %wte : (tensor<2x6x8xf64>, tensor<9x8xf64>) -> tensor<2x6x9xf64>
  %l, %lse = xf.cross_entropy %logits, %targets : (tensor<2x6x9xf64>, tensor<2x6xi32>) -> (tensor<f64>, tensor<2x6xf64>)
  return %l : tensor<f64>
}
