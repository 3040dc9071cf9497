// A call refuses ids outside of a table that are inputs (ids.test). Ids that a program computes it cannot see: they count
// as the nearest row, when rows are read and when they are added to.

// RUN: %python -c "import numpy; numpy.save('%t.table.npy', numpy.array([[1, 2], [3, 4], [5, 6]], 'f4'))"
// RUN: %python -c "import numpy; numpy.save('%t.far.npy', numpy.array([-5000000000, 5000000000]))"
// RUN: xf-run %s --entry=lookup --input=table=@%t.table.npy --input=far=@%t.far.npy --output=y=@%t.y.npy
// RUN: %python -c "import numpy; assert (numpy.load('%t.y.npy') == [[1, 2], [5, 6]]).all()"
// RUN: xf-run %s --entry=add --input=dy=2x2xf32=1 --input=far=@%t.far.npy --output=sums=@%t.sums.npy
// RUN: %python -c "import numpy; assert (numpy.load('%t.sums.npy') == [[1, 1], [0, 0], [1, 1]]).all()"
// RUN: xf-run %s --target=reference --entry=lookup --vjp --input=table=@%t.table.npy --input=far=@%t.far.npy --input=d_y=1 --output=y=@%t.y.npy --output=d_table=@%t.sums.npy
// RUN: %python -c "import numpy; assert (numpy.load('%t.y.npy') == [[1, 2], [5, 6]]).all() and (numpy.load('%t.sums.npy') == [[1, 1], [0, 0], [1, 1]]).all()"

// So do indices in rows, of which the gradient is that of what was read: 0 2 4, 4 4 0 of five columns.
// RUN: %python -c "import numpy; numpy.save('%t.x.npy', numpy.arange(10, dtype='f4').reshape(2, 5)); numpy.save('%t.i.npy', numpy.array([[-3, 1, 40], [2, 2, -1]])); numpy.save('%t.dy.npy', numpy.arange(1, 7, dtype='f4').reshape(2, 3))"
// RUN: xf-run %s --entry=gather --vjp --input=x=@%t.x.npy --input=i=@%t.i.npy --input=d_y=@%t.dy.npy --output=y=@%t.y.npy --output=d_x=@%t.dx.npy
// RUN: %python -c "import numpy; assert (numpy.load('%t.y.npy') == [[0, 2, 4], [9, 9, 5]]).all() and (numpy.load('%t.dx.npy') == [[1, 0, 2, 0, 3], [6, 0, 0, 0, 9]]).all()"
// RUN: env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_CAPABILITY=8.0 xf-run %s --target=cuda --entry=gather --vjp --input=x=@%t.x.npy --input=i=@%t.i.npy --input=d_y=@%t.dy.npy --output=y=@%t.y.npy --output=d_x=@%t.dx.npy
// RUN: %python -c "import numpy; assert (numpy.load('%t.y.npy') == [[0, 2, 4], [9, 9, 5]]).all() and (numpy.load('%t.dx.npy') == [[1, 0, 2, 0, 3], [6, 0, 0, 0, 9]]).all()"
// RUN: xf-run %s --target=reference --entry=gather --vjp --input=x=@%t.x.npy --input=i=@%t.i.npy --input=d_y=@%t.dy.npy --output=y=@%t.y.npy --output=d_x=@%t.dx.npy
// RUN: %python -c "import numpy; assert (numpy.load('%t.y.npy') == [[0, 2, 4], [9, 9, 5]]).all() and (numpy.load('%t.dx.npy') == [[1, 0, 2, 0, 3], [6, 0, 0, 0, 9]]).all()"
// RUN: %python -c "import numpy; numpy.save('%t.i.npy', numpy.array([[-3], [2**40]])); numpy.save('%t.dy.npy', numpy.array([[1], [2]], 'f4'))"
// RUN: xf-run %s --entry=one --vjp --input=x=@%t.x.npy --input=i=@%t.i.npy --input=d_y=@%t.dy.npy --output=y=@%t.y.npy --output=d_x=@%t.dx.npy
// RUN: %python -c "import numpy; assert (numpy.load('%t.y.npy') == [[0], [9]]).all() and (numpy.load('%t.dx.npy') == [[1, 0, 0, 0, 0], [0, 0, 0, 0, 2]]).all()"

// And targets, of which -100 stays that of a row that does not count: the classes are 0, none, 2, 2 and 0.
// RUN: %python -c "import numpy; numpy.save('%t.l.npy', numpy.log(numpy.array([[1, 2, 1]] * 5)).astype('f4')); numpy.save('%t.t.npy', numpy.array([-49, -50, 1, 2, -51]))"
// RUN: xf-run %s --entry=loss --vjp --input=logits=@%t.l.npy --input=t=@%t.t.npy --input=d_loss=4 --output=loss=@%t.loss.npy --output=d_logits=@%t.d.npy
// RUN: %python -c "import numpy as n; assert abs(n.load('%t.loss.npy') - n.log(4)) < 1e-6 and abs(n.load('%t.d.npy') - [[-.75, .5, .25], [0, 0, 0], [.25, .5, -.75], [.25, .5, -.75], [-.75, .5, .25]]).max() < 1e-6"
// RUN: xf-run %s --target=reference --entry=loss --vjp --input=logits=@%t.l.npy --input=t=@%t.t.npy --input=d_loss=4 --output=loss=@%t.loss.npy --output=d_logits=@%t.d.npy
// RUN: %python -c "import numpy as n; assert abs(n.load('%t.loss.npy') - n.log(4)) < 1e-6 and abs(n.load('%t.d.npy') - [[-.75, .5, .25], [0, 0, 0], [.25, .5, -.75], [.25, .5, -.75], [-.75, .5, .25]]).max() < 1e-6"

func.func @loss(%logits: tensor<5x3xf32> {xf.name = "logits"}, %t: tensor<5xi64> {xf.name = "t"}) -> (tensor<f32> {xf.name = "loss"}) {
  %targets = xf.add %t, %t : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  %loss, %lse = xf.cross_entropy %logits, %targets : (tensor<5x3xf32>, tensor<5xi64>) -> (tensor<f32>, tensor<5xf32>)
  return %loss : tensor<f32>
}

func.func @gather(%x: tensor<2x5xf32> {xf.name = "x"}, %i: tensor<2x3xi64> {xf.name = "i"}) -> (tensor<2x3xf32> {xf.name = "y"}) {
  %indices = xf.add %i, %i : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
  %y = xf.take_along %x, %indices : tensor<2x5xf32>, tensor<2x3xi64> -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

func.func @one(%x: tensor<2x5xf32> {xf.name = "x"}, %i: tensor<2x1xi64> {xf.name = "i"}) -> (tensor<2x1xf32> {xf.name = "y"}) {
  %indices = xf.add %i, %i : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x1xi64>
  %y = xf.take_along %x, %indices : tensor<2x5xf32>, tensor<2x1xi64> -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}

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
