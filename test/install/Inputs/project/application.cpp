// The typed wrapper.
#include "layer.h"

#include <cstdio>

int main() {
  std::printf("weights: %s\n", LAYER_WEIGHTS);
  layer::Model model;
  const float x[2] = {1, 2};
  float applied[3];
  model.apply({.x = x}, {.apply = applied});
  std::printf("apply without weights = %g %g %g\n", applied[0], applied[1], applied[2]);
  try {
    model.load(LAYER_WEIGHTS);
  } catch (const std::exception &error) {
    std::puts(error.what());
  }
}
