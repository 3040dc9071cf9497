//===- SpecialRegisters.cpp - Names of special registers ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

namespace {
struct SpecialName {
  const char *name;
  Special special;
  uint32_t bits;
};
} // namespace

static const SpecialName specials[] = {{"%tid.x", Special::TidX, 32},
                                       {"%tid.y", Special::TidY, 32},
                                       {"%tid.z", Special::TidZ, 32},
                                       {"%ntid.x", Special::NtidX, 32},
                                       {"%ntid.y", Special::NtidY, 32},
                                       {"%ntid.z", Special::NtidZ, 32},
                                       {"%ctaid.x", Special::CtaidX, 32},
                                       {"%ctaid.y", Special::CtaidY, 32},
                                       {"%ctaid.z", Special::CtaidZ, 32},
                                       {"%nctaid.x", Special::NctaidX, 32},
                                       {"%nctaid.y", Special::NctaidY, 32},
                                       {"%nctaid.z", Special::NctaidZ, 32},
                                       {"%clusterid.x", Special::CtaidX, 32},
                                       {"%clusterid.y", Special::CtaidY, 32},
                                       {"%clusterid.z", Special::CtaidZ, 32},
                                       {"%nclusterid.x", Special::NctaidX, 32},
                                       {"%nclusterid.y", Special::NctaidY, 32},
                                       {"%nclusterid.z", Special::NctaidZ, 32},
                                       {"%cluster_ctaid.x", Special::Zero, 32},
                                       {"%cluster_ctaid.y", Special::Zero, 32},
                                       {"%cluster_ctaid.z", Special::Zero, 32},
                                       {"%cluster_nctaid.x", Special::One, 32},
                                       {"%cluster_nctaid.y", Special::One, 32},
                                       {"%cluster_nctaid.z", Special::One, 32},
                                       {"%cluster_ctarank", Special::Zero, 32},
                                       {"%cluster_nctarank", Special::One, 32},
                                       {"%laneid", Special::Laneid, 32},
                                       {"%warpid", Special::Warpid, 32},
                                       {"%nwarpid", Special::Nwarpid, 32},
                                       {"%lanemask_eq", Special::LanemaskEq, 32},
                                       {"%lanemask_lt", Special::LanemaskLt, 32},
                                       {"%lanemask_le", Special::LanemaskLe, 32},
                                       {"%lanemask_gt", Special::LanemaskGt, 32},
                                       {"%lanemask_ge", Special::LanemaskGe, 32},
                                       {"%smid", Special::Zero, 32},
                                       {"%nsmid", Special::One, 32},
                                       {"%gridid", Special::Zero, 64},
                                       {"%dynamic_smem_size", Special::DynamicSharedSize, 32},
                                       {"%total_smem_size", Special::TotalSharedSize, 32},
                                       {"%clock", Special::Clock, 32},
                                       {"%clock_hi", Special::Zero, 32},
                                       {"%clock64", Special::Clock, 64},
                                       {"%globaltimer", Special::Clock, 64},
                                       {"%globaltimer_lo", Special::Clock, 32}};

/// Clusters have one CTA.
bool Decoder::readSpecial(const SyntaxOperand &operand, Type type, Operand &result) {
  for (const SpecialName &special : specials) {
    if (operand.name != special.name)
      continue;
    if (bitsOf(type) != special.bits)
      return expected("a type of " + std::to_string(special.bits) + " bits for " + operand.name, nameOf(type));
    if (special.special == Special::Clock)
      instruction->variant[5] = 1; // read when the instruction executes
    result = scope.constant({Source::Special, false, 0, static_cast<uint32_t>(special.special), 0}, special.bits);
    return true;
  }
  return expected("a special register that this machine knows", operand.name);
}
