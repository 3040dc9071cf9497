// Runs what docs/families.md shows, beside the same in another way.
#include "page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

static std::mt19937 engine(1);

static Array drawn(std::vector<int64_t> shape, float low = -1, float high = 1) {
  Array x(f32, shape);
  for (float &value : x.data<float>())
    value = std::uniform_real_distribution<float>(low, high)(engine);
  return x;
}

static double difference(const Array &got, const Array &want) {
  double most = 0;
  for (size_t n = 0; n < want.data<float>().size(); ++n)
    most = std::max<double>(most, std::fabs(got.data<float>()[n] - want.data<float>()[n]));
  return most;
}

/// The recurrence of stateSpace, for one head.
static Array recurrence(const Array &c, const Array &b, const Array &u, const Array &dt, float a) {
  Array y(f32, {1, 1, 32, 8});
  std::vector<double> h(16 * 8);
  for (int t = 0; t < 32; ++t)
    for (int column = 0; column < 8; ++column) {
      double sum = 0, step = dt.data<float>()[t];
      for (int n = 0; n < 16; ++n) {
        double &state = h[n * 8 + column];
        state = std::exp(step * a) * state + step * b.data<float>()[t * 16 + n] * u.data<float>()[t * 8 + column];
        sum += c.data<float>()[t * 16 + n] * state;
      }
      y.data<float>()[t * 8 + column] = static_cast<float>(sum);
    }
  return y;
}

/// The tokens of x [1, 8, 16, 64] from the n-th on, one of them.
static Array token(const Array &x, int n) {
  Array one(f32, {1, 8, 1, 64});
  for (int h = 0; h < 8; ++h)
    std::copy_n(&x.data<float>()[(h * 16 + n) * 64], 64, &one.data<float>()[h * 64]);
  return one;
}

int main() {
  Program program("families");
  TensorSpec x{"x", f32, {32, 16}}, gate{"gate", f32, {8, 16}}, up{"up", f32, {8, 16, 24}},
      down{"down", f32, {8, 24, 16}};
  program.entry("all", {x, gate, up, down}, allExperts);
  program.entry("chosen", {x, gate, up, down},
                [](Tensor x, Tensor g, Tensor u, Tensor d) { return chosenTokens(x, g, u, d, 32); });
  program.entry("space",
                {{"c", f32, {1, 1, 32, 16}},
                 {"b", f32, {1, 1, 32, 16}},
                 {"u", f32, {1, 1, 32, 8}},
                 {"dt", f32, {1, 1, 32}},
                 {"a", f32, {1}}},
                stateSpace);
  State keys = program.state({"keys", f32, {1, 8, 40, 64}}), values = program.state({"values", f32, {1, 8, 40, 64}});
  State count = program.state({"count", i32, {}});
  auto heads = [](const char *name, int n) { return TensorSpec{name, f32, {1, 8, n, 64}}; };
  TensorSpec slopes{"slopes", f32, {8}};
  program.entry("token", {heads("q", 1), heads("k", 1), heads("v", 1), slopes},
                [&](Tensor q, Tensor k, Tensor v, Tensor s) { return attendCached(keys, values, count, q, k, v, s); });
  program.entry("whole", {heads("q", 16), heads("k", 16), heads("v", 16), slopes},
                [](Tensor q, Tensor k, Tensor v, Tensor slopes) {
                  auto score = [&](Score s) { return s.value - slopes(s.h) * (s.i - s.j); };
                  return scaled_dot_product_attention(q, k, v, {.pattern = causal(), .score = score});
                });
  addTraining(program, program.state({"w", f32, {4, 16}}), program.state({"mean", f32, {4, 16}}));
  Executable run = program.compile();

  std::vector<Array> experts = {drawn({32, 16}), drawn({8, 16}), drawn({8, 16, 24}), drawn({8, 24, 16})};
  std::printf("experts %d\n", difference(run("chosen", {experts[0], experts[1], experts[2], experts[3]}),
                                         run("all", {experts[0], experts[1], experts[2], experts[3]})) < 1e-5);

  std::vector<Array> space = {drawn({1, 1, 32, 16}), drawn({1, 1, 32, 16}), drawn({1, 1, 32, 8}),
                              drawn({1, 1, 32}, 0, 1), Array{-.5f}};
  std::printf("space %d\n", difference(run("space", {space[0], space[1], space[2], space[3], space[4]}),
                                       recurrence(space[0], space[1], space[2], space[3], -.5f)) < 1e-5);

  Array q = drawn({1, 8, 16, 64}), k = drawn({1, 8, 16, 64}), v = drawn({1, 8, 16, 64}), s = drawn({8}, 0, 1);
  Array whole = run("whole", {q, k, v, s});
  double most = 0;
  for (int n = 0; n < 16; ++n)
    most = std::max(most, difference(run("token", {token(q, n), token(k, n), token(v, n), s}), token(whole, n)));
  std::printf("cache %d\n", most < 1e-5);

  Array targets(i32, {32});
  for (int n = 0; n < 32; ++n)
    targets.data<int32_t>()[n] = experts[0].data<float>()[n * 16] > 0;
  float first = run("train", {experts[0], targets}).item<float>(), last = first;
  for (int n = 0; n < 100; ++n)
    last = run("train", {experts[0], targets}).item<float>();
  std::printf("loss %.4f, less %d\n", first, last < first / 2);
}
