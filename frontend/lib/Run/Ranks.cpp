//===- Ranks.cpp - The processes that run a program together -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/device.h"
#include "xfrt/xfrt.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace xf;

int Ranks::rank() const { return connection ? connection->rank : 0; }
int Ranks::size() const { return connection ? connection->size : 1; }

Ranks xf::mpi(Here here) {
  auto table = std::make_unique<xfrt_communicator>();
  if (xfrt_open_communicator(nullptr, table.get()) != XFRT_OK)
    throw Error(std::string("expected the ranks of MPI, got none: ") + xfrt_message(nullptr), here);
  auto close = [](const xfrt_communicator *open) {
    std::unique_ptr<const xfrt_communicator> owner(open);
    auto closing = *open;
    closing.close(&closing);
  };
  return Ranks(std::shared_ptr<const xfrt_communicator>(table.release(), close));
}

int64_t Ranks::first(int64_t number, Here here) const {
  constexpr int64_t limit = int64_t{10} * 60 * 1000;
  if (size() == 1)
    return number;
  const xfrt_communicator &own = *connection;
  std::vector<xfrt_peer_message> sends, receives;
  if (own.rank != 0)
    receives.push_back({&number, sizeof(number), 0});
  for (int32_t peer = 1; own.rank == 0 && peer < own.size; ++peer)
    sends.push_back({&number, sizeof(number), peer});
  int32_t ticket = 0;
  int status = own.start(own.context, sends.data(), static_cast<int32_t>(sends.size()), receives.data(),
                         static_cast<int32_t>(receives.size()), nullptr, &ticket);
  if (status == XFRT_TRANSPORT_OK)
    status = own.wait(own.context, ticket, limit);
  if (status == XFRT_TRANSPORT_LATE) // the messages may still come, to memory that is this function's
    abort(75, std::string("expected a message of rank 0, got none: ") + own.message(own.context));
  if (status != XFRT_TRANSPORT_OK)
    throw Error(std::string("expected a message of rank 0, got an error: ") + own.message(own.context), here);
  return number;
}

void Ranks::abort(int code, const std::string &why) const {
  if (rank() != 0) // which ends this one, if all fail for one reason
    std::this_thread::sleep_for(std::chrono::seconds(1));
  if (size() > 1)
    connection->abort(connection->context, code, why.c_str());
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(code);
}
