//===- Folder.h - A folder that lasts as long as a test -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_FRONTEND_FOLDER_H
#define XF_TEST_FRONTEND_FOLDER_H

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

struct Folder {
  Folder()
      : path(std::filesystem::temp_directory_path() /
             ("xf-training-" + std::to_string(getpid()) + "-" + std::to_string(++count))) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }

  std::filesystem::path write(const std::string &name, const std::string &text) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << text;
    return path / name;
  }
  std::string read(const std::string &name) const {
    std::ifstream file(path / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const std::filesystem::path path;

private:
  static inline int count = 0;
};

#endif // XF_TEST_FRONTEND_FOLDER_H
