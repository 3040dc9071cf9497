//===- Npy.cpp - NumPy's file format --------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "../support/File.h"
#include "../support/NpyHeader.h"
#include "Rounding.h"

#include <algorithm>
#include <string.h>

using namespace xfrt;
using namespace xfrt::tools;

static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
static constexpr int64_t maxHeaderBytes = 1 << 20;
static constexpr int64_t chunkElements = 1 << 16;

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

/// Reads the header of an npy file: magic, version, length of the dictionary (two bytes in version 1, four bytes later)
/// and dictionary. Sets `begin` to the offset of the elements.
static bool readHeader(const InputFile &file, NpyHeader &header, int64_t &begin, std::string &error) {
  unsigned char start[12] = {};
  int64_t got = std::min<int64_t>(file.size(), sizeof(start));
  if (!file.read(0, start, got, error))
    return false;
  if (got < 10 || memcmp(start, magic, sizeof(magic)) != 0) {
    error = "expected an npy file";
    return false;
  }
  int version = start[6], minor = start[7];
  if (version < 1 || version > 3 || minor != 0) {
    error = "expected npy version 1.0, 2.0 or 3.0, got " + std::to_string(version) + "." + std::to_string(minor);
    return false;
  }
  int64_t prefix = version == 1 ? 10 : 12;
  int64_t length = start[8] | start[9] << 8;
  if (version > 1)
    length |= int64_t(start[10]) << 16 | int64_t(start[11]) << 24;
  if (length > maxHeaderBytes || prefix + length > file.size()) {
    error = "expected a header of at most " + std::to_string(std::min(maxHeaderBytes, file.size() - prefix)) +
            " bytes, got " + std::to_string(length);
    return false;
  }
  std::string text(size_t(length), 0);
  begin = prefix + length;
  return file.read(prefix, text.data(), length, error) && parseNpyHeader(text, header, error);
}

static bool checkSize(const InputFile &file, const NpyHeader &header, int64_t begin, std::string &error) {
  int64_t bytes;
  if (!__builtin_mul_overflow(header.count, header.itemBytes, &bytes) && bytes == file.size() - begin)
    return true;
  error = "expected " + std::to_string(header.count) + " elements of " + std::to_string(header.itemBytes) +
          " bytes, got " + std::to_string(file.size() - begin) + " bytes";
  return false;
}

static bool checkKind(const NpyHeader &header, int32_t dtype, std::string &error) {
  bool matches = isFloat(dtype)       ? header.kind == 'f'
                 : dtype == XFRT_BOOL ? header.kind != 'f'
                                      : header.kind == 'i' || header.kind == 'u';
  if (!matches)
    error = std::string("expected elements that convert to ") + xfrt_dtype_name(dtype) + ", got '" + header.descr + "'";
  return matches;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// Enumerates the elements of a tensor in the order in which an npy file stores them, by their row-major indices.
class Order {
public:
  explicit Order(const NpyHeader &header) : shape(header.shape), linear(!header.fortranOrder), digits(shape.size()) {
    strides.assign(shape.size(), 1);
    for (size_t i = header.count > 0 ? shape.size() : 0; i-- > 1;) // products of an empty shape may not fit
      strides[i - 1] = strides[i] * shape[i];
  }
  int64_t next() {
    int64_t current = index++;
    if (linear)
      return current;
    current = offset;
    for (size_t i = 0; i < shape.size(); ++i) { // the first dimension runs fastest
      offset += strides[i];
      if (++digits[i] < shape[i])
        break;
      offset -= strides[i] * shape[i];
      digits[i] = 0;
    }
    return current;
  }

private:
  const std::vector<int64_t> &shape;
  bool linear;
  std::vector<int64_t> digits, strides;
  int64_t index = 0, offset = 0;
};
} // namespace

/// Returns the bits of one element, converted from the byte order of the file.
static uint64_t loadBits(const unsigned char *data, const NpyHeader &header) {
  uint64_t bits = 0;
  for (int i = 0; i < header.itemBytes; ++i)
    bits |= uint64_t(data[header.bigEndian ? header.itemBytes - 1 - i : i]) << 8 * i;
  return bits;
}

static double toReal(uint64_t bits, int itemBytes) {
  if (itemBytes == 2)
    return Float16::widen(uint16_t(bits));
  return itemBytes == 4 ? double(std::bit_cast<float>(uint32_t(bits))) : std::bit_cast<double>(bits);
}

/// Stores the bits of an integer of the file as an element of the tensor. Fails if the value does not fit the tensor's
/// type.
static bool storeInteger(Tensor &tensor, int64_t index, uint64_t bits, const NpyHeader &header, std::string &error) {
  int unused = 64 - 8 * header.itemBytes;
  int64_t value = header.kind == 'i' ? int64_t(bits << unused) >> unused : int64_t(bits);
  bool huge = header.kind == 'u' && value < 0; // beyond i64
  if (tensor.dtype == XFRT_BOOL)
    return tensor.setInteger(index, bits != 0), true;
  if (huge || (tensor.dtype == XFRT_I32 && value != int32_t(value))) {
    error = std::string("expected values of ") + xfrt_dtype_name(tensor.dtype) + ", got " +
            (huge ? std::to_string(bits) : std::to_string(value));
    return false;
  }
  return tensor.setInteger(index, value), true;
}

