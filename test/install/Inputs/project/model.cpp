// A model of the papers from the installed headers.
#include <xf/models/gpt2.h>

#include <cstdio>

int main() {
  xf::models::GPT2 model({.vocabulary = 5, .positions = 4, .width = 8, .layers = 1, .heads = 2});
  std::printf("GPT-2: %lld parameters\n", static_cast<long long>(model.parameter_count()));
}
