//===- Asynchronous.cpp - Operations that are under way -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Cta.h"

using namespace xf::ptx;

// No instruction that this machine knows is asynchronous yet.
bool xf::ptx::performSomeCopy(Cta &) { return false; }
bool xf::ptx::performSomeLaneCopy(Warp &) { return false; }
bool xf::ptx::performSomeProduct(Warp &) { return false; }
void xf::ptx::finishCopies(Cta &) {}
void xf::ptx::finishLaneCopies(Warp &) {}