static bool convertElements(const unsigned char *data, int64_t count, const NpyHeader &header, Order &order,
                            Tensor &tensor, std::string &error) {
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = loadBits(data + i * header.itemBytes, header);
    int64_t index = order.next();
    if (isFloat(tensor.dtype))
      tensor.setReal(index, toReal(bits, header.itemBytes));
    else if (!storeInteger(tensor, index, bits, header, error))
      return false;
  }
  return true;
}

/// Returns whether the file stores elements in the same form as the tensor. Elements are then copied. A conversion
/// would change the payloads of NaNs.
static bool isSameLayout(const NpyHeader &header, int32_t dtype) {
  bool sameType = (header.descr == "<f4" && dtype == XFRT_F32) || (header.descr == "<f8" && dtype == XFRT_F64) ||
                  (header.descr == "<f2" && dtype == XFRT_F16) || (header.descr == "<i4" && dtype == XFRT_I32) ||
                  (header.descr == "<i8" && dtype == XFRT_I64) || (header.itemBytes == 1 && dtype == XFRT_BOOL);
  return sameType && (!header.fortranOrder || header.shape.size() < 2);
}

static bool readElements(const InputFile &file, int64_t begin, const NpyHeader &header, Tensor &tensor,
                         std::string &error) {
  if (isSameLayout(header, tensor.dtype))
    return file.read(begin, tensor.data(), tensor.bytes(), error);
  std::vector<unsigned char> chunk(size_t(std::min(header.count, chunkElements) * header.itemBytes));
  Order order(header);
  for (int64_t done = 0; done < header.count; done += chunkElements) {
    int64_t count = std::min(chunkElements, header.count - done);
    if (!file.read(begin + done * header.itemBytes, chunk.data(), count * header.itemBytes, error) ||
        !convertElements(chunk.data(), count, header, order, tensor, error))
      return false;
  }
  return true;
}

bool xfrt::tools::readNpy(const std::string &path, int32_t dtype, Tensor &tensor, std::string &error) {
  InputFile file;
  if (!file.open(path, error))
    return false;
  NpyHeader header;
  int64_t begin = 0;
  if (readHeader(file, header, begin, error) && checkSize(file, header, begin, error) &&
      checkKind(header, dtype, error) && tensor.allocate(dtype, header.shape, error) &&
      readElements(file, begin, header, tensor, error))
    return true;
  error = "'" + path + "': " + error;
  return false;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string headerText(const Tensor &tensor) {
  static const char *const descr[] = {"<f4", "<f8", "<f2", "<f4", "<i4", "<i8", "|b1"};
  std::string text = std::string("{'descr': '") + descr[tensor.dtype] + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : tensor.shape)
    text += std::to_string(size) + ", ";
  if (tensor.shape.size() > 1)
    text.resize(text.size() - 2);
  else if (tensor.shape.size() == 1)
    text.pop_back();
  text += "), }";
  const size_t prefix = 10; // elements begin at a multiple of 64
  text.append(63 - (prefix + text.size()) % 64, ' ');
  return text + '\n';
}

/// Writes the elements of a tensor, converted to T, which is not the type in memory.
template <typename T>
static bool writeConverted(OutputFile &file, const Tensor &tensor, std::string &error) {
  std::vector<T> chunk(size_t(std::min(tensor.count(), chunkElements)));
  for (int64_t done = 0; done < tensor.count(); done += chunkElements) {
    int64_t count = std::min(chunkElements, tensor.count() - done);
    for (int64_t i = 0; i < count; ++i)
      chunk[size_t(i)] = T(tensor.real(done + i));
    if (!file.write(chunk.data(), count * int64_t(sizeof(T)), error))
      return false;
  }
  return true;
}

static bool writeElements(OutputFile &file, const Tensor &tensor, std::string &error) {
  if (tensor.dtype == XFRT_BF16)
    return writeConverted<float>(file, tensor, error);
  if (tensor.dtype == XFRT_BOOL) // NumPy expects 0 and 1
    return writeConverted<uint8_t>(file, tensor, error);
  return file.write(tensor.data(), tensor.bytes(), error);
}

bool xfrt::tools::writeNpy(const std::string &path, const Tensor &tensor, std::string &error) {
  OutputFile file;
  if (!file.create(path, error))
    return false;
  std::string text = headerText(tensor);
  const unsigned char prefix[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, uint8_t(text.size()), uint8_t(text.size() >> 8)};
  return file.write(prefix, sizeof(prefix), error) && file.write(text.data(), int64_t(text.size()), error) &&
         writeElements(file, tensor, error) && file.commit(error);
}
