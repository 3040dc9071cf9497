//===- TextFile.h - Text written through a buffer ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_OBSERVE_TEXTFILE_H
#define XFRT_LIB_OBSERVE_TEXTFILE_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

namespace xfrt {

/// Writes as write(2) does, but without a signal: a pipe without a reader is only an error (EPIPE). Blocks SIGPIPE in
/// this thread meanwhile, and consumes it.
inline ssize_t writeWithoutSignal(int file, const void *data, size_t bytes) {
  sigset_t broken, pending, before;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  const ssize_t written = ::write(file, data, bytes);
  const int error = errno;
  if (written < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE)) {
    const timespec now = {};
    while (sigtimedwait(&broken, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

/// A file that is written through a buffer.
class TextFile {
public:
  explicit TextFile(int file) : file(file) {}

  void put(char c) {
    if (used == sizeof(buffer))
      flush();
    buffer[used++] = c;
  }
  /// Writes a short text as printf does.
  __attribute__((format(printf, 2, 3))) void format(const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    for (const char *c = text; *c; ++c)
      put(*c);
  }
  /// Writes a text as a string of JSON.
  void string(const char *text) {
    put('"');
    for (; *text; ++text) {
      auto c = static_cast<unsigned char>(*text);
      if (c == '"' || c == '\\')
        put('\\');
      if (c < 0x20 || c == 0x7f)
        format("\\u%04x", c);
      else
        put(*text);
    }
    put('"');
  }
  /// Writes a text, padded with spaces to `width` characters. Control characters become '?'.
  void padded(const char *text, int width) {
    for (; *text; ++text) {
      auto c = static_cast<unsigned char>(*text);
      put(c < 0x20 || c == 0x7f ? '?' : *text);
      width -= (c & 0xc0) != 0x80; // bytes that continue a character have no width
    }
    for (; width > 0; --width)
      put(' ');
  }
  /// Writes the buffer to the file. Returns whether the file has all text that was put; if not, errno has the reason.
  bool flush() {
    for (size_t done = 0; error == 0 && done < used;) {
      ssize_t written = writeWithoutSignal(file, buffer + done, used - done);
      if (written > 0)
        done += size_t(written);
      else if (written == 0 || errno != EINTR)
        error = written < 0 ? errno : EIO;
    }
    used = 0;
    errno = error;
    return error == 0;
  }

private:
  int file;
  size_t used = 0;
  int error = 0; // of the first write that failed
  char buffer[1 << 14];
};

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_TEXTFILE_H
