//===- shared_model.cpp - The hand-written model as a shared object -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `xfc --emit=shared` makes of a program: one symbol that points to the tables.
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

extern "C" const xfrt_model *const xfrt_shared_model;
const xfrt_model *const xfrt_shared_model = &testmodel::model;
