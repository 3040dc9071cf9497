// Writes the model and its weights.
#include <xf/xf.h>

int main() {
  xf::nn::Linear layer(2, 3, xf::constant_init(0.5));
  xf::Program program("layer", layer);
  program.entry("apply", {{"x", xf::f32, {1, 2}}}, layer);
  program.save("layer.mlir");
}
