// RUN: xf-reference %s --entry=unary --check-gradients=1 | FileCheck %s
// RUN: xf-reference %s --entry=positive --check-gradients=2 --input=x=1.7 | FileCheck %s
// RUN: xf-reference %s --entry=gelu --check-gradients=3 | FileCheck %s
// RUN: xf-reference %s --entry=binary --check-gradients=4 | FileCheck %s
// RUN: xf-reference %s --entry=power --check-gradients=5 --input=a=1.7 | FileCheck %s
// RUN: xf-reference %s --entry=chosen --check-gradients=6 | FileCheck %s
// RUN: xf-reference %s --entry=map --check-gradients=7 --input=y=0.6 | FileCheck %s
// RUN: xf-reference %s --entry=left_out --vjp --input=x=0.0 --input=d_result0=1.0 | FileCheck %s --check-prefix=LEFT

// CHECK: seed {{[0-9]}}: d_
// CHECK-NOT: differs

func.func @unary(%x: tensor<7xf64>) -> tensor<7xf64> {
  %0 = xf.neg %x : tensor<7xf64>
  %1 = xf.tanh %0 : tensor<7xf64>
  %2 = xf.exp %1 : tensor<7xf64>
  %3 = xf.sigmoid %2 : tensor<7xf64>
  %4 = xf.erf %3 : tensor<7xf64>
  %5 = xf.sin %4 : tensor<7xf64>
  %6 = xf.cos %5 : tensor<7xf64>
  %7 = xf.square %6 : tensor<7xf64>
  %8 = xf.silu %7 : tensor<7xf64>
  %9 = xf.abs %x : tensor<7xf64>
  %10 = xf.relu %x : tensor<7xf64>
  %11 = xf.add %8, %9 : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xf64>
  %12 = xf.add %10, %11 : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xf64>
  return %12 : tensor<7xf64>
}

func.func @positive(%x: tensor<3xf64> {xf.name = "x"}) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %log = xf.log %x : tensor<3xf64>
  %sqrt = xf.sqrt %x : tensor<3xf64>
  %rsqrt = xf.rsqrt %x : tensor<3xf64>
  return %log, %sqrt, %rsqrt : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}

func.func @gelu(%x: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) {
  %tanh = xf.gelu %x form tanh : tensor<5xf64>
  %erf = xf.gelu %x form erf : tensor<5xf64>
  %sigmoid = xf.gelu %x form sigmoid : tensor<5xf64>
  return %tanh, %erf, %sigmoid : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>
}

func.func @binary(%a: tensor<2x1xf64>, %b: tensor<3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>) {
  %0 = xf.sub %a, %b : (tensor<2x1xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  %1 = xf.mul %0, %b : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  %2 = xf.div %1, %a : (tensor<2x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
  %3 = xf.maximum %a, %b : (tensor<2x1xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  %4 = xf.minimum %a, %b : (tensor<2x1xf64>, tensor<3xf64>) -> tensor<2x3xf64>
  return %2, %3, %4 : tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>
}

func.func @power(%a: tensor<3xf64> {xf.name = "a"}, %b: tensor<3xf64>) -> tensor<3xf64> {
  %y = xf.pow %a, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %y : tensor<3xf64>
}

func.func @chosen(%a: tensor<4xf64>, %b: tensor<1xf64>) -> tensor<4xf64> {
  %lt = xf.compare lt %a, %b : (tensor<4xf64>, tensor<1xf64>) -> tensor<4xi1>
  %square = xf.square %a : tensor<4xf64>
  %y = xf.where %lt, %square, %b : (tensor<4xi1>, tensor<4xf64>, tensor<1xf64>) -> tensor<4xf64>
  %same = xf.cast %y : tensor<4xf64> to tensor<4xf64>
  return %same : tensor<4xf64>
}

// One op of every row of the table of scalar derivatives.
func.func @map(%x: tensor<4xf64> {xf.name = "x"}, %y: tensor<1xf64> {xf.name = "y"}) -> tensor<4xf64> {
  %r = xf.map (%a = %x : tensor<4xf64>, %b = %y : tensor<1xf64>) -> tensor<4xf64> {
    %0 = math.exp2 %a : f64
    %1 = math.log1p %0 : f64
    %2 = math.powf %1, %b : f64
    %3 = math.fma %2, %a, %b : f64
    %4 = arith.divf %3, %b : f64
    %5 = math.expm1 %b : f64
    %6 = arith.remf %4, %5 : f64
    %7 = math.log2 %b : f64
    %8 = arith.maximumf %6, %7 : f64
    %9 = arith.minimumf %8, %a : f64
    %10 = math.rsqrt %b : f64
    %11 = math.sqrt %10 : f64
    %12 = arith.subf %9, %11 : f64
    %13 = math.absf %12 : f64
    %14 = math.atan %13 : f64
    %15 = math.erf %14 : f64
    %16 = math.sin %15 : f64
    %17 = math.cos %16 : f64
    %18 = arith.maxnumf %17, %a : f64
    %19 = arith.minnumf %18, %0 : f64
    %20 = arith.negf %19 : f64
    %21 = math.tanh %20 : f64
    %22 = math.exp %21 : f64
    %23 = math.log %22 : f64
    %24 = math.floor %a : f64
    %25 = arith.addf %23, %24 : f64
    xf.yield %25 : f64
  }
  return %r : tensor<4xf64>
}

// The logarithm that the select leaves out has an infinite slope, which is not observable.
// LEFT: d_x : 1 f64 = 0
func.func @left_out(%x: tensor<1xf64> {xf.name = "x"}) -> tensor<1xf64> {
  %y = xf.map (%a = %x : tensor<1xf64>) -> tensor<1xf64> {
    %zero = arith.constant 0.0 : f64
    %positive = arith.cmpf ogt, %a, %zero : f64
    %log = math.log %a : f64
    %b = arith.select %positive, %log, %zero : f64
    xf.yield %b : f64
  }
  return %y : tensor<1xf64>
}
