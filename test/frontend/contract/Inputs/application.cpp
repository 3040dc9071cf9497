// What links the object: the typed wrapper of its header.
#include "byte_lm.h"

#include <cstdio>
#include <vector>

int main() {
  std::vector<int32_t> tokens(64), targets(64);
  for (int n = 0; n < 64; ++n) {
    tokens[n] = n * 7 % 16;
    targets[n] = (n + 1) * 7 % 16;
  }
  byte_lm::Model model;
  model.load("start.safetensors");
  float first = 0, loss = 0;
  for (int step = 0; step < 60; ++step) {
    loss = model.train({.batch = 2, .tokens = tokens.data(), .targets = targets.data(), .learning_rate = 0.01f});
    first = step == 0 ? loss : first;
  }
  std::printf("loss %.9g\n", first);
  std::printf("learned: %s\n", loss < 0.1f * first ? "yes" : "no");
  model.save("weights.safetensors");

  byte_lm::Model other;
  other.load("weights.safetensors");
  std::vector<float> logits(32 * 16);
  other.logits({.batch = 1, .tokens = tokens.data()}, {.logits = logits.data()});
  int right = 0;
  for (int n = 0; n < 32; ++n) {
    int best = 0;
    for (int c = 1; c < 16; ++c)
      best = logits[n * 16 + c] > logits[n * 16 + best] ? c : best;
    right += best == targets[n];
  }
  std::printf("right: %d of 32\n", right);
  try {
    other.load("start.safetensor");
  } catch (const xfrt::Error &error) {
    std::puts(error.what());
  }
}
