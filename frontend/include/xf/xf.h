//===- xf/xf.h - All public headers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Includes all of the frontend. `using namespace xf` also brings short names: cpu, cuda, keys, queries, table, block,
// random, heads, constant, rename, name. A program with functions of the same names qualifies them (::cpu or my::cpu),
// or imports only what it needs: `using xf::Tensor, xf::Program; namespace nn = xf::nn;`.
//
//===----------------------------------------------------------------------===//

#ifndef XF_XF_H
#define XF_XF_H

#include "xf/facts.h"
#include "xf/features.h"
#include "xf/linear_attention.h"
#include "xf/maps.h"
#include "xf/nn.h"
#include "xf/nn/generate.h"
#include "xf/nn/heads.h"
#include "xf/nn/layers.h"
#include "xf/nn/omninet.h"
#include "xf/nn/pages.h"
#include "xf/nn/vision.h"
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
#include "xf/state.h"

#endif // XF_XF_H
