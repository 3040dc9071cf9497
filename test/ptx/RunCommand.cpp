//===- RunCommand.cpp - The command line of ptx-run -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/RunCommand.h"
#include "test/ptx/TensorMap.h"
#include "test/ptx/execution/Float.h"

#include <fstream>
#include <random>
#include <sstream>
#include <string.h>

using namespace xf::ptx;

static std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

/// The bits of a value in a type.
static uint64_t encode(Type type, double value) {
  switch (type) {
  case Type::F16:
    return roundToHalf(value).bits;
  case Type::BF16:
    return roundToBHalf(value, Rounding::Nearest).bits;
  case Type::F32:
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  case Type::F64:
    return std::bit_cast<uint64_t>(value);
  default:
    return value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value);
  }
}

static bool number(Command &command, const std::string &text, uint64_t &value) {
  char *end = nullptr;
  value = strtoull(text.c_str(), &end, 0);
  return (!text.empty() && *end == 0) || command.fail("expected a number, got '" + text + "'");
}

static bool dimensions(Command &command, const std::string &text, char separator, uint64_t *values, size_t count) {
  std::vector<std::string> parts = split(text, separator);
  if (parts.empty() || parts.size() > count)
    return command.fail("expected 1 to " + std::to_string(count) + " numbers, got '" + text + "'");
  for (size_t n = 0; n < parts.size(); ++n)
    if (!number(command, parts[n], values[n]))
      return false;
  return true;
}

