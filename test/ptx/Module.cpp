//===- Module.cpp - A parsed PTX module -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Module.h"
#include "test/ptx/Code.h"

using namespace xf::ptx;

Module::Module() = default;
Module::~Module() = default;

std::unique_ptr<Module> Module::parse(std::string_view, std::string name, std::string &error) {
  error = name + ":1: expected a parser, got none yet";
  return nullptr;
}

const Kernel *Module::kernel(std::string_view name) const {
  for (const Kernel &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}
