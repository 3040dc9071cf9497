//===- PieceText.cpp - Pieces as the compiler prints them -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PieceText.h"

#include <charconv>

using namespace xfrt::plan;

namespace {
/// Reads the characters of a text from left to right. After a failure nothing else is read.
class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  bool failed = false;
  size_t at = 0;

  void skip() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
  }
  bool take(std::string_view word) {
    skip();
    if (failed || text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }
  void expect(std::string_view word) { failed |= !take(word); }
  std::string_view name() {
    skip();
    size_t begin = at;
    while (at < text.size() && (isalnum(text[at]) || text[at] == '_'))
      ++at;
    failed |= begin == at;
    return text.substr(begin, at - begin);
  }
  int64_t integer() {
    skip();
    int64_t value = 0;
    auto [end, status] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    failed |= status != std::errc();
    at = end - text.data();
    return value;
  }

private:
  std::string_view text;
};

/// Reads the results of one affine map; each is a form of its own.
class MapReader {
public:
  explicit MapReader(Reader &reader) : reader(reader) {}
  std::vector<Form> read();

private:
  Row sum();
  Row product();
  Row operand();
  Row divide(Row row, int64_t divisor);

  Reader &reader;
  Form form;
};
} // namespace

static void addTo(std::vector<int64_t> &sums, const std::vector<int64_t> &list, int64_t factor) {
  sums.resize(std::max(sums.size(), list.size()));
  for (size_t k = 0; k < list.size(); ++k)
    sums[k] += factor * list[k];
}

static Row add(Row a, const Row &b, int64_t factor) {
  a.constant += factor * b.constant;
  a.factor += factor * b.factor;
  addTo(a.symbols, b.symbols, factor);
  addTo(a.divisions, b.divisions, factor);
  return a;
}

Row MapReader::divide(Row row, int64_t divisor) {
  form.divisions.push_back({std::move(row), divisor});
  Row quotient;
  quotient.divisions.assign(form.divisions.size(), 0);
  quotient.divisions.back() = 1;
  return quotient;
}

Row MapReader::operand() {
  if (reader.take("-"))
    return add({}, operand(), -1);
  if (reader.take("(")) {
    Row row = sum();
    reader.expect(")");
    return row;
  }
  Row row;
  if (reader.take("d0")) {
    row.factor = 1;
  } else if (reader.take("s")) {
    row.symbols.resize(reader.integer() + 1);
    row.symbols.back() = 1;
  } else {
    row.constant = reader.integer();
  }
  return row;
}

Row MapReader::product() {
  Row row = operand();
  while (!reader.failed) {
    if (reader.take("*"))
      row = add({}, row, reader.integer());
    else if (reader.take("floordiv"))
      row = divide(std::move(row), reader.integer());
    else if (reader.take("mod")) {
      int64_t divisor = reader.integer();
      row = add(row, divide(row, divisor), -divisor);
    } else
      break;
  }
  return row;
}

Row MapReader::sum() {
  Row row = product();
  while (!reader.failed) {
    if (reader.take("+"))
      row = add(row, product(), 1);
    else if (reader.take("-"))
      row = add(row, product(), -1);
    else
      break;
  }
  return row;
}

std::vector<Form> MapReader::read() {
  std::vector<Form> forms;
  reader.expect("affine_map<(d0)");
  if (reader.take("["))
    while (!reader.failed && !reader.take("]")) {
      reader.name();
      reader.take(",");
    }
  reader.expect("->");
  reader.expect("(");
  while (!reader.failed && !reader.take(")")) {
    form = {};
    form.result = sum();
    forms.push_back(form);
    reader.take(",");
  }
  reader.expect(">");
  return forms;
}

static IndexMap readIndexMap(Reader &reader) {
  IndexMap map;
  reader.expect("#xf.index_map<");
  while (!reader.failed && !reader.take(">")) {
    std::string_view name = reader.name();
    reader.expect("=");
    int64_t value = reader.integer();
    std::pair<std::string_view, int64_t *> fields[] = {
        {"residues", &map.residues}, {"period", &map.period},         {"width", &map.width}, {"offset", &map.offset},
        {"cell", &map.cell},         {"multiplier", &map.multiplier}, {"shift", &map.shift}};
    bool isKnown = false;
    for (auto [field, target] : fields)
      if (field == name) {
        *target = value;
        isKnown = true;
      }
    reader.failed |= !isKnown;
    reader.take(",");
  }
  return map;
}

static Piece readPiece(Reader &reader) {
  Piece piece;
  std::vector<Form> ignored; // the inverse, which plans find themselves
  while (!reader.failed && !reader.take(">")) {
    std::string_view name = reader.name();
    reader.expect("=");
    if (name == "queries" || name == "keys")
      (name == "queries" ? piece.queries : piece.keys) = readIndexMap(reader);
    else if (name == "residues")
      piece.residues = reader.integer();
    else if (name == "lower" || name == "upper" || name == "rows")
      (name == "lower" ? piece.lower : name == "upper" ? piece.upper : piece.rows) = MapReader(reader).read();
    else if (name == "query_lower" || name == "query_upper" || name == "columns")
      ignored = MapReader(reader).read();
    else
      reader.failed |= !reader.take("true") && !reader.take("false");
    reader.take(",");
  }
  return piece;
}

bool xfrt::plan::readPieces(std::string_view text, std::vector<Piece> &pieces, std::string &error) {
  constexpr std::string_view head = "#xf.piece<";
  for (size_t at = text.find(head); at != std::string_view::npos; at = text.find(head, at)) {
    Reader reader(text.substr(at + head.size()));
    pieces.push_back(readPiece(reader));
    if (reader.failed) {
      error = "expected a piece, got '" + std::string(text.substr(at, 80)) + "'";
      return false;
    }
    at += head.size() + reader.at;
  }
  return true;
}
