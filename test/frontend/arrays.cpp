//===- arrays.cpp - Arrays from numbers, and numbers from arrays -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-arrays | FileCheck %s

#include <xf/xf.h>

#include <cmath>
#include <iostream>

using namespace xf;

template <typename F>
static void report(const F &f) {
  try {
    f();
    std::cout << "no error\n";
  } catch (const Error &error) {
    std::string text = error.what();
    std::cout << text.substr(text.rfind('/') + 1) << "\n";
  }
}

static void show(const Array &array) {
  std::cout << array << " " << to_string(Shape(array.shape().begin(), array.shape().end())) << " "
            << name(array.dtype()) << "\n";
}

static void makeArrays() {
  // CHECK: 0.0003 [] f32
  show(3e-4f);
  // CHECK-NEXT: 0.5 [] f64
  show(0.5);
  // CHECK-NEXT: 4611686018427387905 [] i64
  show((int64_t(1) << 62) + 1);
  // CHECK-NEXT: true [] i1
  show(true);
  // CHECK-NEXT: [1, 2, 3] [3] i32
  show(Array({1, 2, 3}));
  // CHECK-NEXT: {{^\[\[}}1, 2, 3],
  // CHECK-NEXT: {{^}} [4, 5, 6]] [2, 3] i32
  show(Array({{1, 2, 3}, {4, 5, 6}}));
  // CHECK-NEXT: {{^\[\[\[}}1],
  // CHECK-NEXT: {{^}}  [2]],
  // CHECK-NEXT: {{^ \[\[}}3],
  // CHECK-NEXT: {{^}}  [4]]] [2, 2, 1] f32
  show(Array({{{1.f}, {2.f}}, {{3.f}, {4.f}}}));
  // CHECK-NEXT: [0.5, -1] [2] f64
  show(std::vector<double>{0.5, -1});
  // CHECK-NEXT: {{^\[\[}}true, false],
  // CHECK-NEXT: {{^}} [false, true]] [2, 2] i1
  show(Array(std::vector<bool>{true, false, false, true}, {2, 2}));
  // CHECK-NEXT: [] [0] f32
  show(std::vector<float>{});
  // CHECK-NEXT: undefined [] f32
  show(Array());
  // CHECK-NEXT: [nan, -inf, 1e+20] [3] f32
  show(Array({-NAN, -INFINITY, 1e20f}));
  // CHECK-NEXT: [2147483647, -1234567] [2] i32
  show(Array({INT32_MAX, -1234567}));
  // A long one is abbreviated.
  // CHECK-NEXT: {{^\[\[}}0, 0, 0, .., 0, 0, 0],
  // CHECK-NEXT: {{^}} [0, 0, 0, .., 0, 0, 0]] [2, 501] f16{{$}}
  std::cout << Array(f16, {2, 501}) << "\n";
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected rows of one shape, got [3] and [2]
  report([] { return Array({{1, 2, 3}, {4, 5}}); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 4 numbers for an array of shape [2, 2], got 3
  report([] { return Array(std::vector<int32_t>{1, 2, 3}, {2, 2}); });
}

static void readElements() {
  Array ids({{1, 2, 3}, {4, 5, 6}}), rate(3e-4f), halves = Array({0.25f, -2.f}).to(f16);
  ids.at<int32_t>({1, -1}) = 7;
  // CHECK-NEXT: 3 7 0.0003 -2
  std::cout << ids.at<int32_t>({0, 2}) << " " << ids.data<int32_t>()[5] << " " << rate.item<double>() << " "
            << Array(std::vector<float>{-2}).item<float>() << "\n";
  // Sixteen bits are read as bits, or converted.
  // CHECK-NEXT: 3400 [0.25, -2]
  std::cout << std::hex << halves.data<uint16_t>()[0] << std::dec << " " << halves.to(f32) << "\n";
  // CHECK-NEXT: 7 true 1 [1, 2]
  std::cout << Array(int64_t(7)).item<int32_t>() << " " << Array(true) << " " << Array(true).item<bool>() << " "
            << Array({int64_t(1), int64_t(2)}).to(i32) << "\n";
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected the C++ type of elements of f32, got integers of 4 bytes
  report([&] { rate.data<int32_t>(); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected the C++ type of elements of i32, got floats of 4 bytes
  report([&] { ids.data<float>(); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected the C++ type of elements of f16, got floats of 4 bytes
  report([&] { halves.data<float>(); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an index in [-2, 2) in dimension 0, got 2
  report([&] { ids.at<int32_t>({2, 0}); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 2 indices for an array of shape [2, 3], got 1
  report([&] { ids.at<int32_t>({2}); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an array of one element, got [2, 3]
  report([&] { ids.item<int32_t>(); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an array of one element, got an empty one
  report([&] { Array().item<float>(); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected elements of i32 or of integers that fit, got f32
  report([&] { rate.item<int32_t>(); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a number of 32 bits, got 4294967296
  report([&] { Array(int64_t(1) << 32).item<int32_t>(); });
  // CHECK-NEXT: arrays.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a conversion to floats, or of integers, got one from f32 to i32
  report([&] { rate.to(i32); });
}

int main() {
  makeArrays();
  readElements();
}
