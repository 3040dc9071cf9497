//===- Write.cpp - A program as text and as a file -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Translate/Translate.h"

#include "runtime/support/File.h"
#include "runtime/support/PrintableText.h"

using namespace xf;
using namespace xf::detail;

std::string xf::detail::translate(const ProgramData &program, bool withLocations) {
  Scopes scopes;
  std::vector<ResolvedEntry> entries;
  for (const Entry &entry : program.entries)
    entries.push_back(resolve(program, entry, scopes));
  TranslatedText translated = translateToText(program, entries, scopes, withLocations);
  if (!translated.error.empty())
    throw Error(xfrt::printableText(translated.error));
  return std::move(translated.text);
}

std::string Program::str() const { return translate(*contents, /*withLocations=*/false); }

void Program::save(const std::string &path, Here here) const {
  std::string text = translate(*contents, /*withLocations=*/true);
  xfrt::OutputFile file;
  std::string error;
  if (!file.create(path, error) || !file.write(text.data(), static_cast<int64_t>(text.size()), error) ||
      !file.commit(error))
    throw Error(error, here);
}
