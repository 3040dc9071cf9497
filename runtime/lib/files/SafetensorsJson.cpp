//===- SafetensorsJson.cpp - The JSON text of a safetensors header --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the header with a SAX parser, which builds no values. So deep nesting is refused at its first bracket.
// Duplicate keys are refused, too, and numbers that are no integers.
//
//===----------------------------------------------------------------------===//

#include "Safetensors.h"

#include <nlohmann/json.hpp>

using namespace xfrt;
using nlohmann::json;

static constexpr size_t maxRank = 64;

namespace {
/// Builds a header from the events of nlohmann's SAX parser. Each handler returns false, with `error` set, to stop the
/// parser.
class HeaderHandler final : public json::json_sax_t {
public:
  HeaderHandler(SafetensorsHeader &header, std::string &error) : header(header), error(error) {}

  bool key(string_t &name) override;
  bool string(string_t &value) override;
  bool number_unsigned(number_unsigned_t value) override;
  bool start_object(std::size_t) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a boolean"); }
  bool number_integer(number_integer_t) override { return unexpected("a negative number"); }
  bool number_float(number_float_t, const string_t &) override {
    return unexpected("a number that is no 64-bit integer");
  }
  bool binary(binary_t &) override { return unexpected("binary data"); }
  bool parse_error(std::size_t position, const std::string &, const json::exception &exception) override {
    const int numberOverflow = 406;
    if (exception.id == numberOverflow)
      return unexpected("a number that is no 64-bit integer");
    return fail("expected JSON, got something else at byte " + std::to_string(position));
  }

private:
  enum class Place { Start, Top, Metadata, Tensor, Shape, Offsets };
  enum Seen : unsigned { None = 0, Dtype = 1, Shape = 2, Offsets = 4, All = 7 };

  bool tensorKey(const std::string &name);
  bool fail(std::string message) {
    if (error.empty())
      error = std::move(message);
    return false;
  }
  /// Returns the name of the object that is being parsed, for messages.
  std::string where() const {
    return place == Place::Metadata ? "__metadata__" : "tensor " + printable(header.tensors.back().name);
  }
  bool unexpected(const char *what) {
    if (place == Place::Start || place == Place::Top)
      return fail(std::string("expected an object, got ") + what);
    return fail(where() + ": expected " + expected() + ", got " + what);
  }
  const char *expected() const {
    switch (place) {
    case Place::Metadata:
      return "a string";
    case Place::Shape:
      return "sizes";
    case Place::Offsets:
      return "two offsets";
    default:
      return pending == Dtype ? "the name of a type" : "an array of integers";
    }
  }

  SafetensorsHeader &header;
  std::string &error;
  Place place = Place::Start;
  bool metadataNext = false, metadataSeen = false;
  unsigned seen = 0;       // keys of the current tensor
  unsigned pending = None; // the key whose value comes next
  size_t offsetCount = 0;
};
} // namespace

bool HeaderHandler::key(string_t &name) {
  if (name.find('\0') != std::string::npos)
    return fail("expected names without a zero byte, got " + printable(name));
  if (place == Place::Tensor)
    return tensorKey(name);
  if (place == Place::Metadata) {
    header.metadata.emplace_back(std::move(name), "");
    return true;
  }
  metadataNext = name == "__metadata__";
  if (metadataNext)
    return !metadataSeen || fail("expected __metadata__ once, got it twice");
  header.tensors.emplace_back();
  header.tensors.back().name = std::move(name);
  return true;
}

bool HeaderHandler::tensorKey(const std::string &name) {
  pending = name == "dtype" ? Dtype : name == "shape" ? Shape : name == "data_offsets" ? Offsets : None;
  if (pending == None || (seen & pending))
    return fail(where() + ": expected each of dtype, shape and data_offsets once, got " + printable(name));
  seen |= pending;
  return true;
}

bool HeaderHandler::string(string_t &value) {
  if (place == Place::Metadata) {
    header.metadata.back().second = std::move(value);
    return true;
  }
  if (place != Place::Tensor || pending != Dtype)
    return unexpected("a string");
  header.tensors.back().type = findFileType(value);
  return header.tensors.back().type || fail(where() + ": unknown dtype " + printable(value));
}

