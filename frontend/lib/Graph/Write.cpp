//===- Write.cpp - A program as text and as a file -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Files/AtomicFile.h"
#include "../Translate/Translate.h"

using namespace xf;
using namespace xf::detail;

static std::string translate(const ProgramData &program, bool withLocations) {
  Scopes scopes;
  std::vector<ResolvedEntry> entries;
  for (const Entry &entry : program.entries)
    entries.push_back(resolve(program, entry, scopes));
  TranslatedText translated = translateToText(program.name, entries, scopes, withLocations);
  if (!translated.error.empty())
    throw Error(translated.error);
  return std::move(translated.text);
}

std::string Program::str() const { return translate(*contents, /*withLocations=*/false); }

void Program::save(const std::string &path, Here here) const {
  std::string text = translate(*contents, /*withLocations=*/true);
  try {
    writeAtomically(path, std::as_bytes(std::span(text)));
  } catch (const FileError &error) {
    throw Error(error.what(), here);
  }
}
