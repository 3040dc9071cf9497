// RUN: xf-opt %s -xf-expand-rank-sums | FileCheck %s
// RUN: xf-opt %s -xf-expand-rank-sums | xf-opt -xf-expand-rank-sums | FileCheck %s

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 4, "one" = 1>} {
  // What every rank has, added in the order of ranks, before the first op that reads the sum.
  // CHECK-LABEL: func.func @whole(
  // CHECK-SAME: %[[X:.*]]: tensor<?x6xf64>, %[[Z:.*]]: tensor<?x6xf64>
  // CHECK-NEXT: %[[ROW:.*]] = xf.reshape %[[X]] : tensor<?x6xf64> to tensor<1x?x6xf64>
  // CHECK-NEXT: %[[ALL:.*]] = xf.all_gather %[[ROW]] dim 0 over ["data"] : tensor<1x?x6xf64> to tensor<2x?x6xf64>
  // CHECK-NEXT: %[[OTHER:.*]] = xf.exp %[[Z]]
  // CHECK-NEXT: %[[SUM:.*]] = xf.reduce sum %[[ALL]] axes [0] : tensor<2x?x6xf64> -> tensor<?x6xf64>
  // CHECK-NEXT: %[[USE:.*]] = xf.add %[[SUM]], %[[OTHER]]
  // CHECK-NEXT: return %[[USE]]
  func.func @whole(%x: tensor<?x6xf64>, %z: tensor<?x6xf64>) -> tensor<?x6xf64> {
    %y = xf.all_reduce %x over ["data"] : tensor<?x6xf64>
    %other = xf.exp %z : tensor<?x6xf64>
    %use = xf.add %y, %other : (tensor<?x6xf64>, tensor<?x6xf64>) -> tensor<?x6xf64>
    return %use : tensor<?x6xf64>
  }

  // CHECK-LABEL: func.func @scalar(
  // CHECK: xf.all_gather {{.*}} : tensor<1xf32> to tensor<8xf32>
  // CHECK: xf.reduce sum {{.*}} axes [0] : tensor<8xf32> -> tensor<f32>
  func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
    %y = xf.all_reduce %x over ["data", "sequence"] : tensor<f32>
    return %y : tensor<f32>
  }

  // Up to 16 KiB are sent whole.
  // CHECK-LABEL: func.func @short(
  // CHECK: xf.all_gather {{.*}} : tensor<1x4096xf32> to tensor<4x4096xf32>
  func.func @short(%x: tensor<4096xf32>) -> tensor<4096xf32> {
    %y = xf.all_reduce %x over ["sequence"] : tensor<4096xf32>
    return %y : tensor<4096xf32>
  }

  // Of a long one each of more than two ranks makes a part.
  // CHECK-LABEL: func.func @long(
  // CHECK-SAME: %[[X:.*]]: tensor<3x4096xf32>
  // CHECK-NEXT: %[[FLAT:.*]] = xf.reshape %[[X]] : tensor<3x4096xf32> to tensor<12288xf32>
  // CHECK-NEXT: %[[ROW:.*]] = xf.reshape %[[FLAT]] : tensor<12288xf32> to tensor<1x12288xf32>
  // CHECK-NEXT: %[[PARTS:.*]] = xf.all_to_all %[[ROW]] split 1 join 0 over ["sequence"] : tensor<1x12288xf32> to tensor<4x3072xf32>
  // CHECK-NEXT: %[[PART:.*]] = xf.reduce sum %[[PARTS]] axes [0] : tensor<4x3072xf32> -> tensor<3072xf32>
  // CHECK-NEXT: %[[SUM:.*]] = xf.all_gather %[[PART]] dim 0 over ["sequence"] : tensor<3072xf32> to tensor<12288xf32>
  // CHECK-NEXT: %[[Y:.*]] = xf.reshape %[[SUM]] : tensor<12288xf32> to tensor<3x4096xf32>
  // CHECK-NEXT: return %[[Y]]
  func.func @long(%x: tensor<3x4096xf32>) -> tensor<3x4096xf32> {
    %y = xf.all_reduce %x over ["sequence"] : tensor<3x4096xf32>
    return %y : tensor<3x4096xf32>
  }

  // Or, where the number of elements is not known, of a dimension that the ranks divide.
  // CHECK-LABEL: func.func @divided(
  // CHECK: xf.all_to_all {{.*}} split 2 join 0 over ["sequence"] : tensor<1x?x8xf32> to tensor<4x?x2xf32>
  // CHECK: xf.reduce sum {{.*}} axes [0] : tensor<4x?x2xf32> -> tensor<?x2xf32>
  // CHECK: xf.all_gather {{.*}} dim 1 over ["sequence"] : tensor<?x2xf32> to tensor<?x8xf32>
  func.func @divided(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    %y = xf.all_reduce %x over ["sequence"] : tensor<?x8xf32>
    return %y : tensor<?x8xf32>
  }

  // What the ranks do not divide is sent whole.
  // CHECK-LABEL: func.func @undivided(
  // CHECK: xf.all_gather {{.*}} : tensor<1x5001xf32> to tensor<4x5001xf32>
  // CHECK: xf.all_gather {{.*}} : tensor<1x?x7xf32> to tensor<4x?x7xf32>
  func.func @undivided(%x: tensor<5001xf32>, %z: tensor<?x7xf32>) -> (tensor<5001xf32>, tensor<?x7xf32>) {
    %y = xf.all_reduce %x over ["sequence"] : tensor<5001xf32>
    %w = xf.all_reduce %z over ["sequence"] : tensor<?x7xf32>
    return %y, %w : tensor<5001xf32>, tensor<?x7xf32>
  }

  // CHECK-LABEL: func.func @scatter(
  // CHECK: xf.all_to_all {{.*}} split 2 join 0 over ["data"] : tensor<1x?x6xf32> to tensor<2x?x3xf32>
  // CHECK: xf.reduce sum {{.*}} axes [0] : tensor<2x?x3xf32> -> tensor<?x3xf32>
  func.func @scatter(%x: tensor<?x6xf32>) -> tensor<?x3xf32> {
    %y = xf.reduce_scatter %x dim 1 over ["data"] : tensor<?x6xf32> to tensor<?x3xf32>
    return %y : tensor<?x3xf32>
  }

  // Of states, those of the ranks before (row p of a table says of which rank p has the sum), or behind. Others are left
  // out, were they infinite, in the order of ranks.
  // CHECK-LABEL: func.func @scan(
  // CHECK-SAME: %[[X:.*]]: tensor<2x3xf64>, %[[Z:.*]]: tensor<2x3xf64>
  // CHECK-NEXT: %[[ROW:.*]] = xf.reshape %[[X]] : tensor<2x3xf64> to tensor<1x2x3xf64>
  // CHECK-NEXT: %[[ALL:.*]] = xf.all_gather %[[ROW]] dim 0 over ["sequence"] : tensor<1x2x3xf64> to tensor<4x2x3xf64>
  // CHECK-NEXT: %[[TABLE:.*]] = arith.constant dense<{{\[\[}}0.0{{[0e+]*}}, 0.0{{[0e+]*}}, 0.0{{[0e+]*}}, 0.0{{[0e+]*}}], [1.0{{[0e+]*}}, 0.0{{[0e+]*}}, 0.0{{[0e+]*}}, 0.0{{[0e+]*}}], [1.0{{[0e+]*}}, 1.0{{[0e+]*}}, 0.0{{[0e+]*}}, 0.0{{[0e+]*}}], [1.0{{[0e+]*}}, 1.0{{[0e+]*}}, 1.0{{[0e+]*}}, 0.0{{[0e+]*}}]]> : tensor<4x4xf32>
  // CHECK-NEXT: %[[MINE:.*]] = xf.all_slice %[[TABLE]] dim 0 over ["sequence"] : tensor<4x4xf32> to tensor<1x4xf32>
  // CHECK-NEXT: %[[WHICH:.*]] = xf.reshape %[[MINE]] : tensor<1x4xf32> to tensor<4x1x1xf32>
  // CHECK-NEXT: %[[OTHER:.*]] = xf.exp %[[Z]]
  // CHECK-NEXT: %[[CHOSEN:.*]] = xf.map (%[[A:.*]] = %[[ALL]] : tensor<4x2x3xf64>, %[[W:.*]] = %[[WHICH]] : tensor<4x1x1xf32>) -> tensor<4x2x3xf64> {
  // CHECK: %[[IS:.*]] = arith.cmpf one, %[[W]],
  // CHECK-NEXT: %[[S:.*]] = arith.select %[[IS]], %[[A]], %{{.*}} : f64
  // CHECK-NEXT: xf.yield %[[S]]
  // CHECK: %[[SUM:.*]] = xf.reduce sum %[[CHOSEN]] axes [0] : tensor<4x2x3xf64> -> tensor<2x3xf64>
  // CHECK-NEXT: xf.add %[[SUM]], %[[OTHER]]
  func.func @scan(%x: tensor<2x3xf64>, %z: tensor<2x3xf64>) -> tensor<2x3xf64> {
    %y = xf.scan_states %x over ["sequence"] : tensor<2x3xf64>
    %other = xf.exp %z : tensor<2x3xf64>
    %use = xf.add %y, %other : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
    return %use : tensor<2x3xf64>
  }

  // Of long states each of more than two ranks makes a part, for all of them.
  // CHECK-LABEL: func.func @scan_parts(
  // CHECK-SAME: %[[X:.*]]: tensor<2x4096xf32>
  // CHECK-NEXT: %[[FLAT:.*]] = xf.reshape %[[X]] : tensor<2x4096xf32> to tensor<8192xf32>
  // CHECK-NEXT: %[[ROW:.*]] = xf.reshape %[[FLAT]] : tensor<8192xf32> to tensor<1x8192xf32>
  // CHECK-NEXT: %[[PARTS:.*]] = xf.all_to_all %[[ROW]] split 1 join 0 over ["sequence"] : tensor<1x8192xf32> to tensor<4x2048xf32>
  // CHECK-NEXT: %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<4x4x1xf32>
  // CHECK-NEXT: %[[CHOSEN:.*]] = xf.map ({{.*}} = %[[PARTS]] : tensor<4x2048xf32>, {{.*}} = %[[TABLE]] : tensor<4x4x1xf32>) -> tensor<4x4x2048xf32> {
  // CHECK: %[[SUMS:.*]] = xf.reduce sum %[[CHOSEN]] axes [1] : tensor<4x4x2048xf32> -> tensor<4x2048xf32>
  // CHECK-NEXT: %[[MINE:.*]] = xf.all_to_all %[[SUMS]] split 0 join 1 over ["sequence"] : tensor<4x2048xf32> to tensor<1x8192xf32>
  // CHECK-NEXT: %[[Y:.*]] = xf.reshape %[[MINE]] : tensor<1x8192xf32> to tensor<2x4096xf32>
  // CHECK-NEXT: return %[[Y]]
  func.func @scan_parts(%x: tensor<2x4096xf32>) -> tensor<2x4096xf32> {
    %y = xf.scan_states %x over ["sequence"] : tensor<2x4096xf32>
    return %y : tensor<2x4096xf32>
  }

  // CHECK-LABEL: func.func @behind(
  // CHECK: arith.constant dense<{{\[\[}}0.0{{[0e+]*}}, 1.0{{[0e+]*}}], [0.0{{[0e+]*}}, 0.0{{[0e+]*}}]]> : tensor<2x2xf32>
  func.func @behind(%x: tensor<f32>) -> tensor<f32> {
    %y = xf.scan_states reverse %x over ["data"] : tensor<f32>
    return %y : tensor<f32>
  }

  // CHECK-LABEL: func.func @one(
  // CHECK-SAME: %[[X:.*]]: tensor<6xf32>
  // CHECK-NEXT: return %[[X]]
  func.func @one(%x: tensor<6xf32>) -> tensor<6xf32> {
    %y = xf.all_reduce %x over ["one"] : tensor<6xf32>
    return %y : tensor<6xf32>
  }
}
