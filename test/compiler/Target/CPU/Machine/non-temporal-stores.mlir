// RUN: xf-run %s --entry=norm --vjp --target=reference --input=x=random\(1\) --input=w=random\(2\) --input=d_y=random\(3\) --output=y=@%t.y.npy --output=d_x=@%t.dx.npy
// RUN: xf-run %s --entry=norm --vjp --threads=1 --input=x=random\(1\) --input=w=random\(2\) --input=d_y=random\(3\) --expected-output=y=@%t.y.npy --expected-output=d_x=@%t.dx.npy
// RUN: xf-run %s --entry=norm --vjp --threads=3 --input=x=random\(1\) --input=w=random\(2\) --input=d_y=random\(3\) --expected-output=y=@%t.y.npy --expected-output=d_x=@%t.dx.npy

// Results of 16.5 MiB go past the caches: rows of 771 columns start at every alignment and have a masked rest.
func.func @norm(%x: tensor<5600x771xf32> {xf.name = "x"}, %w: tensor<771xf32> {xf.name = "w"}) -> (tensor<5600x771xf32> {xf.name = "y"}) {
  %y = xf.layer_norm %x weight(%w : tensor<771xf32>) eps 1.0e-5 : tensor<5600x771xf32> -> tensor<5600x771xf32>
  return %y : tensor<5600x771xf32>
}
