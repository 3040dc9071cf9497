// Every pattern and score that a user may write, in one program.
#include <xf/xf.h>

#include <cstdio>

using namespace xf;

int main() {
  TensorSpec q{"q", f32, {1, 2, 40, 16}}, k{"k", f32, {1, 2, 40, 16}}, v{"v", f32, {1, 2, 40, 16}};
  TensorSpec bias{"table", f32, {2, 40}}, features{"w", f32, {24, 16}}, projection{"e", f32, {40, 8}};
  Program program("patterns");
  auto entry = [&](const std::string &name, const Pattern &pattern) {
    program.entry(name, {q, k, v}, [&](Tensor q, Tensor k, Tensor v) {
      return scaled_dot_product_attention(q, k, v, {.pattern = pattern});
    });
  };
  entry("dense", dense());
  entry("causal", causal());
  entry("window", window(5));
  entry("strided", strided(8));
  entry("fixed", fixed(8, 2));
  entry("bigbird", bigbird({.block = 4}));
  entry("union", window(2) | strided(8).column());
  entry("intersection", window(9) & keys({{0, 3}}));
  entry("difference", causal() - window(2));
  entry("heads", heads({strided(8).local(), strided(8).column()}));
  entry("grid", grid({.layers = 4, .of = causal()}));
  Pattern comb = pattern([](Index i, Index j) { return i - j >= 0 && (i + j) % 16 == 0; });
  program.entry("comb", {q, k, v, bias}, [&](Tensor q, Tensor k, Tensor v, Tensor table) {
    return scaled_dot_product_attention(q, k, v, {.pattern = comb | window(5), .score = [&](Score s) {
                                                    return tanh(s.value / 30) * 30 + table(s.h, s.i - s.j);
                                                  }});
  });
  program.entry("kernelized", {q, k, v, features}, [](Tensor q, Tensor k, Tensor v, Tensor w) {
    return scaled_dot_product_attention(
        q, k, v, {.pattern = kernelized({.feature = Feature::favor, .of = causal()}), .parameters = {w}});
  });
  program.entry("low_rank", {q, k, v, projection}, [](Tensor q, Tensor k, Tensor v, Tensor e) {
    return scaled_dot_product_attention(q, k, v, {.pattern = low_rank({.rank = 8}), .parameters = {e}});
  });
  auto f = [](const std::vector<Tensor> &parameters, Tensor x) { return mean(square(linear(x, parameters[0]))); };
  program.entry("slope", {{"weight", f32, {3, 4}}, {"x", f32, {2, 4}}}, [&](Tensor weight, Tensor x) {
    auto [loss, gradients] = value_and_grad(f)(std::vector<Tensor>{weight}, x);
    return Results{{"loss", loss}, {"gradient", gradients[0]}};
  });
  std::fputs(program.str().c_str(), stdout);
}
