//===- ptx-run.cpp - Runs a kernel of a PTX file --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ptx-run FILE.ptx --kernel=K [--grid=X,Y,Z] [--block=X,Y,Z] [--shared=BYTES] PARAMETER.. [--print=N[:COUNT]]..
//
// Parameters, in the order of the kernel's:
//   --buffer=TYPE:COUNT[:INITIAL]       a buffer; the parameter is its address
//   --scalar=TYPE:VALUE
//   --map=N:TYPE:SIZES:BOX[:SWIZZLE]    a tensor map of buffer N; sizes as 64x128, innermost first; 32B, 64B, 128B
// Others:
//   --memory=TYPE:COUNT[:INITIAL]       a buffer that is no parameter
//   --print=N[:COUNT]                   prints buffer N after the run; uninitialised elements as '?'
//   --dump=N:FILE                       writes the bytes of buffer N after the run
//   --coverage --statistics             prints how often which opcode ran, and how fast
//   --load                              runs nothing; to XF_PTX_COVERAGE it appends what a driver that loads the file
//   would
//   --seed=N --schedule=lazy|eager|random --max-instructions=N --no-races
//
// TYPE is u8, u16, u32, s32, u64, s64, f16, bf16, f32 or f64. INITIAL is a number, iota, random(SEED) for multiples of
// 1/128 in [-1, 1), or @FILE with its bytes; nothing leaves the buffer uninitialised. Exits with 0, with 1 when
// something is reported, with 2 for a mistake on the command line.
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Coverage.h"
#include "test/ptx/RunCommand.h"
#include "test/ptx/execution/Float.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string.h>

using namespace xf::ptx;

static std::string decode(Type type, uint64_t bits) {
  char text[40];
  double value = 0;
  switch (type) {
  case Type::F16:
    value = toFloat(Half{static_cast<uint16_t>(bits)});
    break;
  case Type::BF16:
    value = toFloat(BHalf{static_cast<uint16_t>(bits)});
    break;
  case Type::F32:
    value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    break;
  case Type::F64:
    value = std::bit_cast<double>(bits);
    break;
  default: {
    uint32_t unused = 64 - bitsOf(type);
    return isSigned(type) ? std::to_string(static_cast<int64_t>(bits << unused) >> unused) : std::to_string(bits);
  }
  }
  snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

/// Each parameter at its place; false when they are others than the kernel's.
static bool layOutParameters(Command &command, const Kernel &kernel) {
  if (kernel.parameters.size() != command.parameters.size())
    return command.fail("expected " + std::to_string(kernel.parameters.size()) + " parameters, got " +
                        std::to_string(command.parameters.size()));
  command.launch.parameters.assign(kernel.parameterBytes, 0);
  for (size_t n = 0; n < command.parameters.size(); ++n) {
    const Parameter &parameter = kernel.parameters[n];
    if (parameter.size != command.parameters[n].size())
      return command.fail("expected " + std::to_string(parameter.size) + " bytes of parameter " + std::to_string(n) +
                          ", got " + std::to_string(command.parameters[n].size()));
    memcpy(&command.launch.parameters[parameter.offset], command.parameters[n].data(), parameter.size);
  }
  return true;
}

static void printBuffer(const Command &command, size_t index, uint64_t count) {
  const Buffer &buffer = command.buffers[index];
  uint32_t size = bytesOf(buffer.type);
  std::cout << "buffer " << index << ":";
  for (uint64_t n = 0; n < count; ++n) {
    uint64_t bits = 0;
    bool written = command.memory.read(buffer.address + n * size, &bits, size);
    std::cout << ' ' << (written ? decode(buffer.type, bits) : "?");
  }
  std::cout << '\n';
}

/// A path's folder and name.
static std::string lastTwo(const std::string &path) {
  size_t name = path.rfind('/'), folder = name == std::string::npos || name == 0 ? name : path.rfind('/', name - 1);
  return folder == std::string::npos ? path : path.substr(folder + 1);
}

static int runCommand(Command &command) {
  std::ifstream file(command.file);
  std::stringstream text;
  text << file.rdbuf();
  if (!file)
    return std::cerr << "ptx-run: error: expected a file, got '" << command.file << "'\n", 2;
  std::string error, name = command.file.substr(command.file.rfind('/') + 1);
  std::unique_ptr<Module> module = Module::parse(text.str(), name, error);
  if (!module)
    return std::cerr << "error: " << error << '\n', 1;
  Statistics statistics;
  if (command.onlyLoad) {
    addOpcodes(*module, statistics);
    return !appendCoverage(statistics, "driver");
  }
  if (command.launch.kernel.empty() && module->kernels.size() == 1)
    command.launch.kernel = module->kernels[0].name;
  command.launch.module = module.get();
  const Kernel *kernel = module->kernel(command.launch.kernel);
  if (kernel && !layOutParameters(command, *kernel))
    return std::cerr << "ptx-run: error: " << command.error << '\n', 2;
  auto start = std::chrono::steady_clock::now();
  std::vector<Report> reports = run(command.launch, command.memory, command.options, &statistics);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  appendCoverage(statistics, lastTwo(command.file));
  for (const Report &report : reports)
    std::cerr << toString(report, name) << '\n';
  for (auto [index, count] : command.prints)
    printBuffer(command, index, count);
  for (const auto &[index, path] : command.dumps) {
    const Buffer &buffer = command.buffers[index];
    std::vector<char> bytes(buffer.count * bytesOf(buffer.type));
    command.memory.read(buffer.address, bytes.data(), bytes.size(), true);
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  if (command.coverage)
    for (const auto &[opcode, count] : statistics.opcodes)
      std::cout << (count ? "executed " : "never executed ") << opcode << ' ' << count << '\n';
  if (command.statistics)
    std::cout << statistics.warpInstructions << " warp instructions, " << statistics.warpInstructions / seconds * 1e-6
              << " million a second\n";
  return reports.empty() ? 0 : 1;
}

int main(int argc, char **argv) {
  Command command;
  for (int n = 1; n < argc; ++n) {
    std::string argument = argv[n];
    size_t equals = argument.find('=');
    if (argument.compare(0, 2, "--") != 0 ? !(command.file.empty() || command.fail("expected one file"))
                                          : !addOption(command, argument.substr(2, equals - 2),
                                                       equals == std::string::npos ? "" : argument.substr(equals + 1)))
      return std::cerr << "ptx-run: error: " << command.error << '\n', 2;
    if (argument.compare(0, 2, "--") != 0)
      command.file = argument;
  }
  if (command.file.empty())
    return std::cerr << "ptx-run: error: expected a file\n", 2;
  return runCommand(command);
}
