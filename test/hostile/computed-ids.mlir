// A call refuses ids outside of a table that are inputs (ids.test). Ids that a program computes it cannot see: compiled
// code limits them to the rows that there are, when it reads rows and when it adds to them.

// RUN: %python -c "import numpy; numpy.save('%t.table.npy', numpy.array([[1, 2], [3, 4], [5, 6]], 'f4'))"
// RUN: %python -c "import numpy; numpy.save('%t.far.npy', numpy.array([-5000000000, 5000000000]))"
// RUN: xf-run %s --entry=lookup --input=table=@%t.table.npy --input=far=@%t.far.npy --output=y=@%t.y.npy
// RUN: %python -c "import numpy; assert (numpy.load('%t.y.npy') == [[1, 2], [5, 6]]).all()"
// RUN: xf-run %s --entry=add --input=dy=2x2xf32=1 --input=far=@%t.far.npy --output=sums=@%t.sums.npy
// RUN: %python -c "import numpy; assert (numpy.load('%t.sums.npy') == [[1, 1], [0, 0], [1, 1]]).all()"
// RUN: not xf-run %s --target=reference --entry=lookup --input=table=@%t.table.npy --input=far=@%t.far.npy 2>&1 | FileCheck %s
// CHECK: error: {{.*}}ids{{.*}}-10000000000

func.func @lookup(%table: tensor<3x2xf32> {xf.name = "table"}, %far: tensor<2xi64> {xf.name = "far"}) -> (tensor<2x2xf32> {xf.name = "y"}) {
  %ids = xf.add %far, %far : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %y = xf.embedding %table, %ids : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

func.func @add(%dy: tensor<2x2xf32> {xf.name = "dy"}, %far: tensor<2xi64> {xf.name = "far"}) -> (tensor<3x2xf32> {xf.name = "sums"}) {
  %ids = xf.add %far, %far : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %sums = xf.embedding_vjp %ids, %dy : (tensor<2xi64>, tensor<2x2xf32>) -> tensor<3x2xf32>
  return %sums : tensor<3x2xf32>
}
