//===- xf/models.h - Models of the papers, from published weights -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One header for each model, all of it inline: a page to read, copy and change. docs/models.md lists them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_H
#define XF_MODELS_H

#include "xf/models/bert.h"
#include "xf/models/bigbird.h"
#include "xf/models/deltanet.h"
#include "xf/models/gaussian_attention.h"
#include "xf/models/gla.h"
#include "xf/models/gpt2.h"
#include "xf/models/linear_transformer.h"
#include "xf/models/linformer.h"
#include "xf/models/llama.h"
#include "xf/models/longformer.h"
#include "xf/models/mvit.h"
#include "xf/models/nystromformer.h"
#include "xf/models/omninet.h"
#include "xf/models/perceiver.h"
#include "xf/models/performer.h"
#include "xf/models/retnet.h"
#include "xf/models/set_transformer.h"
#include "xf/models/sparse_transformer.h"
#include "xf/models/swin.h"
#include "xf/models/t2t_vit.h"
#include "xf/models/t5.h"
#include "xf/models/transformer_xl.h"
#include "xf/models/vit.h"

#endif // XF_MODELS_H