static bool fillBuffer(Command &command, const Buffer &buffer, const std::string &initial) {
  std::mt19937_64 random;
  bool isRandom = initial.compare(0, 7, "random(") == 0;
  if (initial[0] == '@') {
    std::ifstream file(initial.substr(1), std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    return (bytes.size() == buffer.count * bytesOf(buffer.type) &&
            command.memory.write(buffer.address, bytes.data(), bytes.size())) ||
           command.fail("expected a file as long as the buffer, got '" + initial.substr(1) + "'");
  }
  if (isRandom)
    random.seed(strtoull(initial.c_str() + 7, nullptr, 10));
  char *end = nullptr;
  double value = strtod(initial.c_str(), &end);
  if (!isRandom && initial != "iota" && (initial.empty() || *end))
    return command.fail("expected a number, iota or random(SEED), got '" + initial + "'");
  uint32_t size = bytesOf(buffer.type);
  std::vector<uint8_t> bytes(buffer.count * size);
  for (uint64_t n = 0; n < buffer.count; ++n) {
    uint64_t bits = encode(buffer.type, isRandom            ? static_cast<double>(random() >> 56) / 128 - 1
                                        : initial == "iota" ? static_cast<double>(n)
                                                            : value);
    memcpy(&bytes[n * size], &bits, size);
  }
  return command.memory.write(buffer.address, bytes.data(), bytes.size());
}

static void addParameter(Command &command, const void *data, size_t size) {
  command.parameters.emplace_back(static_cast<const uint8_t *>(data), static_cast<const uint8_t *>(data) + size);
}

static bool addBuffer(Command &command, const std::string &value, bool isParameter) {
  std::vector<std::string> parts = split(value, ':');
  Buffer buffer;
  if (parts.size() < 2 || parts.size() > 3)
    return command.fail("expected TYPE:COUNT[:INITIAL], got '" + value + "'");
  buffer.type = typeNamed(parts[0]);
  if (bitsOf(buffer.type) < 8 || !number(command, parts[1], buffer.count))
    return command.fail("expected a type, got '" + parts[0] + "'");
  buffer.address =
      buffer.count < (uint64_t(1) << 40) ? command.memory.allocate(buffer.count * bytesOf(buffer.type)) : 0;
  if (!buffer.address)
    return command.fail("expected a buffer that fits into memory, got '" + value + "'");
  command.buffers.push_back(buffer);
  if (isParameter)
    addParameter(command, &buffer.address, 8);
  return parts.size() < 3 || fillBuffer(command, buffer, parts[2]);
}

static bool addScalar(Command &command, const std::string &value) {
  std::vector<std::string> parts = split(value, ':');
  Type type = parts.size() == 2 ? typeNamed(parts[0]) : Type::None;
  if (bitsOf(type) < 8)
    return command.fail("expected TYPE:VALUE, got '" + value + "'");
  uint64_t bits = isFloat(type)        ? encode(type, strtod(parts[1].c_str(), nullptr))
                  : parts[1][0] == '-' ? static_cast<uint64_t>(strtoll(parts[1].c_str(), nullptr, 0))
                                       : strtoull(parts[1].c_str(), nullptr, 0);
  addParameter(command, &bits, bytesOf(type));
  return true;
}

/// The driver's name of a type.
static int tensorType(Type type) {
  switch (type) {
  case Type::U8:
    return 0;
  case Type::U16:
    return 1;
  case Type::U32:
    return 2;
  case Type::S32:
    return 3;
  case Type::U64:
    return 4;
  case Type::S64:
    return 5;
  case Type::F16:
    return 6;
  case Type::F32:
    return 7;
  case Type::F64:
    return 8;
  case Type::BF16:
    return 9;
  default:
    return -1;
  }
}

static bool addMap(Command &command, const std::string &value) {
  std::vector<std::string> parts = split(value, ':');
  uint64_t index = 0, sizes[5] = {}, boxes[5] = {}, strides[5] = {};
  if (parts.size() < 4 || parts.size() > 5 || !number(command, parts[0], index) || index >= command.buffers.size())
    return command.fail("expected BUFFER:TYPE:SIZES:BOX[:SWIZZLE] of a buffer before it, got '" + value + "'");
  if (!dimensions(command, parts[2], 'x', sizes, 5) || !dimensions(command, parts[3], 'x', boxes, 5))
    return false;
  Type type = typeNamed(parts[1]);
  uint32_t rank = static_cast<uint32_t>(split(parts[2], 'x').size()), box[5] = {}, ones[5] = {1, 1, 1, 1, 1};
  uint64_t stride = bytesOf(type);
  for (uint32_t n = 0; n < rank; ++n) {
    strides[n] = stride *= sizes[n];
    box[n] = static_cast<uint32_t>(boxes[n]);
  }
  std::string swizzle = parts.size() == 5 ? parts[4] : "none";
  int mode = swizzle == "128B" ? 3 : swizzle == "64B" ? 2 : swizzle == "32B" ? 1 : 0;
  uint8_t bytes[128];
  std::string error;
  if (encodeTiled(tensorType(type), rank, command.buffers[index].address, sizes, strides, box, ones, 0, mode, 0, 0,
                  bytes, &error))
    return command.fail(error);
  addParameter(command, bytes, sizeof(bytes));
  return true;
}

static bool addPrint(Command &command, const std::string &value) {
  std::vector<std::string> parts = split(value, ':');
  uint64_t index = 0, count = ~uint64_t(0);
  if (parts.empty() || !number(command, parts[0], index) || (parts.size() > 1 && !number(command, parts[1], count)) ||
      index >= command.buffers.size())
    return command.fail("expected a buffer before it, got '" + value + "'");
  command.prints.emplace_back(index, std::min(count, command.buffers[index].count));
  return true;
}

static bool addDump(Command &command, const std::string &value) {
  size_t colon = value.find(':');
  uint64_t index = 0;
  if (colon == std::string::npos || !number(command, value.substr(0, colon), index) || index >= command.buffers.size())
    return command.fail("expected BUFFER:FILE of a buffer before it, got '" + value + "'");
  command.dumps.emplace_back(index, value.substr(colon + 1));
  return true;
}

static bool launchDimensions(Command &command, const std::string &value, uint32_t (&result)[3]) {
  uint64_t values[3] = {1, 1, 1};
  if (!dimensions(command, value, ',', values, 3))
    return false;
  for (int n = 0; n < 3; ++n)
    result[n] = static_cast<uint32_t>(values[n]);
  return true;
}

bool xf::ptx::addOption(Command &command, const std::string &name, const std::string &value) {
  uint64_t count = 0;
  if (name == "kernel")
    command.launch.kernel = value;
  else if (name == "grid")
    return launchDimensions(command, value, command.launch.grid);
  else if (name == "block")
    return launchDimensions(command, value, command.launch.block);
  else if (name == "buffer" || name == "memory")
    return addBuffer(command, value, name == "buffer");
  else if (name == "scalar")
    return addScalar(command, value);
  else if (name == "map")
    return addMap(command, value);
  else if (name == "print")
    return addPrint(command, value);
  else if (name == "dump")
    return addDump(command, value);
  else if (name == "schedule" && (value == "lazy" || value == "eager" || value == "random"))
    command.options.schedule = value == "lazy" ? Schedule::Lazy : value == "eager" ? Schedule::Eager : Schedule::Random;
  else if (name == "no-races")
    command.options.checkRaces = false;
  else if (name == "coverage")
    command.coverage = true;
  else if (name == "statistics")
    command.statistics = true;
  else if (name == "load")
    command.onlyLoad = true;
  else if (name == "shared" && number(command, value, count))
    command.launch.sharedBytes = static_cast<uint32_t>(count);
  else if (name == "seed" && number(command, value, count))
    command.options.seed = count;
  else if (name == "max-instructions" && number(command, value, count))
    command.options.maxInstructions = count;
  else
    return command.fail("expected an option, got '--" + name + "=" + value + "'");
  return true;
}
