//===- Report.cpp - What a run found wrong --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Report.h"

using namespace xf::ptx;

const char *xf::ptx::nameOf(ReportKind kind) {
  switch (kind) {
  case ReportKind::Launch:
    return "launch";
  case ReportKind::Bounds:
    return "out of bounds";
  case ReportKind::Alignment:
    return "misaligned";
  case ReportKind::Uninitialised:
    return "uninitialised";
  case ReportKind::Race:
    return "race";
  case ReportKind::Proxy:
    return "missing proxy fence";
  case ReportKind::InFlight:
    return "in flight";
  case ReportKind::Barrier:
    return "barrier misuse";
  case ReportKind::Warpgroup:
    return "warpgroup";
  case ReportKind::Arithmetic:
    return "arithmetic";
  case ReportKind::Misuse:
    return "misuse";
  case ReportKind::Deadlock:
    return "deadlock";
  case ReportKind::Trap:
    return "trap";
  case ReportKind::Limit:
    return "limit";
  }
  return "report";
}

std::string xf::ptx::toString(const Report &report, const std::string &name) {
  std::string line = report.line ? ":" + std::to_string(report.line) : "";
  return "error: " + name + line + ": " + nameOf(report.kind) + ": " + report.text;
}
