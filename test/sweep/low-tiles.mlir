// Scores whose level changes from keys to keys, as additive masks make them: padding on the left, low and masked tiles
// anywhere, steps up. What a row keeps of low keys must not cost later ones their digits.
// RUN: xf-sweep %s --vjp Q=70 N=150 D=16 T=f32 A=f32 C=1.0e4 F=72.0 G=0.5 H=24.0 --seed=2
// RUN: xf-sweep %s --vjp --vector-bits=256 --only='levels|products|column' Q=1 N=150 D=8 T=f32 A=f32 C=3.4e38 F=0.0 G=0.0 H=0.0
// RUN: xf-sweep %s --vjp --only='levels|strided|products|far' Q=9 N=133 D=40 T=bf16 A=f32 C=65504.0 F=1.0e4 G=1.0 H=24.0 --seed=3
// RUN: xf-sweep %s --vjp --only='levels|strided|documents' Q=33 N=150 D=8 T=f64 A=f64 C=1.0e18 F=0.0 G=0.0 H=0.0 --seed=4
// RUN: xf-sweep %s --only='levels|products' Q=2,40 N=150 D=32 T=f16 A=f32 C=1.0e9 F=0.0 G=0.0 H=0.0 --seed=5
// RUN: xf-sweep %s --vjp --only=far Q=1,40 N=150 D=8 T=f32,bf16 A=f32 C=1.0 F=1.0e8 G=8.0 H=0.0 --seed=6
// RUN: xf-sweep %s --vjp --only=far Q=1,40 N=150 D=8 T=f32,bf16 A=f32 C=1.0 F=1.0e6 G=0.5 H=16.0 --seed=7

// Levels are drawn: low, normal and masked.
func.func @levels$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %levels: tensor<10xi64> {xf.range = array<i64: 0, 2>}) -> (tensor<1x2x$Qx$Dx$T>, tensor<1x2x$Qx$A>) {
  %o, %lse = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : $A, %b, %h, %i, %j) captures(%t = %levels : tensor<10xi64>) {
    %size = arith.constant 16 : index
    %low = arith.constant -$C : $A
    %zero = arith.constant 0.0 : $A
    %none = arith.divf %low, %zero : $A
    %of = arith.divui %j, %size : index
    %level = tensor.extract %t[%of] : tensor<10xi64>
    %0 = arith.constant 0 : i64
    %2 = arith.constant 2 : i64
    %isLow = arith.cmpi eq, %level, %0 : i64
    %isNone = arith.cmpi eq, %level, %2 : i64
    %y = arith.select %isLow, %low, %s : $A
    %z = arith.select %isNone, %none, %y : $A
    xf.yield %z : $A
  } : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> (tensor<1x2x$Qx$Dx$T>, tensor<1x2x$Qx$A>)
  return %o, %lse : tensor<1x2x$Qx$Dx$T>, tensor<1x2x$Qx$A>
}
// Ends of intervals.
func.func @causal$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %levels: tensor<10xi64> {xf.range = array<i64: 0, 2>}) -> tensor<1x2x$Qx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.causal) score(%s : $A, %b, %h, %i, %j) captures(%t = %levels : tensor<10xi64>) {
    %size = arith.constant 16 : index
    %low = arith.constant -$C : $A
    %zero = arith.constant 0.0 : $A
    %none = arith.divf %low, %zero : $A
    %of = arith.divui %j, %size : index
    %level = tensor.extract %t[%of] : tensor<10xi64>
    %0 = arith.constant 0 : i64
    %2 = arith.constant 2 : i64
    %isLow = arith.cmpi eq, %level, %0 : i64
    %isNone = arith.cmpi eq, %level, %2 : i64
    %y = arith.select %isLow, %low, %s : $A
    %z = arith.select %isNone, %none, %y : $A
    xf.yield %z : $A
  } : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
// Stages resume what earlier ones have saved.
func.func @strided$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %levels: tensor<10xi64> {xf.range = array<i64: 0, 2>}) -> tensor<1x2x$Qx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 5>) score(%s : $A, %b, %h, %i, %j) captures(%t = %levels : tensor<10xi64>) {
    %size = arith.constant 16 : index
    %low = arith.constant -$C : $A
    %zero = arith.constant 0.0 : $A
    %none = arith.divf %low, %zero : $A
    %of = arith.divui %j, %size : index
    %level = tensor.extract %t[%of] : tensor<10xi64>
    %0 = arith.constant 0 : i64
    %2 = arith.constant 2 : i64
    %isLow = arith.cmpi eq, %level, %0 : i64
    %isNone = arith.cmpi eq, %level, %2 : i64
    %y = arith.select %isLow, %low, %s : $A
    %z = arith.select %isNone, %none, %y : $A
    xf.yield %z : $A
  } : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
