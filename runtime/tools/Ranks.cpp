//===- Ranks.cpp - The processes that run a model together ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranks.h"
#include "../support/CommandLine.h"
#include "../support/PrintableText.h"
#include "LoadModel.h"
#include "xfrt/checksum.h"

#include <algorithm>
#include <unistd.h>

using namespace xfrt::tools;

/// The time limit for messages of other ranks, in milliseconds.
static constexpr int64_t timeoutMilliseconds = 600000;

Ranks::~Ranks() {
  if (!isOpen())
    return;
  if (!failure.message.empty())
    report(tool, failure.code, failure.message);
  failure.message.clear();
  communicator.close(&communicator);
}

bool Ranks::open(const xfrt_model &model) {
  const xfrt_tables *tables = model.abi_version >= XFRT_ABI_VERSION ? model.tables : nullptr;
  if (!tables || tables->axes == tables->axes_end)
    return true;
  if (xfrt_status status = xfrt_open_communicator(nullptr, &communicator))
    return failure.set(exitCodeOf(status), xfrt_message(nullptr));
  return true;
}

void Ranks::replaceIn(std::vector<std::string> &texts) const {
  static constexpr std::string_view place = "{rank}";
  std::string number = std::to_string(isOpen() ? communicator.rank : 0);
  for (std::string &text : texts)
    for (size_t at = 0; (at = text.find(place, at)) != std::string::npos;)
      text.replace(at, place.size(), number);
}

void Ranks::endAll(int code, const std::string &why) const {
  communicator.abort(communicator.context, code, (std::string(tool) + ": error: " + xfrt::printableText(why)).c_str());
  _exit(code);
}

void Ranks::abort() const {
  if (isOpen())
    endAll(failure.code, failure.message);
}

double Ranks::largest(double value) const {
  // After the message over 2^k ranks a rank has the largest value of the 2^(k+1) ranks up to it, or of all.
  for (int64_t step = 1; step < size(); step *= 2) {
    double other = 0;
    const int64_t size = communicator.size, rank = communicator.rank;
    xfrt_peer_message sent = {&value, sizeof value, int32_t((rank + step) % size)};
    xfrt_peer_message received = {&other, sizeof other, int32_t((rank + size - step) % size)};
    int32_t ticket = 0;
    int status = communicator.start(communicator.context, &sent, 1, &received, 1, nullptr, &ticket);
    if (status == XFRT_TRANSPORT_OK)
      status = communicator.wait(communicator.context, ticket, timeoutMilliseconds);
    if (status != XFRT_TRANSPORT_OK)
      endAll(exitRankLost, "expected a message of rank " + std::to_string(received.peer) +
                               ", got none: " + communicator.message(communicator.context));
    value = std::max(value, other);
  }
  return value;
}

bool Ranks::agree(bool isWell) const {
  // The first rank that failed has the largest number.
  static constexpr int codes = 256;
  const int32_t own = size() - communicator.rank;
  const int64_t worst = int64_t(largest(isWell ? 0 : double(own) * codes + failure.code));
  if (worst != 0 && worst / codes != own)
    failure = {int(worst % codes), ""};
  return worst == 0;
}

bool Ranks::agreeOnCall(bool isWell) const {
  if (!isWell && failure.code == exitRankLost) // others may not come
    return false;
  const Failure own = failure;
  if (agree(isWell))
    return true;
  if (!isWell)
    failure = own;
  // A hash that a double holds; that of the first rank is the only one that is not negative.
  const uint64_t sum = xfrt_checksum_bytes(XFRT_CHECKSUM_START, failure.message.data(), failure.message.size());
  const double text = double(xfrt_checksum_end(sum) >> 12);
  if (largest(isFirst() ? text : -1) == text && !isFirst())
    failure.message.clear();
  return false;
}
