// RUN: xf-opt %s --xf-propagate-shardings --xf-take-share | FileCheck %s
// RUN: xf-opt %s --xf-propagate-shardings --xf-take-share=shares-queries=false | FileCheck %s --check-prefix=HEADS

module attributes {xf.mesh = #xf.mesh<"data" = 2, "sequence" = 2, "tensor" = 2>} {
  // What is whole and meets what is not: a rank takes its part. Summands are summed; a bias is added once, to the sum.
  // CHECK-LABEL: func.func @layer
  // CHECK-SAME: (%[[X:.*]]: tensor<4x6xf32> {{{.*}}}, %[[U:.*]]: tensor<4x6xf32> {{{.*}}}, %[[D:.*]]: tensor<6x4xf32> {{{.*}}}, %[[B:.*]]: tensor<8xf32>, %[[C:.*]]: tensor<6xf32>)
  // CHECK-SAME: -> (tensor<4x6xf32> {xf.sharding = #{{.*}}}) attributes {xf.share}
  func.func @layer(%x: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %u: tensor<8x6xf32> {xf.sharding = #xf.sharding<[{"tensor"}, {}]>},
                   %d: tensor<6x8xf32> {xf.sharding = #xf.sharding<[{}, {"tensor"}]>}, %b: tensor<8xf32>, %c: tensor<6xf32>) -> tensor<8x6xf32> {
    // CHECK: %[[PART:.*]] = xf.all_slice %[[B]] dim 0 over ["tensor"] : tensor<8xf32> to tensor<4xf32>
    // CHECK: %[[H:.*]] = xf.linear %[[X]], %[[U]] bias(%[[PART]] : tensor<4xf32>)
    %h = xf.linear %x, %u bias(%b : tensor<8xf32>) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x8xf32>
    // CHECK: %[[P:.*]] = xf.linear %[[H]], %[[D]] : (tensor<4x4xf32>, tensor<6x4xf32>) -> tensor<4x6xf32>
    // CHECK: %[[S:.*]] = xf.all_reduce %[[P]] over ["tensor"] : tensor<4x6xf32>
    // CHECK: %[[Y:.*]] = xf.add %[[S]], %[[C]]
    // CHECK: return %[[Y]]
    %y = xf.linear %h, %d bias(%c : tensor<6xf32>) : (tensor<8x8xf32>, tensor<6x8xf32>) -> tensor<8x6xf32>
    return %y : tensor<8x6xf32>
  }

  // The epilogue of a product runs on the sum, which ranks send each other in f32.
  // CHECK-LABEL: func.func @epilogue
  func.func @epilogue(%a: tensor<4x8xbf16> {xf.sharding = #xf.sharding<[{}, {"tensor"}]>}, %w: tensor<6x8xbf16>, %c: tensor<6xbf16>) -> tensor<4x6xbf16> {
    // CHECK: %[[W:.*]] = xf.all_slice %{{.*}} dim 1 over ["tensor"]
    // CHECK: %[[P:.*]] = xf.product %{{.*}}, %[[W]] transposed epilogue(%{{.*}} : f32) {
    // CHECK: } : (tensor<4x4xbf16>, tensor<6x4xbf16>) -> (tensor<4x6xf32>)
    // CHECK: %[[S:.*]] = xf.all_reduce %[[P]] over ["tensor"] : tensor<4x6xf32>
    // CHECK: xf.map (%[[X:.*]] = %[[S]] : tensor<4x6xf32>, %[[E:.*]] = %{{.*}} : tensor<6xbf16>) -> tensor<4x6xbf16> {
    // CHECK: %[[WIDE:.*]] = arith.extf %[[E]]
    // CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[WIDE]]
    // CHECK: arith.truncf %[[SUM]]
    %y = xf.product %a, %w transposed epilogue(%p : f32, %e = %c : tensor<6xbf16>) {
      %s = arith.addf %p, %e : f32
      xf.yield %s : f32
    } : (tensor<4x8xbf16>, tensor<6x8xbf16>) -> (tensor<4x6xbf16>)
    return %y : tensor<4x6xbf16>
  }

  // So does one with several results, which is not linear.
  // CHECK-LABEL: func.func @results
  func.func @results(%a: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"tensor"}]>}, %w: tensor<6x8xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
    // CHECK: %[[P:.*]] = xf.product
    // CHECK: %[[S:.*]] = xf.all_reduce %[[P]] over ["tensor"] : tensor<4x6xf32>
    // CHECK: %[[Y:.*]] = xf.map (%[[X:.*]] = %[[S]] : tensor<4x6xf32>)
    // CHECK: %[[M:.*]] = arith.mulf %[[X]], %[[X]]
    // CHECK: xf.yield %[[M]]
    // CHECK: %[[Z:.*]] = xf.map (%[[X:.*]] = %[[S]] : tensor<4x6xf32>)
    // CHECK: xf.yield %[[X]]
    // CHECK: return %[[Y]], %[[Z]]
    %y, %z = xf.product %a, %w transposed epilogue(%p : f32) {
      %m = arith.mulf %p, %p : f32
      xf.yield %m, %p : f32, f32
    } : (tensor<4x8xf32>, tensor<6x8xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
    return %y, %z : tensor<4x6xf32>, tensor<4x6xf32>
  }

  // Of gradients whose parts ranks update, they sum the parts, axis by axis, and the squares of their norm.
  // CHECK-LABEL: func.func @norms
  // CHECK-SAME: %[[X:.*]]: tensor<2x8xf32> {{.*}}, %[[D:.*]]: tensor<2x4xf32> {{.*}}, %[[M:.*]]: tensor<1x8xf32>
  func.func @norms(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %d: tensor<4x4xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %m: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{"data", "tensor"}, {}]>}, %w: tensor<4xf32>)
      -> (tensor<f32>, tensor<4x8xf32>) {
    // CHECK: %[[G:.*]] = xf.matmul %[[D]] transposed, %[[X]]
    // CHECK: %[[PART:.*]] = xf.reduce_scatter %[[G]] dim 0 over ["data"] : tensor<4x8xf32> to tensor<2x8xf32>
    // CHECK: %[[REST:.*]] = xf.all_slice %[[PART]] dim 0 over ["tensor"] : tensor<2x8xf32> to tensor<1x8xf32>
    // CHECK: %[[A:.*]] = xf.clip_scale %[[REST]] max_norm {{.*}} : (tensor<1x8xf32>) -> tensor<f64>
    // CHECK: %[[SQUARES:.*]] = xf.map ({{.*}} = %[[A]] : tensor<f64>) -> tensor<f64>
    // CHECK: %[[SUM:.*]] = xf.all_reduce %[[SQUARES]] over ["data", "tensor"] : tensor<f64>
    // CHECK: %[[B:.*]] = xf.clip_scale %{{.*}} max_norm {{.*}} : (tensor<4xf32>) -> tensor<f64>
    // CHECK: %[[WHOLE:.*]] = xf.map ({{.*}} = %[[B]] : tensor<f64>) -> tensor<f64>
    // CHECK: %[[NORM:.*]] = xf.map ({{.*}} = %[[SUM]] : tensor<f64>, {{.*}} = %[[WHOLE]] : tensor<f64>) -> tensor<f64>
    // CHECK: %[[CLIP:.*]] = xf.clip_scale %[[NORM]] max_norm 1.0{{.*}} : (tensor<f64>) -> tensor<f32>
    // CHECK: xf.add %[[M]], %[[REST]]
    // CHECK: return %[[CLIP]]
    %g = xf.matmul %d transposed, %x : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %clip = xf.clip_scale %g, %w max_norm 1.0 : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<f32>
    %next = xf.add %m, %g : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    return %clip, %next : tensor<f32>, tensor<4x8xf32>
  }

  // Where one dimension has all axes of another, ranks take parts of parts.
  // CHECK-LABEL: func.func @finer
  // CHECK-SAME: %[[X:.*]]: tensor<4x8xf32> {{.*}}, %[[Y:.*]]: tensor<2x8xf32>
  func.func @finer(%x: tensor<8x8xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %y: tensor<8x8xf32> {xf.sharding = #xf.sharding<[{"data", "tensor"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    // CHECK: %[[P:.*]] = xf.all_slice %[[X]] dim 0 over ["tensor"] : tensor<4x8xf32> to tensor<2x8xf32>
    // CHECK: xf.add %[[P]], %[[Y]]
    // CHECK: xf.sub %[[Y]], %[[P]]
    %a = xf.add %x, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %b = xf.sub %y, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %a, %b : tensor<8x8xf32>, tensor<8x8xf32>
  }

  // Parts are gathered, the last axis first, and only once.
  // CHECK-LABEL: func.func @gathers
  func.func @gathers(%x: tensor<4x8xf32> {xf.sharding = #xf.sharding<[{}, {"data", "tensor"}]>}) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    // CHECK: %[[G:.*]] = xf.all_gather %{{.*}} dim 1 over ["tensor"] : tensor<4x2xf32> to tensor<4x4xf32>
    // CHECK: %[[A:.*]] = xf.all_gather %[[G]] dim 1 over ["data"] : tensor<4x4xf32> to tensor<4x8xf32>
    // CHECK: xf.softmax %[[A]]
    // CHECK-NOT: xf.all_gather
    // CHECK: xf.softmax_vjp %[[A]]
    %s = xf.softmax %x : tensor<4x8xf32>
    %t = xf.softmax_vjp %x, %s : tensor<4x8xf32>
    return %s, %t : tensor<4x8xf32>, tensor<4x8xf32>
  }

  // Means are those of the ranks' means. A result that is to be whole is gathered.
  // CHECK-LABEL: func.func @means
  func.func @means(%x: tensor<4x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> (tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32> {xf.sharding = #xf.sharding<[{}, {}]>}) {
    // CHECK: %[[M:.*]] = xf.reduce mean %{{.*}} axes [0] : tensor<2x6xf32> -> tensor<6xf32>
    // CHECK: %[[S:.*]] = xf.all_reduce %[[M]] over ["data"]
    // CHECK: xf.map (%{{.*}} = %[[S]] : tensor<6xf32>)
    // CHECK: arith.constant 5.000000e-01
    %m = xf.reduce mean %x axes [0] : tensor<4x6xf32> -> tensor<6xf32>
    // CHECK: %[[ALL:.*]] = xf.all_gather %{{.*}} dim 0 over ["data"]
    // CHECK: xf.reduce max %[[ALL]]
    %n = xf.reduce max %x axes [0] : tensor<4x6xf32> -> tensor<6xf32>
    // CHECK: return %{{.*}}, %{{.*}}, %[[ALL]]
    return %m, %n, %x : tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>
  }

  // A loss counts the targets of all ranks; its gradient is weighted with them.
  // CHECK-LABEL: func.func @loss
  func.func @loss(%l: tensor<4x9xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %t: tensor<4xi32> {xf.sharding = #xf.sharding<[{"data"}]>}, %d: tensor<f32>) -> (tensor<f32>, tensor<4x9xf32>) {
    // CHECK: arith.constant -100
    // CHECK: %[[COUNT:.*]] = xf.reduce sum {{.*}} -> tensor<f32>
    // CHECK: %[[ALL:.*]] = xf.all_reduce %[[COUNT]] over ["data"]
    // CHECK: %[[LOSS:.*]], %[[LSE:.*]] = xf.cross_entropy %{{.*}} : (tensor<2x9xf32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xf32>)
    // CHECK: %[[PART:.*]] = xf.map (%{{.*}} = %[[LOSS]] : tensor<f32>, %{{.*}} = %[[COUNT]] : tensor<f32>, %{{.*}} = %[[ALL]] : tensor<f32>)
    // CHECK: %[[SUM:.*]] = xf.all_reduce %[[PART]] over ["data"]
    %loss, %lse = xf.cross_entropy %l, %t : (tensor<4x9xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
    // CHECK: %[[D:.*]] = xf.map ({{.*}}) -> tensor<f32>
    // CHECK: xf.cross_entropy_vjp %{{.*}}, %{{.*}}, %[[LSE]], %[[D]]
    %g = xf.cross_entropy_vjp %l, %t, %lse, %d : (tensor<4x9xf32>, tensor<4xi32>, tensor<4xf32>, tensor<f32>) -> tensor<4x9xf32>
    return %loss, %g : tensor<f32>, tensor<4x9xf32>
  }

  // Heads of a rank, where tokens were; what comes back for the gradient is what went out.
  // CHECK-LABEL: func.func @attention
  func.func @attention(%q: tensor<2x4x8x2xf32> {xf.sharding = #xf.sharding<[{"data"}, {"tensor"}, {"sequence"}, {}]>}, %n: tensor<2xi32> {xf.sharding = #xf.sharding<[{"data"}]>}) -> tensor<2x4x8x2xf32> {
    // CHECK: %[[Q:.*]] = xf.all_to_all %{{.*}} split 1 join 2 over ["sequence"] : tensor<1x2x4x2xf32> to tensor<1x1x8x2xf32>
    // CHECK: %[[O:.*]] = xf.attention %[[Q]], %[[Q]], %[[Q]] pattern(#xf.causal) lengths(%{{.*}} : tensor<1xi32>)
    // CHECK: xf.all_to_all %[[O]] split 2 join 1 over ["sequence"] : tensor<1x1x8x2xf32> to tensor<1x2x4x2xf32>
    %o = xf.attention %q, %q, %q pattern(#xf.causal) lengths(%n : tensor<2xi32>) : (tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>) -> tensor<2x4x8x2xf32>
    return %o : tensor<2x4x8x2xf32>
  }

  // Keys that a part of the queries sees, once for values too; what is computed for them goes back.
  // CHECK-LABEL: func.func @keys
  // HEADS-LABEL: func.func @keys
  // HEADS-NOT: xf.exchange_rows
  // HEADS: xf.all_to_all
  // CHECK-SAME: %[[Q:[^:]*]]: tensor<1x2x4x2xf32>
  func.func @keys(%q: tensor<2x4x8x2xf32> {xf.sharding = #xf.sharding<[{"data"}, {"tensor"}, {"sequence"}, {}]>}) -> (tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>) {
    // CHECK: %[[K:.*]] = xf.exchange_rows %[[Q]] for %[[Q]] plan [1, {{.*}}] over ["sequence"] : tensor<1x2x4x2xf32>, tensor<1x2x4x2xf32> to tensor<1x2x8x2xf32>
    // CHECK: %[[PARTS:.*]] = arith.constant dense<{{\[\[}}0, 2], [1, 2]]> : tensor<2x2xi64>
    // CHECK: %[[PART:.*]] = xf.all_slice %[[PARTS]] dim 0 over ["sequence"] : tensor<2x2xi64> to tensor<1x2xi64>
    // CHECK: %[[O:.*]]:2 = xf.attention %[[Q]], %[[K]], %[[K]] pattern(#xf.window<left = 1>) part(%[[PART]] : tensor<1x2xi64>) {{.*}} -> (tensor<1x2x4x2xf32>, tensor<1x2x4xf32>)
    // CHECK-NOT: xf.exchange_rows
    // CHECK: %[[D:.*]]:3 = xf.attention_vjp %[[Q]], %[[K]], %[[K]], %[[O]]#0, {{.*}} part(%[[PART]] : tensor<1x2xi64>) {{.*}} -> (tensor<1x2x4x2xf32>, tensor<1x2x8x2xf32>, tensor<1x2x8x2xf32>)
    // CHECK: xf.return_reduce %[[D]]#1 for %[[Q]] plan [1, {{.*}}] over ["sequence"] : tensor<1x2x8x2xf32>, tensor<1x2x4x2xf32> to tensor<1x2x4x2xf32>
    // CHECK: xf.return_reduce %[[D]]#2 for %[[Q]]
    %o, %lse = xf.attention %q, %q, %q pattern(#xf.window<left = 1>) {solution = [#xf.solution<pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, lower = affine_map<(i)[Nq, Nk] -> (i - 1)>, upper = affine_map<(i)[Nq, Nk] -> (i)>>]>]} : (tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>) -> (tensor<2x4x8x2xf32>, tensor<2x4x8xf32>)
    %dq, %dk, %dv = xf.attention_vjp %q, %q, %q, %o, %lse, %q pattern(#xf.window<left = 1>) {solution = [#xf.solution<pieces = [#xf.piece<queries = #xf.index_map<>, keys = #xf.index_map<>, lower = affine_map<(i)[Nq, Nk] -> (i - 1)>, upper = affine_map<(i)[Nq, Nk] -> (i)>>]>]} : (tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>, tensor<2x4x8xf32>, tensor<2x4x8x2xf32>) -> (tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>)
    return %dk, %dv : tensor<2x4x8x2xf32>, tensor<2x4x8x2xf32>
  }

  // Heads that the ranks do not divide, and numbers of heads and elements: every rank computes all, and takes its part.
  // CHECK-LABEL: func.func @whole
  func.func @whole(%q: tensor<2x1x8x2xf32> {xf.sharding = #xf.sharding<[{"data"}, {}, {"sequence"}, {}]>}, %s: tensor<2xi64>, %r: tensor<4x2x8x2xf32> {xf.sharding = #xf.sharding<[{"data"}, {"tensor"}, {}, {}]>}) -> (tensor<2x1x8x2xf32>, tensor<2x1x8x2xf32>, tensor<4x2x8x2xf32>) {
    // CHECK: %[[Q:.*]] = xf.all_gather %{{.*}} dim 2 over ["sequence"] : tensor<1x1x4x2xf32> to tensor<1x1x8x2xf32>
    // CHECK: %[[O:.*]] = xf.attention %[[Q]]
    %o = xf.attention %q, %q, %q pattern(#xf.causal) : (tensor<2x1x8x2xf32>, tensor<2x1x8x2xf32>, tensor<2x1x8x2xf32>) -> tensor<2x1x8x2xf32>
    // CHECK: %[[ROWS:.*]] = xf.all_gather %[[O]] dim 0 over ["data"] : tensor<1x1x8x2xf32> to tensor<2x1x8x2xf32>
    // CHECK: xf.dropout %[[ROWS]]
    %d = xf.dropout %o seed(%s : tensor<2xi64>) p 0.1 : tensor<2x1x8x2xf32>
    // CHECK: xf.all_gather %{{.*}} dim 1 over ["tensor"]
    // CHECK: xf.attention {{.*}} score
    %p = xf.attention %r, %r, %r pattern(#xf.causal) score(%x : f32, %b, %h, %i, %j) {
      %n = arith.index_cast %h : index to i32
      %f = arith.sitofp %n : i32 to f32
      %y = arith.addf %x, %f : f32
      xf.yield %y : f32
    } : (tensor<4x2x8x2xf32>, tensor<4x2x8x2xf32>, tensor<4x2x8x2xf32>) -> tensor<4x2x8x2xf32>
    // CHECK: xf.all_slice %[[O]] dim 2 over ["sequence"]
    // CHECK: xf.all_slice %{{.*}} dim 1 over ["tensor"]
    return %o, %d, %p : tensor<2x1x8x2xf32>, tensor<2x1x8x2xf32>, tensor<4x2x8x2xf32>
  }

  // State that ranks share: a rank sums and updates its part of the parameter. What takes its place is whole again.
  // CHECK-LABEL: func.func @update
  // CHECK-SAME: -> (tensor<4x3xf32> {xf.sharding = #{{.*}}, xf.updates = "w"}, tensor<2x3xf32> {xf.sharding = #{{.*}}, xf.updates = "v"})
  func.func @update(%x: tensor<8x4xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %y: tensor<8x3xf32> {xf.sharding = #xf.sharding<[{"data"}, {}]>}, %w: tensor<4x3xf32> {xf.name = "w"},
                    %v: tensor<4x3xf32> {xf.name = "v", xf.sharding = #xf.sharding<[{"data"}, {}]>}, %r: tensor<f32>) -> (tensor<4x3xf32> {xf.updates = "w"}, tensor<4x3xf32> {xf.updates = "v"}) {
    // CHECK: %[[P:.*]] = xf.matmul %{{.*}} transposed
    // CHECK: %[[G:.*]] = xf.reduce_scatter %[[P]] dim 0 over ["data"] : tensor<4x3xf32> to tensor<2x3xf32>
    %g = xf.matmul %x transposed, %y : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    // CHECK: %[[NEW:.*]], %{{.*}} = xf.sgd %{{.*}}, %[[G]]
    %nw, %nv = xf.sgd %w, %g, %v rate %r clip %r momentum 0.9 decay 0.0 : tensor<4x3xf32>, tensor<f32>, tensor<f32>
    // CHECK: xf.all_gather %[[NEW]] dim 0 over ["data"] : tensor<2x3xf32> to tensor<4x3xf32>
    return %nw, %nv : tensor<4x3xf32>, tensor<4x3xf32>
  }

  // Named sizes are those of a rank's share, and expressions of them too.
  // CHECK-LABEL: func.func @sizes
  // CHECK-SAME: xf.dims = [#xf.dim<name = "n", min = 1, max = 8>]
  func.func @sizes(%x: tensor<?x3xf32> {xf.dims = [#xf.dim<name = "n", min = 2, max = 16>], xf.sharding = #xf.sharding<[{"data"}, {}]>}) -> (tensor<?x6xf32> {xf.dims = [#xf.size<n>]}) {
    // CHECK: xf.broadcast %{{.*}} sizes [2 * n] : tensor<3xf32> to tensor<?x3xf32>
    %r = xf.reduce sum %x axes [0] : tensor<?x3xf32> -> tensor<3xf32>
    %b = xf.broadcast %r sizes [n] : tensor<3xf32> to tensor<?x3xf32>
    // CHECK: %[[PART:.*]] = xf.all_slice %{{.*}} dim 0 over ["data"] : tensor<?x3xf32> to tensor<?x3xf32>
    // CHECK: xf.concat %{{.*}}, %[[PART]] axis 1
    %c = xf.concat %x, %b axis 1 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
    return %c : tensor<?x6xf32>
  }

  // An argument of which a rank takes its part is clipped by the norm of the parts.
  // CHECK-LABEL: func.func @clipped_argument
  // CHECK-SAME: (%[[G:.*]]: tensor<8xf32>, %[[P:.*]]: tensor<4xf32>
  func.func @clipped_argument(%g: tensor<8xf32>, %p: tensor<8xf32> {xf.sharding = #xf.sharding<[{"data"}]>}) -> (tensor<8xf32>, tensor<f32>) {
    // CHECK: %[[PART:.*]] = xf.all_slice %[[G]] dim 0 over ["data"] : tensor<8xf32> to tensor<4xf32>
    // CHECK: xf.clip_scale %[[PART]]
    %c = xf.clip_scale %g max_norm 1.0 : (tensor<8xf32>) -> tensor<f32>
    // CHECK: xf.add %[[PART]], %[[P]]
    %t = xf.add %g, %p : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %t, %c : tensor<8xf32>, tensor<f32>
  }

  // A dimension that counts several is taken apart where one asks for other parts of it, and where a reshape does.
  // CHECK-LABEL: func.func @rows
  func.func @rows(%x: tensor<4x8x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %y: tensor<32x6xf32>) -> (tensor<32x6xf32>, tensor<4x8x6xf32>, tensor<2x16x6xf32>) {
    // CHECK: %[[ROWS:.*]] = xf.reshape %{{.*}} : tensor<2x4x6xf32> to tensor<8x6xf32>
    %r = xf.reshape %x : tensor<4x8x6xf32> to tensor<32x6xf32>
    // CHECK: %[[APART:.*]] = xf.reshape %{{.*}} : tensor<32x6xf32> to tensor<4x8x6xf32>
    // CHECK: %[[ENTRIES:.*]] = xf.all_slice %[[APART]] dim 0 over ["data"]
    // CHECK: %[[TOKENS:.*]] = xf.all_slice %[[ENTRIES]] dim 1 over ["sequence"]
    // CHECK: %[[PART:.*]] = xf.reshape %[[TOKENS]] : tensor<2x4x6xf32> to tensor<8x6xf32>
    // CHECK: xf.mul %[[ROWS]], %[[PART]]
    %m = xf.mul %r, %y : (tensor<32x6xf32>, tensor<32x6xf32>) -> tensor<32x6xf32>
    // CHECK: xf.reshape %[[ROWS]] : tensor<8x6xf32> to tensor<2x4x6xf32>
    %z = xf.reshape %r : tensor<32x6xf32> to tensor<4x8x6xf32>
    // CHECK: %[[AGAIN:.*]] = xf.reshape %[[ROWS]] : tensor<8x6xf32> to tensor<2x4x6xf32>
    // CHECK: %[[ENTRIES:.*]] = xf.all_gather %[[AGAIN]] dim 0 over ["data"]
    // CHECK: %[[ALL:.*]] = xf.all_gather %[[ENTRIES]] dim 1 over ["sequence"]
    // CHECK: xf.reshape %[[ALL]] : tensor<4x8x6xf32> to tensor<32x6xf32>
    %o = xf.reshape %r : tensor<32x6xf32> to tensor<2x16x6xf32>
    // CHECK: xf.all_to_all
    return %m, %z, %o : tensor<32x6xf32>, tensor<4x8x6xf32>, tensor<2x16x6xf32>
  }

  // Merged twice, they are what they are if merged at once: nothing is gathered.
  // CHECK-LABEL: func.func @twice
  // CHECK-NOT: xf.all_
  // CHECK: return
  func.func @twice(%x: tensor<4x8x2x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}, {}, {}]>}, %y: tensor<4x8x2x6xf32> {xf.sharding = #xf.sharding<[{"data"}, {"sequence" zigzag 2}, {}, {}]>}) -> (tensor<4x16x6xf32>, tensor<4x4x4x6xf32>) {
    %a = xf.reshape %x : tensor<4x8x2x6xf32> to tensor<64x6xf32>
    %tokens = xf.reshape %y : tensor<4x8x2x6xf32> to tensor<4x16x6xf32>
    %b = xf.reshape %tokens : tensor<4x16x6xf32> to tensor<64x6xf32>
    %entries = xf.reshape %y : tensor<4x8x2x6xf32> to tensor<32x2x6xf32>
    %c = xf.reshape %entries : tensor<32x2x6xf32> to tensor<64x6xf32>
    %d = xf.add %a, %b : (tensor<64x6xf32>, tensor<64x6xf32>) -> tensor<64x6xf32>
    %e = xf.mul %d, %c : (tensor<64x6xf32>, tensor<64x6xf32>) -> tensor<64x6xf32>
    %r = xf.reshape %e : tensor<64x6xf32> to tensor<4x16x6xf32>
    %z = xf.reshape %tokens : tensor<4x16x6xf32> to tensor<4x4x4x6xf32>
    return %r, %z : tensor<4x16x6xf32>, tensor<4x4x4x6xf32>
  }

  // What is padded in one dimension, and the gradient of a maximum, have the shardings of the others. Of one token each
  // rank gives what it has in its place.
  // CHECK-LABEL: func.func @taken
  func.func @taken(%x: tensor<4x8x6xbf16> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}, {}]>}, %d: tensor<4x8xbf16> {xf.sharding = #xf.sharding<[{"data"}, {"sequence"}]>}) -> (tensor<4x8x9xbf16>, tensor<4x8x6xbf16>, tensor<4x6xbf16>) {
    // CHECK: xf.pad %{{.*}} : tensor<2x4x6xbf16> to tensor<2x4x9xbf16>
    %p = xf.pad %x low [0, 0, 3] strides [1, 1, 1] : tensor<4x8x6xbf16> to tensor<4x8x9xbf16>
    // CHECK: xf.reduce_max_vjp %{{.*}} axes [2] : tensor<2x4x6xbf16>, tensor<2x4xbf16>
    %m = xf.reduce_max_vjp %x, %d axes [2] : tensor<4x8x6xbf16>, tensor<4x8xbf16>
    // CHECK: %[[OWN:.*]] = xf.slice %{{.*}} offsets [0, 1, 0] strides [1, 1, 1] : tensor<2x4x6xbf16> to tensor<2x1x6xbf16>
    // CHECK: %[[ALL:.*]] = xf.all_gather %[[OWN]] dim 1 over ["sequence"] : tensor<2x1x6xbf16> to tensor<2x2x6xbf16>
    // CHECK: xf.slice %[[ALL]] offsets [0, 1, 0] strides [1, 1, 1] : tensor<2x2x6xbf16> to tensor<2x1x6xbf16>
    %token = xf.slice %x offsets [0, 5, 0] strides [1, 1, 1] : tensor<4x8x6xbf16> to tensor<4x1x6xbf16>
    %t = xf.reshape %token : tensor<4x1x6xbf16> to tensor<4x6xbf16>
    // CHECK-NOT: xf.all_
    // CHECK: return
    return %p, %m, %t : tensor<4x8x9xbf16>, tensor<4x8x6xbf16>, tensor<4x6xbf16>
  }
}
