//===- PictureNpz.cpp - Pictures as numpy arrays --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a ZIP archive of uncompressed files (APPNOTE.TXT 6.3): a header and the bytes of each file, then the
// directory, which repeats the headers. Each file is one array in version 1.0 of numpy's format.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Picture/Picture.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mlir::xf::pattern;

template <typename Integer>
static void append(std::string &bytes, Integer value) {
  char buffer[sizeof(Integer)];
  llvm::support::endian::write<Integer, llvm::endianness::little>(buffer, value);
  bytes.append(buffer, sizeof(Integer));
}

/// Returns a panel as an array in numpy's format, row by row: its weights, or booleans, which are true if the query
/// sees the key.
static std::string toNpy(const Panel &panel) {
  constexpr size_t alignment = 64, prefix = 10;
  std::string type = panel.weights.empty() ? "|b1" : "<f4";
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(panel.rows) +
                       ", " + std::to_string(panel.columns) + "), }";
  header.resize(llvm::alignTo(prefix + header.size() + 1, alignment) - prefix - 1, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  append<uint16_t>(bytes, header.size());
  bytes += header;
  for (float weight : panel.weights)
    append<uint32_t>(bytes, llvm::bit_cast<uint32_t>(weight));
  if (panel.weights.empty())
    for (uint8_t square : panel.squares)
      bytes += static_cast<char>(square >= Own);
  return bytes;
}

namespace {
class ZipArchive {
public:
  void add(const std::string &name, const std::string &file);
  std::string finish();

private:
  std::string bytes, directory;
  uint16_t count = 0;
};
} // namespace

void ZipArchive::add(const std::string &name, const std::string &file) {
  std::string entry;           // the fields that the header and the directory share
  append<uint16_t>(entry, 20); // version 2.0 reads it
  append<uint16_t>(entry, 0);
  append<uint16_t>(entry, 0); // stored
  append<uint16_t>(entry, 0);
  append<uint16_t>(entry, 0x21); // 1 January 1980, always: the same bytes for the same picture
  append<uint32_t>(entry, llvm::crc32(llvm::arrayRefFromStringRef(file)));
  append<uint32_t>(entry, file.size());
  append<uint32_t>(entry, file.size());
  append<uint16_t>(entry, name.size());
  append<uint16_t>(entry, 0);
  append<uint32_t>(directory, 0x02014b50);
  append<uint16_t>(directory, 20);
  directory += entry;
  directory.append(10, '\0'); // no comment, disk 0, no attributes
  append<uint32_t>(directory, bytes.size());
  directory += name;
  append<uint32_t>(bytes, 0x04034b50);
  bytes += entry + name + file;
  ++count;
}

std::string ZipArchive::finish() {
  uint32_t start = bytes.size();
  bytes += directory;
  append<uint32_t>(bytes, 0x06054b50);
  append<uint32_t>(bytes, 0); // disk 0
  append<uint16_t>(bytes, count);
  append<uint16_t>(bytes, count);
  append<uint32_t>(bytes, directory.size());
  append<uint32_t>(bytes, start);
  append<uint16_t>(bytes, 0);
  return std::move(bytes);
}

std::string mlir::xf::pattern::toNpz(const Picture &picture) {
  ZipArchive archive;
  for (auto [number, row] : llvm::enumerate(picture))
    for (const Panel &panel : row.panels)
      archive.add("pattern" + std::to_string(number) + "_" + panel.name + ".npy", toNpy(panel));
  return archive.finish();
}