// A predicate.
func.func @documents$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %levels: tensor<10xi64> {xf.range = array<i64: 0, 2>}, %a: tensor<1x$Qxi64> {xf.range = array<i64: 0, 1>}, %c: tensor<1x$Nxi64> {xf.range = array<i64: 0, 1>}) -> tensor<1x2x$Qx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.intersection<[#xf.causal, #xf.segments]>) segments(%a, %c : tensor<1x$Qxi64>, tensor<1x$Nxi64>) score(%s : $A, %b, %h, %i, %j) captures(%t = %levels : tensor<10xi64>) {
    %size = arith.constant 16 : index
    %low = arith.constant -$C : $A
    %zero = arith.constant 0.0 : $A
    %none = arith.divf %low, %zero : $A
    %of = arith.divui %j, %size : index
    %level = tensor.extract %t[%of] : tensor<10xi64>
    %0 = arith.constant 0 : i64
    %2 = arith.constant 2 : i64
    %isLow = arith.cmpi eq, %level, %0 : i64
    %isNone = arith.cmpi eq, %level, %2 : i64
    %y = arith.select %isLow, %low, %s : $A
    %z = arith.select %isNone, %none, %y : $A
    xf.yield %z : $A
  } : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
// Lanes.
func.func @column$$(%q: tensor<1x2x260x$Dx$T>, %k: tensor<1x1x260x$Dx$T>, %v: tensor<1x1x260x$Dx$T>, %levels: tensor<10xi64> {xf.range = array<i64: 0, 2>}) -> tensor<1x2x260x$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.strided<stride = 64, part = column>) score(%s : $A, %b, %h, %i, %j) captures(%t = %levels : tensor<10xi64>) {
    %size = arith.constant 32 : index
    %low = arith.constant -$C : $A
    %zero = arith.constant 0.0 : $A
    %none = arith.divf %low, %zero : $A
    %of = arith.divui %j, %size : index
    %level = tensor.extract %t[%of] : tensor<10xi64>
    %0 = arith.constant 0 : i64
    %2 = arith.constant 2 : i64
    %isLow = arith.cmpi eq, %level, %0 : i64
    %isNone = arith.cmpi eq, %level, %2 : i64
    %y = arith.select %isLow, %low, %s : $A
    %z = arith.select %isNone, %none, %y : $A
    xf.yield %z : $A
  } : (tensor<1x2x260x$Dx$T>, tensor<1x1x260x$Dx$T>, tensor<1x1x260x$Dx$T>) -> tensor<1x2x260x$Dx$T>
  return %o : tensor<1x2x260x$Dx$T>
}
// The same in products, without a score region.
func.func @products$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>, %t: tensor<1x1x10x1x$T>) -> tensor<1x2x$Qx$Dx$T> {
  %zero = arith.constant dense<0.0> : tensor<1x1x1x1x$T>
  %low = arith.constant dense<-300.0> : tensor<1x1x1x1x$T>
  %is = xf.compare lt %t, %zero : (tensor<1x1x10x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x10x1xi1>
  %level = xf.where %is, %low, %zero : (tensor<1x1x10x1xi1>, tensor<1x1x1x1x$T>, tensor<1x1x1x1x$T>) -> tensor<1x1x10x1x$T>
  %wide = xf.broadcast %level : tensor<1x1x10x1x$T> to tensor<1x1x10x16x$T>
  %flat = xf.reshape %wide : tensor<1x1x10x16x$T> to tensor<1x1x160x1x$T>
  %of = xf.slice %flat offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x1x160x1x$T> to tensor<1x1x$Nx1x$T>
  %keys = xf.add %k, %of : (tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx1x$T>) -> tensor<1x1x$Nx$Dx$T>
  %p = xf.abs %q : tensor<1x2x$Qx$Dx$T>
  %o = xf.attention %p, %keys, %v pattern(#xf.dense) : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
// All scores of a row are shifted: their differences are whole numbers of units. Steps leave digits of the one before.
func.func @far$$(%q: tensor<1x2x$Qx$Dx$T>, %k: tensor<1x1x$Nx$Dx$T>, %v: tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T> {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) score(%s : $A, %b, %h, %i, %j) {
    %three = arith.constant 3 : index
    %five = arith.constant 5 : index
    %11 = arith.constant 11 : index
    %size = arith.constant 16 : index
    %a = arith.muli %i, %three : index
    %c = arith.muli %j, %five : index
    %d = arith.addi %a, %c : index
    %e = arith.remui %d, %11 : index
    %of = arith.divui %j, %size : index
    %n = arith.index_cast %e : index to i64
    %m = arith.index_cast %of : index to i64
    %x = arith.sitofp %n : i64 to $A
    %y = arith.sitofp %m : i64 to $A
    %unit = arith.constant $G : $A
    %step = arith.constant $H : $A
    %far = arith.constant $F : $A
    %u = arith.mulf %x, %unit : $A
    %v = arith.mulf %y, %step : $A
    %w = arith.addf %u, %v : $A
    %t = arith.addf %w, %far : $A
    %minus = arith.negf %t : $A
    %first = arith.constant 0 : index
    %up = arith.cmpi eq, %h, %first : index
    %z = arith.select %up, %t, %minus : $A
    xf.yield %z : $A
  } : (tensor<1x2x$Qx$Dx$T>, tensor<1x1x$Nx$Dx$T>, tensor<1x1x$Nx$Dx$T>) -> tensor<1x2x$Qx$Dx$T>
  return %o : tensor<1x2x$Qx$Dx$T>
}