bool HeaderHandler::number_unsigned(number_unsigned_t value) {
  FileTensor *tensor = header.tensors.empty() ? nullptr : &header.tensors.back();
  if ((place == Place::Shape || place == Place::Offsets) && value > INT64_MAX)
    return unexpected("a number beyond 2^63");
  if (place == Place::Shape) {
    header.sizes.push_back(int64_t(value));
    return ++tensor->rank <= maxRank || fail(where() + ": expected at most 64 dimensions");
  }
  if (place != Place::Offsets || offsetCount == 2)
    return unexpected(place == Place::Offsets ? "more" : "a number");
  (offsetCount++ == 0 ? tensor->begin : tensor->end) = int64_t(value);
  return true;
}

bool HeaderHandler::start_object(std::size_t) {
  if (place == Place::Start) {
    place = Place::Top;
    return true;
  }
  if (place != Place::Top)
    return unexpected("an object");
  place = metadataNext ? Place::Metadata : Place::Tensor;
  metadataSeen |= metadataNext;
  seen = pending = None;
  return true;
}

bool HeaderHandler::end_object() {
  if (place == Place::Tensor && seen != All)
    return fail(where() + ": expected dtype, shape and data_offsets");
  place = Place::Top; // after the outermost, the parser allows nothing more
  return true;
}

bool HeaderHandler::start_array(std::size_t) {
  if (place != Place::Tensor || pending == Dtype)
    return unexpected("an array");
  place = pending == Shape ? Place::Shape : Place::Offsets;
  header.tensors.back().firstSize = pending == Shape ? header.sizes.size() : header.tensors.back().firstSize;
  offsetCount = 0;
  return true;
}

bool HeaderHandler::end_array() {
  if (place == Place::Offsets && offsetCount != 2)
    return unexpected("fewer");
  place = Place::Tensor;
  return true;
}

bool xfrt::parseSafetensorsJson(std::string_view text, SafetensorsHeader &header, std::string &error) {
  error.clear();
  HeaderHandler handler(header, error);
  return json::sax_parse(text.begin(), text.end(), &handler);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

int64_t DeclaredTensor::bytes() const {
  int64_t bytes = type->bytes;
  for (int64_t size : shape)
    bytes *= size;
  return bytes;
}

bool DeclaredTensor::isBefore(const DeclaredTensor &other) const {
  return type->bytes != other.type->bytes ? type->bytes > other.type->bytes : name < other.name;
}

/// Sets `quoted` to `text` as a JSON string with quotes. Returns false for invalid UTF-8.
static bool quoteJson(std::string_view text, std::string &quoted) {
  try {
    quoted = json(text).dump();
    return true;
  } catch (const json::type_error &) { // not UTF-8
    return false;
  }
}

/// Returns the text that declares a tensor in the header. `name` is its name as a JSON string. Its data begins at
/// `begin`.
static std::string tensorJson(const DeclaredTensor &tensor, const std::string &name, int64_t begin) {
  std::string json = name + ":{\"dtype\":\"" + tensor.type->name + "\",\"shape\":[";
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis)
    json += (axis ? "," : "") + std::to_string(tensor.shape[axis]);
  return json + "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(begin + tensor.bytes()) + "]}";
}

bool xfrt::makeSafetensorsHeader(const std::vector<DeclaredTensor> &tensors,
                                 const std::map<std::string, std::string> &metadata, std::string &header,
                                 std::string &error) {
  constexpr size_t lengthBytes = 8, alignment = 64;
  std::string json = "{", key, value;
  for (const auto &[name, text] : metadata) {
    if (!quoteJson(name, key) || !quoteJson(text, value)) {
      error = "expected metadata in UTF-8, got " + printable(name);
      return false;
    }
    json += (json.size() > 1 ? "," : "\"__metadata__\":{") + key + ":" + value;
  }
  json += metadata.empty() ? "" : "}";
  int64_t begin = 0;
  for (const DeclaredTensor &tensor : tensors) {
    if (!quoteJson(tensor.name, key) || tensor.name == "__metadata__") {
      error = "expected a name in UTF-8 that the format does not reserve, got " + printable(tensor.name);
      return false;
    }
    json += (json.size() > 1 ? "," : "") + tensorJson(tensor, key, begin);
    begin += tensor.bytes();
  }
  json += "}";
  json.append((alignment - (lengthBytes + json.size()) % alignment) % alignment, ' ');
  header.clear();
  for (size_t n = 0; n < lengthBytes; ++n)
    header += char(uint64_t(json.size()) >> 8 * n);
  header += json;
  return true;
}
