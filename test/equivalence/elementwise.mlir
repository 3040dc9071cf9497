// RUN: xf-equivalence %s --vjp
// RUN: xf-equivalence %s --pipeline='func.func(xf-fuse)'
// RUN: xf-equivalence %s --vjp --pipeline='func.func(xf-fuse)' --seed=2

// Element-wise ops: their own form and, as regions of xf.map, every row of the scalar derivatives.

func.func @neg(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.neg %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @exp(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.exp %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @tanh(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.tanh %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @sigmoid(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.sigmoid %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @erf(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.erf %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @abs(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.abs %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @square(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.square %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @sin(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.sin %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @cos(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.cos %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @relu(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.relu %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @silu(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.silu %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @log(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %positive = xf.exp %x : tensor<3x4xf64>
  %y = xf.log %positive : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @sqrt(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %positive = xf.exp %x : tensor<3x4xf64>
  %y = xf.sqrt %positive : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @rsqrt(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %positive = xf.exp %x : tensor<3x4xf64>
  %y = xf.rsqrt %positive : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @gelu_tanh(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.gelu %x form tanh : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @gelu_erf(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.gelu %x form erf : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @gelu_sigmoid(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.gelu %x form sigmoid : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @add(%a: tensor<3x4xf64>, %b: tensor<2x1x4xf64>) -> tensor<2x3x4xf64> {
  %y = xf.add %a, %b : (tensor<3x4xf64>, tensor<2x1x4xf64>) -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @sub(%a: tensor<3x4xf64>, %b: tensor<2x1x4xf64>) -> tensor<2x3x4xf64> {
  %y = xf.sub %a, %b : (tensor<3x4xf64>, tensor<2x1x4xf64>) -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @mul(%a: tensor<3x4xf64>, %b: tensor<2x1x4xf64>) -> tensor<2x3x4xf64> {
  %y = xf.mul %a, %b : (tensor<3x4xf64>, tensor<2x1x4xf64>) -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @div(%a: tensor<3x4xf64>, %b: tensor<2x1x4xf64>) -> tensor<2x3x4xf64> {
  %y = xf.div %a, %b : (tensor<3x4xf64>, tensor<2x1x4xf64>) -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @maximum(%a: tensor<3x4xf64>, %b: tensor<2x1x4xf64>) -> tensor<2x3x4xf64> {
  %y = xf.maximum %a, %b : (tensor<3x4xf64>, tensor<2x1x4xf64>) -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @minimum(%a: tensor<3x4xf64>, %b: tensor<2x1x4xf64>) -> tensor<2x3x4xf64> {
  %y = xf.minimum %a, %b : (tensor<3x4xf64>, tensor<2x1x4xf64>) -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @pow(%a: tensor<3x4xf64>, %b: tensor<4xf64>) -> tensor<3x4xf64> {
  %positive = xf.exp %a : tensor<3x4xf64>
  %y = xf.pow %positive, %b : (tensor<3x4xf64>, tensor<4xf64>) -> tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @where(%c: tensor<4xi1>, %a: tensor<3x4xf64>, %b: tensor<f64>) -> tensor<3x4xf64> {
  %y = xf.where %c, %a, %b : (tensor<4xi1>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @dynamic(%a: tensor<?x?xf64>, %b: tensor<?xf64>) -> tensor<?x?xf64> {
  %y = xf.mul %a, %b : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
// What a selection hides is infinite, and so is its slope.
func.func @hidden(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %positive = xf.compare gt %x, %zero : (tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xi1>
  %flat = xf.relu %x : tensor<3x4xf64>
  %one = arith.constant dense<1.0> : tensor<f64>
  %safe = xf.where %positive, %flat, %one : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
  %l = xf.log %safe : tensor<3x4xf64>
  %y = xf.where %positive, %l, %zero : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @map_negf(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = arith.negf %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_absf(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.absf %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_exp(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.exp %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_exp2(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.exp2 %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_tanh(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.tanh %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_erf(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.erf %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_sin(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.sin %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_cos(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.cos %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_floor(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.floor %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_log(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.exp %a : f64
    %r = math.log %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_log2(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.exp %a : f64
    %r = math.log2 %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_log1p(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.exp %a : f64
    %r = math.log1p %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_sqrt(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.exp %a : f64
    %r = math.sqrt %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_rsqrt(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.exp %a : f64
    %r = math.rsqrt %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_addf(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = arith.addf %a, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_subf(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = arith.subf %a, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_mulf(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = arith.mulf %a, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_divf(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = arith.divf %a, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_maximumf(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = arith.maximumf %a, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_maxnumf(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = arith.maxnumf %a, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_minimumf(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = arith.minimumf %a, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_minnumf(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = arith.minnumf %a, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_powf(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.exp %a : f64
    %r = math.powf %p, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_fma(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.fma %a, %b, %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_select(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %c = arith.cmpf olt, %a, %b : f64
    %s = math.sin %a : f64
    %r = arith.select %c, %s, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @floor(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.floor %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @ceil(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.ceil %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @round(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.round %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @tan(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %t = xf.tanh %x : tensor<3x4xf64>
  %y = xf.tan %t : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @asin(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %t = xf.tanh %x : tensor<3x4xf64>
  %y = xf.asin %t : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @acos(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %t = xf.tanh %x : tensor<3x4xf64>
  %y = xf.acos %t : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @atan(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.atan %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @sinh(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.sinh %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @cosh(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.cosh %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @cbrt(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %s = xf.square %x : tensor<3x4xf64>
  %p = xf.exp %s : tensor<3x4xf64>
  %y = xf.cbrt %p : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @log10(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %s = xf.square %x : tensor<3x4xf64>
  %p = xf.exp %s : tensor<3x4xf64>
  %y = xf.log10 %p : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @log2(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %s = xf.square %x : tensor<3x4xf64>
  %p = xf.exp %s : tensor<3x4xf64>
  %y = xf.log2 %p : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @log1p(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %p = xf.exp %x : tensor<3x4xf64>
  %y = xf.log1p %p : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @expm1(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.expm1 %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @softplus(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.softplus %x : tensor<3x4xf64>
  return %y : tensor<3x4xf64>
}
func.func @atan2(%a: tensor<3x4xf64>, %b: tensor<2x1x4xf64>) -> tensor<2x3x4xf64> {
  %y = xf.atan2 %a, %b : (tensor<3x4xf64>, tensor<2x1x4xf64>) -> tensor<2x3x4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @map_tan(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.tanh %a : f64
    %r = math.tan %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_asin(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.tanh %a : f64
    %r = math.asin %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_acos(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.tanh %a : f64
    %r = math.acos %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_atan(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.atan %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_sinh(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.sinh %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_cosh(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.cosh %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_cbrt(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.exp %a : f64
    %r = math.cbrt %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_log10(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %p = math.exp %a : f64
    %r = math.log10 %p : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_expm1(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.expm1 %a : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
func.func @map_atan2(%x: tensor<3x4xf64>, %z: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %y = xf.map (%a = %x : tensor<3x4xf64>, %b = %z : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %r = math.atan2 %a, %b : f64
    xf.yield %r : f64
  }
  return %y : tensor<3x4xf64>
}
