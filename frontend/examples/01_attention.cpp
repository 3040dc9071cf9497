// One attention with a pattern: the smallest program.
#include <xf/xf.h>

#include <cstdio>

using namespace xf;

int main() {
  Program program("attention");
  TensorSpec q{"q", f32, {1, 2, 96, 64}}, k{"k", f32, {1, 2, 96, 64}}, v{"v", f32, {1, 2, 96, 64}};
  program.entry("attend", {q, k, v}, [](Tensor q, Tensor k, Tensor v) {
    return scaled_dot_product_attention(q, k, v, {.pattern = strided(8)});
  });
  std::fputs(program.str().c_str(), stdout);
}
