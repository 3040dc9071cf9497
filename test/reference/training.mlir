// RUN: xf-reference %s --entry=embedding | FileCheck %s --check-prefix=EMBEDDING
// RUN: xf-reference %s --entry=cross_entropy | FileCheck %s --check-prefix=LOSS
// RUN: xf-reference %s --entry=no_targets | FileCheck %s --check-prefix=NONE
// RUN: xf-reference %s --entry=dropout | FileCheck %s --check-prefix=DROPOUT
// RUN: xf-reference %s --entry=derivatives | FileCheck %s --check-prefix=DERIVATIVES
// RUN: xf-reference %s --entry=gradients --check-gradients=1 | FileCheck %s
// RUN: xf-reference %s --entry=checkpoint --check-gradients=2 | FileCheck %s

// CHECK: seed {{[0-9]}}: d_
// CHECK-NOT: differs

// EMBEDDING: y : 2x2 f64 = 5, 6, 1, 2
// EMBEDDING: d_table : 3x2 f64 = 0, 0, 11, 22, 0, 0
// EMBEDDING: d_onto : 3x2 f64 = 1, 2, 14, 26, 5, 6
func.func @embedding() -> (tensor<2x2xf32> {xf.name = "y"}, tensor<3x2xf32> {xf.name = "d_table"}, tensor<3x2xf32> {xf.name = "d_onto"}) {
  %table = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %ids = arith.constant dense<[2, 0]> : tensor<2xi32>
  %y = xf.embedding %table, %ids : (tensor<3x2xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  %twice = arith.constant dense<1> : tensor<2xi64>
  %dy = arith.constant dense<[[1.0, 2.0], [10.0, 20.0]]> : tensor<2x2xf32>
  %dtable = xf.embedding_vjp %twice, %dy : (tensor<2xi64>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %donto = xf.embedding_vjp %twice, %dy onto %table : (tensor<2xi64>, tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y, %dtable, %donto : tensor<2x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}

// log 2, to which 1 is added; the second row does not count. softmax (0.25, 0.75), d_loss = 2.
// LOSS: loss : scalar f64 = 1.693147
// LOSS: lse : 2 f64 = 0.6931472, 5.693147
// LOSS: d_logits : 2x2 f64 = -1.5, 1.5, 0, 0
func.func @cross_entropy() -> (tensor<f32> {xf.name = "loss"}, tensor<2xf32> {xf.name = "lse"}, tensor<2x2xf32> {xf.name = "d_logits"}) {
  %logits = arith.constant dense<[[0.0, 0.0], [5.0, 5.0]]> : tensor<2x2xf32>
  %targets = arith.constant dense<[0, -100]> : tensor<2xi64>
  %loss, %lse = xf.cross_entropy %logits, %targets : (tensor<2x2xf32>, tensor<2xi64>) -> (tensor<f32>, tensor<2xf32>)
  %one = arith.constant dense<1.0> : tensor<f32>
  %sum = xf.add %loss, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %other = arith.constant dense<[[-1.3862943611198906, -0.2876820724517809], [0.0, 0.0]]> : tensor<2x2xf64>
  %narrow = xf.cast %other : tensor<2x2xf64> to tensor<2x2xf32>
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %two = arith.constant dense<2.0> : tensor<f32>
  %d = xf.cross_entropy_vjp %narrow, %targets, %zero, %two : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %sum, %lse, %d : tensor<f32>, tensor<2xf32>, tensor<2x2xf32>
}

// NONE: result0 : scalar f64 = 0
func.func @no_targets() -> tensor<f32> {
  %logits = arith.constant dense<1.0> : tensor<1x2xf32>
  %targets = arith.constant dense<-100> : tensor<1xi64>
  %loss, %lse = xf.cross_entropy %logits, %targets : (tensor<1x2xf32>, tensor<1xi64>) -> (tensor<f32>, tensor<1xf32>)
  return %loss : tensor<f32>
}

// Philox4x32-10 of counters 0 and 1 under key 0 has the words 6627e8d5 e169c58d bc57ac4c 9b00dbd8, ..: the first is below 2^31.
// DROPOUT: half : 4 f64 = 0, 2, 2, 2
// DROPOUT: all : 4 f64 = 0, 0, 0, 0
// DROPOUT: none : 4 f64 = 1, 1, 1, 1
func.func @dropout() -> (tensor<4xf32> {xf.name = "half"}, tensor<4xf32> {xf.name = "all"}, tensor<4xf32> {xf.name = "none"}) {
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %seed = arith.constant dense<0> : tensor<2xi64>
  %half = xf.dropout %x seed(%seed : tensor<2xi64>) p 5.0e-1 : tensor<4xf32>
  %all = xf.dropout %x seed(%seed : tensor<2xi64>) p 1.0 : tensor<4xf32>
  %none = xf.dropout %x seed(%seed : tensor<2xi64>) p 0.0 : tensor<4xf32>
  return %half, %all, %none : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func @gradients(%table: tensor<5x6xf64>) -> (tensor<f64>, tensor<3xf64>, tensor<3x6xf64>) {
  %ids = arith.constant dense<[4, 0, 4]> : tensor<3xi32>
  %targets = arith.constant dense<[1, -100, 5]> : tensor<3xi32>
  %seed = arith.constant dense<[3, 4]> : tensor<2xi64>
  %x = xf.embedding %table, %ids : (tensor<5x6xf64>, tensor<3xi32>) -> tensor<3x6xf64>
  %loss, %lse = xf.cross_entropy %x, %targets : (tensor<3x6xf64>, tensor<3xi32>) -> (tensor<f64>, tensor<3xf64>)
  %dropped = xf.dropout %x seed(%seed : tensor<2xi64>) p 3.0e-1 : tensor<3x6xf64>
  %later = xf.after %dropped, %loss : tensor<3x6xf64>, tensor<f64>
  return %loss, %lse, %later : tensor<f64>, tensor<3xf64>, tensor<3x6xf64>
}

func.func private @square(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = xf.square %x : tensor<3xf64>
  return %y : tensor<3xf64>
}

func.func @checkpoint(%x: tensor<3xf64>, %w: tensor<3xf64>) -> tensor<3xf64> {
  %y = xf.checkpoint (%a = %x : tensor<3xf64>, %b = %w : tensor<3xf64>) -> (tensor<3xf64>) {
    %tanh = xf.tanh %a : tensor<3xf64>
    %product = xf.mul %tanh, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    xf.yield %product : tensor<3xf64>
  }
  %z = func.call @square(%y) : (tensor<3xf64>) -> tensor<3xf64>
  %sum = xf.add %z, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %sum : tensor<3xf64>
}

func.func private @loss(%w: tensor<2xf64>, %x: tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>) {
  %y = xf.mul %w, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %loss = xf.reduce sum %y axes [0] : tensor<2xf64> -> tensor<f64>
  return %loss, %y : tensor<f64>, tensor<2xf64>
}

// xf.gradient differentiates the first result alone, xf.vjp all of them: d_w = x (1 + (100, 0)).
// DERIVATIVES: loss : scalar f64 = 50
// DERIVATIVES: d_w : 2 f64 = 10, 20
// DERIVATIVES: d_both : 2 f64 = 1010, 20
// DERIVATIVES: d_x : 2 f64 = 101, 2
func.func @derivatives() -> (tensor<f64> {xf.name = "loss"}, tensor<2xf64> {xf.name = "d_w"}, tensor<2xf64> {xf.name = "d_both"},
                             tensor<2xf64> {xf.name = "d_x"}) {
  %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %x = arith.constant dense<[10.0, 20.0]> : tensor<2xf64>
  %one = arith.constant dense<1.0> : tensor<f64>
  %dy = arith.constant dense<[100.0, 0.0]> : tensor<2xf64>
  %loss, %y, %dw = xf.gradient @loss(%w, %x) wrt [0] : (tensor<2xf64>, tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>, tensor<2xf64>)
  %loss2, %y2, %dboth, %dx = xf.vjp @loss(%w, %x) cotangents(%one, %dy : tensor<f64>, tensor<2xf64>) wrt [0, 1]
      : (tensor<2xf64>, tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
  return %loss, %dw, %dboth, %dx : tensor<f64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
