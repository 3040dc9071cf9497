//===- Caller.cpp - The line of the user that an error is at -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/nn/caller.h"
#include "runtime/support/PrintableText.h"

#include <optional>
#include <string_view>

namespace xf {

/// The line at which the user called the model that is being recorded on this thread.
static thread_local std::optional<Here> outermost;

nn::Caller::Caller(Here here) : isOutermost(!outermost) {
  if (isOutermost)
    outermost = here;
}
nn::Caller::~Caller() {
  if (isOutermost)
    outermost.reset();
}

/// Returns `message`. If it concerns an operation of a model that the user has called, appends the line of the model.
static std::string describe(const std::string &message, const Here &here) {
  if (!outermost || (here.line() == outermost->line() && here.file_name() == std::string_view(outermost->file_name())))
    return message;
  std::string_view file = here.file_name();
  return message + " (in " + std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(here.line()) + ")";
}

static std::string atLine(const std::string &text, const Here &here) {
  return std::string(here.file_name()) + ":" + std::to_string(here.line()) + ":" + std::to_string(here.column()) +
         ": " + text;
}

Error::Error(const std::string &message, Here at)
    : std::runtime_error(atLine(xfrt::printableText(describe(message, at)), outermost.value_or(at))),
      here(outermost.value_or(at)), text(xfrt::printableText(describe(message, at))) {}

} // namespace xf
