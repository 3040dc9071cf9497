//===- ShardIndex.cpp - The index of a sharded checkpoint -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses an index with a SAX parser. It reports repeated keys, and builds nothing for values that are skipped.
//
//===----------------------------------------------------------------------===//

#include "ShardIndex.h"
#include "Safetensors.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace xfrt;
using nlohmann::json;

namespace {
/// Collects weight_map from the events of nlohmann's SAX parser, and skips all other values of the outermost object.
/// Each handler returns false, with `error` set, to stop the parser.
class IndexHandler final : public json::json_sax_t {
public:
  IndexHandler(std::vector<ShardedTensor> &tensors, std::string &error) : tensors(tensors), error(error) {}

  bool hasMap = false;

  bool key(string_t &name) override;
  bool string(string_t &value) override;
  bool start_object(std::size_t) override;
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter("an array"); }
  bool end_array() override { return leave(); }

  bool null() override { return value("null"); }
  bool boolean(bool) override { return value("a boolean"); }
  bool number_integer(number_integer_t) override { return value("a number"); }
  bool number_unsigned(number_unsigned_t) override { return value("a number"); }
  bool number_float(number_float_t, const string_t &) override { return value("a number"); }
  bool binary(binary_t &) override { return value("binary data"); }
  bool parse_error(std::size_t position, const std::string &, const json::exception &) override {
    return fail("expected JSON, got something else at byte " + std::to_string(position));
  }

private:
  bool fail(std::string message) {
    if (error.empty())
      error = std::move(message);
    return false;
  }
  /// Handles a value that is not of the kind that weight_map needs. `what` names its kind.
  bool value(const char *what) {
    if (depth == 0)
      return fail(std::string("expected an object, got ") + what);
    if (isMap && depth == 1)
      return fail(std::string("expected weight_map to be an object, got ") + what);
    return !isMap || fail("tensor " + printable(tensors.back().first) + ": expected the name of a file, got " + what);
  }
  bool enter(const char *what) {
    if (!value(what))
      return false;
    ++depth;
    return true;
  }
  bool leave() {
    --depth;
    isMap = isMap && depth > 1;
    return true;
  }

  std::vector<ShardedTensor> &tensors;
  std::string &error;
  size_t depth = 0;   // of objects and arrays around the next value
  bool isMap = false; // the next values are those of weight_map, or weight_map itself
};
} // namespace

bool IndexHandler::key(string_t &name) {
  if (depth == 1) {
    isMap = name == "weight_map";
    if (isMap && hasMap)
      return fail("expected weight_map once, got it twice");
    hasMap |= isMap;
  } else if (isMap) {
    tensors.emplace_back(std::move(name), "");
  }
  return true;
}

bool IndexHandler::start_object(std::size_t) {
  if (depth == 0 || (isMap && depth == 1)) {
    ++depth;
    return true;
  }
  return enter("an object");
}

bool IndexHandler::string(string_t &value) {
  if (!isMap || depth != 2)
    return this->value("a string");
  constexpr std::string_view suffix = ".safetensors";
  bool isHere = value.find('/') == std::string::npos && value.find('\0') == std::string::npos;
  if (!isHere || value.size() <= suffix.size() || !std::string_view(value).ends_with(suffix))
    return fail("tensor " + printable(tensors.back().first) +
                ": expected a safetensors file in the folder of the index, got " + printable(value));
  tensors.back().second = std::move(value);
  return true;
}

bool xfrt::parseShardIndex(std::string_view text, std::vector<ShardedTensor> &tensors, std::string &error) {
  error.clear();
  IndexHandler handler(tensors, error);
  if (!json::sax_parse(text.begin(), text.end(), &handler))
    return false;
  if (!handler.hasMap) {
    error = "expected a weight_map, got none";
    return false;
  }
  std::sort(tensors.begin(), tensors.end());
  auto twice = std::adjacent_find(tensors.begin(), tensors.end(),
                                  [](const ShardedTensor &a, const ShardedTensor &b) { return a.first == b.first; });
  if (twice == tensors.end())
    return true;
  error = "expected tensor " + printable(twice->first) + " once, got it twice";
  return false;
}
