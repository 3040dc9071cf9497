// Rows that are the value of one key, as Gaussian heads that stand for a convolution: every <d_o, v> - <d_o, o> of that key
// is the difference of equal sums, 0. Heads that look across the border of the image see the nearest pixel from afar, with
// a steep slope, so that an ulp there is 3e-4 in the gradient of a center. What is left is that P = 1 - 4e-9 is 1 in f32: the
// gradients themselves, at most 2.1e-5.
// DEFINE: %{inputs} = --vjp --input=v=random\(1\) --input=t=0.0 --input=d_o=random\(2\)
// RUN: xf-run %s --entry=gaussian --target=reference %{inputs} --output=d_t=@%t.npy
// RUN: xf-run %s --entry=gaussian --target=cpu %{inputs} --expected-output=d_t=@%t.npy --atol=3e-5 --rtol=0 | count 0

func.func @gaussian(%v: tensor<2x1x196x24xf32> {xf.name = "v"}, %t: tensor<9x2xf32> {xf.name = "t"}) -> (tensor<2x9x196x24xf32> {xf.name = "o"}) {
  %q = arith.constant dense<0.0> : tensor<2x9x196x1xf32>
  %k = arith.constant dense<0.0> : tensor<2x1x196x1xf32>
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : f32, %b, %h, %i, %j) captures(%c = %t : tensor<9x2xf32>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %columns = arith.constant 14 : index
    %sharpness = arith.constant -20.0 : f32
    %iy = arith.divsi %i, %columns : index
    %ix = arith.remsi %i, %columns : index
    %jy = arith.divsi %j, %columns : index
    %jx = arith.remsi %j, %columns : index
    %hy = arith.divsi %h, %three : index
    %hx = arith.remsi %h, %three : index
    %dy = arith.subi %jy, %iy : index
    %dx = arith.subi %jx, %ix : index
    %ey = arith.subi %dy, %hy : index
    %ex = arith.subi %dx, %hx : index
    %fy = arith.addi %ey, %one : index
    %fx = arith.addi %ex, %one : index
    %y = arith.index_cast %fy : index to i32
    %x = arith.index_cast %fx : index to i32
    %ry = arith.sitofp %y : i32 to f32
    %rx = arith.sitofp %x : i32 to f32
    %cy = tensor.extract %c[%h, %zero] : tensor<9x2xf32>
    %cx = tensor.extract %c[%h, %one] : tensor<9x2xf32>
    %py = arith.subf %ry, %cy : f32
    %px = arith.subf %rx, %cx : f32
    %yy = arith.mulf %py, %py : f32
    %xx = arith.mulf %px, %px : f32
    %d = arith.addf %yy, %xx : f32
    %z = arith.mulf %d, %sharpness : f32
    xf.yield %z : f32
  } : (tensor<2x9x196x1xf32>, tensor<2x1x196x1xf32>, tensor<2x1x196x24xf32>) -> tensor<2x9x196x24xf32>
  return %o : tensor<2x9x196x24xf32>
}
