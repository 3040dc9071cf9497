//===- xf/xf.h - All public headers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_XF_H
#define XF_XF_H

#include "xf/facts.h"
#include "xf/features.h"
#include "xf/linear_attention.h"
#include "xf/nn.h"
#include "xf/omninet.h"
#include "xf/ops/arrange.h"
#include "xf/ops/einsum.h"
#include "xf/ops/indexing.h"
#include "xf/ops/losses.h"
#include "xf/ops/reductions.h"
#include "xf/picture.h"
#include "xf/program.h"
#include "xf/relative_attention.h"
#include "xf/safetensors.h"
#include "xf/scores.h"

#endif // XF_XF_H
