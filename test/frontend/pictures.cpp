//===- pictures.cpp - Patterns drawn by the user's program -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t && cd %t && frontend-pictures | FileCheck %s --match-full-lines --strict-whitespace
// RUN: head -c 8 heads.png | od -An -tx1 | FileCheck %s --check-prefix=PNG
// RUN: grep -c '<path' heads.svg | FileCheck %s --check-prefix=SVG
// RUN: FileCheck %s --check-prefix=TXT < heads.txt
// RUN: %python -c "import numpy; print(*numpy.load('heads.npz').files)" | FileCheck %s --check-prefix=NPZ

#include "OneWeight.h"

#include <cstdio>

using namespace xf;

static void drawText() {
  // Digits are pieces: the window, then the residue classes of the column behind it.
  //      CHECK:#xf.strided<stride = 3>
  // CHECK-NEXT:{{0: .*}}
  // CHECK-NEXT:{{1: r < 3: .*}}
  // CHECK-NEXT:#{{       }}
  // CHECK-NEXT:0#{{      }}
  // CHECK-NEXT:00#{{     }}
  // CHECK-NEXT:000#{{    }}
  // CHECK-NEXT:.000#{{   }}
  // CHECK-NEXT:..000#{{  }}
  // CHECK-NEXT:1..000#{{ }}
  // CHECK-NEXT:.1..000#
  std::fputs(draw(strided(3), 8).text().c_str(), stdout);

  // Without causality there is no future; a query that does not see itself has no '#'.
  //      CHECK:{{.*xf.difference.*}}
  // CHECK-NEXT:{{0: .*}}
  // CHECK-NEXT:{{1: .*}}
  // CHECK-NEXT:.11
  // CHECK-NEXT:0.1
  // CHECK-NEXT:00.
  std::fputs(draw(dense() - window(0), 3).text().c_str(), stdout);
}

/// Returns the number of pairs for which contains() and the picture of the pattern's solution differ, of 24 tokens.
static int differences(const Pattern &pattern, int64_t head) {
  constexpr int64_t tokens = 24;
  std::string text = draw(pattern, tokens, {.head = head}).text();
  text = text.substr(text.size() - tokens * (tokens + 1));
  int count = 0;
  for (int64_t i = 0; i < tokens; ++i)
    for (int64_t j = 0; j < tokens; ++j) {
      char square = text[i * (tokens + 1) + j];
      count += contains(pattern, head, i, j, tokens) != (square != '.' && square != ' ');
    }
  return count;
}

/// Random parts have in contains() what kernels compute, for each head and inside other patterns.
static void drawRandomParts() {
  std::vector<int64_t> backwards;
  for (int64_t n = 23; n >= 0; --n)
    backwards.push_back(n);
  const Pattern patterns[] = {random(3, 7),
                              random(2, -1, window(2)),
                              random(2, 1, random(3, 4) | causal()),
                              random(30, 1, causal()),
                              bigbird({.block = 3, .random = 1, .seed = 5}),
                              bigbird({.block = 2, .window = 0, .global = 0, .random = 2}) & causal(),
                              bigbird({.block = 5, .random = 3}), // few blocks: all pairs
                              block(5, random(2, 9, window(0))),
                              lift({.extents = {4, 6}, .axis = 1, .of = random(2, 3)}),
                              permute(backwards, random(2, 4, window(1, 1))),
                              grid({.layers = 3, .of = random(2, 8), .granularity = Granularity::position}),
                              heads({causal() & random(9, 2), random(2, 11) - window(3)})};
  int count = 0;
  for (const Pattern &pattern : patterns)
    for (int64_t head : {0, 1, 6})
      count += differences(pattern, head);
  // CHECK:0 differences
  std::printf("%d differences\n", count);
  // CHECK-NEXT:head 6
  std::printf("%s\n",
              draw(random(1, 2), 4, {.head = 6}).text().find("head 6\n") != std::string::npos ? "head 6" : "none");
}

int main() {
  drawText();
  drawRandomParts();
  // PNG: 89 50 4e 47 0d 0a 1a 0a
  // SVG: {{^6$}}
  // NPZ: pattern0_head0 pattern0_head1
  // TXT: heads 0 mod 2
  // TXT: heads 1 mod 2
  Picture picture = draw(heads({fixed(4, 1).local(), fixed(4, 1).column()}), 8);
  for (const char *path : {"heads.svg", "heads.png", "heads.txt", "heads.npz"})
    picture.save(path);

  // What one query sees of the tokens on a grid; what the kernels' tiles compute for nothing.
  //      CHECK:#xf.strided<stride = 3>
  //      CHECK:query 7 on a 3 x 3 grid
  // CHECK-NEXT:.1.
  // CHECK-NEXT:.00
  // CHECK-NEXT:0#{{ }}
  std::fputs(draw(strided(3), 9, {.grid = {3, 3}, .query = 7}).text().c_str(), stdout);
  //      CHECK:#xf.causal
  // CHECK-NEXT:{{0: .*}}
  // CHECK-NEXT:#++
  // CHECK-NEXT:0#+
  // CHECK-NEXT:00#
  std::fputs(draw(causal(), 3, {.tiles = true}).text().c_str(), stdout);

  // Mistakes point at the user's line.
  //      CHECK:{{.*}}pictures.cpp:[[@LINE+1]]:{{[0-9]+}}: expected a grid of 9 tokens, got 3 x 4
  printError([&] { draw(causal(), 9, {.grid = {3, 4}}); });
  //      CHECK:{{.*}}pictures.cpp:[[@LINE+1]]:{{[0-9]+}}: expected a grid to show query 3 on, got none
  printError([&] { draw(causal(), 9, {.query = 3}); });
  //      CHECK:{{.*}}pictures.cpp:[[@LINE+1]]:{{[0-9]+}}: expected the number of a head, got -2
  printError([&] { draw(causal(), 9, {.head = -2}); });
  //      CHECK:{{.*}}pictures.cpp:[[@LINE+1]]:{{[0-9]+}}: expected a name that ends in .svg, .png, .txt or .npz, got 'heads.gif'
  printError([&] { picture.save("heads.gif"); });
  //      CHECK:{{.*}}pictures.cpp:[[@LINE+1]]:{{[0-9]+}}: {{.*}}absent/heads.svg{{.*}}
  printError([&] { picture.save("absent/heads.svg"); });
  //      CHECK:{{.*}}pictures.cpp:[[@LINE+1]]:{{[0-9]+}}: expected from 1 to 2048 tokens in a picture, got 2049
  printError([&] { draw(causal(), 2049); });
  //      CHECK:{{.*}}pictures.cpp:[[@LINE+1]]:{{[0-9]+}}: expected a pattern that is known without its operands to draw, got #xf.segments
  printError([&] { draw(segments(), 8); });
  //      CHECK:{{.*}}pictures.cpp:[[@LINE+1]]:{{[0-9]+}}: expected a pattern that is known without its operands to draw, got #xf.prefix
  printError([&] { draw(prefix(), 8); });
  //      CHECK:{{.*}}pictures.cpp:[[@LINE+1]]:{{[0-9]+}}: expected a pattern that is known without its operands to draw, got {{.*}}
  printError([&] { draw(pattern([](Index i, Index j) { return i - j <= symbol(0); }), 8); });
}
