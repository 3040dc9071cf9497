//===- Machine.cpp - Runs kernels of PTX on the CPU -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Machine.h"
#include "test/ptx/execution/Cta.h"

#include <set>

using namespace xf::ptx;

//===----------------------------------------------------------------------===//
// Variables of modules
//===----------------------------------------------------------------------===//

uint64_t xf::ptx::variableAddress(const Module &module, const std::string &name, Memory &memory) {
  auto key = std::make_pair(static_cast<const void *>(&module), name);
  if (auto found = memory.variables.find(key); found != memory.variables.end())
    return found->second;
  for (const Variable &variable : module.variables) {
    if (variable.name != name)
      continue;
    uint64_t address = memory.allocate(std::max<uint64_t>(variable.size, 1), std::max(variable.alignment, 16u));
    if (address && variable.size)
      memory.write(address, variable.initial.data(), variable.size);
    if (address)
      memory.find(address)->constant = variable.isConstant;
    return memory.variables[key] = address;
  }
  return 0;
}

void xf::ptx::unload(const Module &module, Memory &memory) {
  for (auto it = memory.variables.begin(); it != memory.variables.end();) {
    if (it->first.first != &module) {
      ++it;
      continue;
    }
    memory.free(it->second);
    it = memory.variables.erase(it);
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static uint64_t product(const uint32_t (&sizes)[3]) { return uint64_t(sizes[0]) * sizes[1] * sizes[2]; }

/// Empty, or why the launch is impossible.
static std::string checkLaunch(const Launch &launch, const Kernel &kernel) {
  uint64_t threads = product(launch.block), blocks = uint64_t(launch.grid[0]) * launch.grid[1];
  if (threads == 0 || threads > 1024 || launch.block[2] > 64 || std::max(launch.block[0], launch.block[1]) > 1024)
    return "expected a block of 1 to 1024 threads, got " + std::to_string(threads);
  if (launch.grid[0] == 0 || launch.grid[0] > 0x7fffffff || launch.grid[1] == 0 || launch.grid[1] > 65535 ||
      launch.grid[2] == 0 || launch.grid[2] > 65535 || blocks * launch.grid[2] > 0x7fffffff)
    return "expected a grid of 1 to 2^31-1 by 65535 by 65535 blocks and 2^31-1 in all";
  if (kernel.maxThreads[0] && threads > product(kernel.maxThreads))
    return "expected at most " + std::to_string(product(kernel.maxThreads)) + " threads (.maxntid), got " +
           std::to_string(threads);
  if (kernel.requiredThreads[0] && threads != product(kernel.requiredThreads))
    return "expected " + std::to_string(product(kernel.requiredThreads)) + " threads (.reqntid), got " +
           std::to_string(threads);
  if (launch.parameters.size() != kernel.parameterBytes)
    return "expected " + std::to_string(kernel.parameterBytes) + " bytes of parameters, got " +
           std::to_string(launch.parameters.size());
  return "";
}

/// Functions that the kernel calls, with itself.
static std::set<uint32_t> reachable(const Code &code, uint32_t function) {
  std::set<uint32_t> found = {function};
  std::vector<uint32_t> open = {function};
  while (!open.empty()) {
    const Function &current = code.functions[open.back()];
    open.pop_back();
    auto add = [&](uint32_t callee) {
      if (found.insert(callee).second)
        open.push_back(callee);
    };
    for (uint32_t callee : current.callees)
      add(callee);
    for (uint32_t pc = current.first; pc < current.end; ++pc)
      if (code.instructions[pc].flow == Flow::Call)
        add(static_cast<uint32_t>(code.instructions[pc].operands[0].offset));
  }
  return found;
}

/// Static variables that the kernel uses come first, then dynamic shared memory.
uint32_t xf::ptx::layOutShared(const Code &code, uint32_t function, std::vector<uint32_t> *addresses) {
  std::vector<bool> used(code.shared.size());
  for (uint32_t index : reachable(code, function))
    for (const Constant &constant : code.functions[index].constants)
      if (constant.source == Source::Shared)
        used[constant.index] = true;
  uint32_t end = sharedBase;
  for (size_t n = 0; n < code.shared.size(); ++n) {
    if (used[n])
      end = (end + code.shared[n].alignment - 1) & ~(code.shared[n].alignment - 1);
    if (addresses)
      addresses->push_back(end);
    end += used[n] ? code.shared[n].size : 0;
  }
  return end;
}

static std::string layOutMemory(Run &run, uint32_t function) {
  uint32_t end = layOutShared(run.code, function, &run.sharedVariables);
  uint32_t alignment = run.code.dynamicSharedAlignment;
  run.dynamicShared = (end + alignment - 1) & ~(alignment - 1);
  run.sharedEnd = run.launch.sharedBytes ? run.dynamicShared + run.launch.sharedBytes : end;
  if (run.launch.sharedBytes > run.options.maxSharedBytes || run.sharedEnd - sharedBase > run.options.maxSharedBytes)
    return "expected at most " + std::to_string(run.options.maxSharedBytes) + " bytes of shared memory, got " +
           std::to_string(run.sharedEnd - sharedBase);
  for (const Variable &variable : run.launch.module->variables) {
    run.variables.push_back(variableAddress(*run.launch.module, variable.name, run.memory));
    if (!run.variables.back())
      return "expected memory for variable '" + variable.name + "', got none";
  }
  return "";
}

static void addStatistics(const Run &run, uint32_t function, Statistics &statistics) {
  statistics.warpInstructions += run.instructions;
  statistics.readBytes += run.readBytes;
  statistics.writtenBytes += run.writtenBytes;
  statistics.missedBytes += run.cache.missedBytes();
  for (uint32_t index : reachable(run.code, function)) {
    const Function &current = run.code.functions[index];
    for (uint32_t pc = current.first; pc < current.end; ++pc)
      if (!run.code.instructions[pc].isImplicit)
        statistics.opcodes[run.code.opcodes[run.code.instructions[pc].opcode]] += run.counts[pc];
  }
}

std::vector<Report> xf::ptx::run(const Launch &launch, Memory &memory, const Options &options, Statistics *statistics) {
  auto refuse = [](const std::string &text) { return std::vector<Report>{{ReportKind::Launch, 0, text}}; };
  const Kernel *kernel = launch.module->kernel(launch.kernel);
  if (!kernel)
    return refuse("expected a kernel of the module, got '" + launch.kernel + "'");
  if (std::string wrong = checkLaunch(launch, *kernel); !wrong.empty())
    return refuse(wrong);
  const Code &code = launch.module->code();
  uint32_t function = 0;
  while (code.functions[function].name != launch.kernel || !code.functions[function].isKernel)
    ++function;
  Run run(launch, code, *kernel, code.functions[function], memory, options);
  if (std::string wrong = layOutMemory(run, function); !wrong.empty())
    return refuse(wrong);
  memory.clearShadows();
  Cta cta(run);
  uint64_t count = product(launch.grid);
  for (uint64_t number = 0; number < count && !run.stopped; ++number) {
    cta.start(static_cast<uint32_t>(number));
    cta.execute();
  }
  if (statistics)
    addStatistics(run, function, *statistics);
  return std::move(run.reports);
}
