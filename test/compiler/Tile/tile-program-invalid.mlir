// RUN: xf-opt %s -xf-tile-program=machine=x86-64-v3 -split-input-file -verify-diagnostics

// Ops that earlier stages replace have no model.
func.func @checkpoint(%x: tensor<4xf32> {xf.name = "x"}) -> (tensor<4xf32> {xf.name = "y"}) {
  // expected-error @+1 {{expected an op that can be tiled, got 'xf.checkpoint'}}
  %y = xf.checkpoint (%a = %x : tensor<4xf32>) -> (tensor<4xf32>) {
    %b = xf.exp %a : tensor<4xf32>
    xf.yield %b : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
