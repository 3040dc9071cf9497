//===- PerfMap.cpp - Names of code in memory, for perf -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PerfMap.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

static bool isFunction(const jitlink::Symbol &symbol) {
  return symbol.hasName() && symbol.isCallable() && symbol.getSize() != 0;
}

/// Marks all functions as live, so that linking keeps the names of functions to which only tables refer.
static Error keepFunctions(jitlink::LinkGraph &graph) {
  for (jitlink::Symbol *symbol : graph.defined_symbols())
    if (isFunction(*symbol))
      symbol->setLive(true);
  return Error::success();
}

/// Returns a line for each function of a linked object: its address and size, in hexadecimal, and its name.
static std::string describe(jitlink::LinkGraph &graph) {
  std::string text;
  raw_string_ostream os(text);
  for (jitlink::Symbol *symbol : graph.defined_symbols())
    if (isFunction(*symbol))
      os << format_hex_no_prefix(symbol->getAddress().getValue(), 1) << " "
         << format_hex_no_prefix(symbol->getSize(), 1) << " " << *symbol->getName() << "\n";
  return text;
}

/// Appends `text` to the map file of this process. Follows no symbolic link, because all users may write to /tmp.
static Error append(const std::string &text) {
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  ssize_t written = file < 0 ? -1 : write(file, text.data(), text.size());
  int error = errno;
  if (file >= 0)
    close(file);
  if (written == static_cast<ssize_t>(text.size()))
    return Error::success();
  return createStringError(std::error_code(written < 0 ? error : ENOSPC, std::generic_category()),
                           "XF_PERF_MAP: cannot write " + path);
}

namespace {
class PerfMapPlugin : public orc::ObjectLinkingLayer::Plugin {
  void modifyPassConfig(orc::MaterializationResponsibility &, jitlink::LinkGraph &,
                        jitlink::PassConfiguration &config) override {
    config.PrePrunePasses.push_back(keepFunctions);
    config.PostFixupPasses.push_back([](jitlink::LinkGraph &graph) { return append(describe(graph)); });
  }
  Error notifyFailed(orc::MaterializationResponsibility &) override { return Error::success(); }
  Error notifyRemovingResources(orc::JITDylib &, orc::ResourceKey) override { return Error::success(); }
  void notifyTransferringResources(orc::JITDylib &, orc::ResourceKey, orc::ResourceKey) override {}
};
} // namespace

void xf::detail::writePerfMap(orc::LLJIT &jit) {
  const char *wanted = getenv("XF_PERF_MAP");
  if (wanted && *wanted)
    cast<orc::ObjectLinkingLayer>(jit.getObjLinkingLayer()).addPlugin(std::make_shared<PerfMapPlugin>());
}
