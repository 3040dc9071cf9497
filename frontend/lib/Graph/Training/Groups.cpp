//===- Groups.cpp - What a training step trains, and how -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Groups.h"
#include "../Modules/ParameterData.h"
#include "../Node.h"
#include "runtime/support/NamePattern.h"

#include <algorithm>
#include <cmath>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// Ranges of options
//===----------------------------------------------------------------------===//

static void expectPositive(const std::string &what, double value, Here here) {
  expect(value >= 0 && std::isfinite(value), here, "expected ", what, " >= 0, got ", value);
}
static void expectFraction(const char *what, double value, Here here) {
  expect(value >= 0 && value < 1, here, "expected ", what, " in [0, 1), got ", value);
}

static void expectOwn(const optim::AdamW &own, Here here) {
  expectFraction("beta1", own.beta1, here);
  expectFraction("beta2", own.beta2, here);
  expectPositive("eps", own.eps, here);
}
static void expectOwn(const optim::Adam &own, Here here) {
  expectFraction("beta1", own.beta1, here);
  expectFraction("beta2", own.beta2, here);
  expectPositive("eps", own.eps, here);
}
static void expectOwn(const optim::Lion &own, Here here) {
  expectFraction("beta1", own.beta1, here);
  expectFraction("beta2", own.beta2, here);
}
static void expectOwn(const optim::Adafactor &own, Here here) {
  expect(own.beta2_decay <= 0 && std::isfinite(own.beta2_decay), here, "expected beta2_decay <= 0, got ",
         own.beta2_decay);
  expectPositive("eps1", own.eps1.value_or(0), here);
  expectPositive("eps2", own.eps2, here);
  expect(own.clip_threshold > 0, here, "expected clip_threshold > 0, got ", own.clip_threshold);
}
static void expectOwn(const optim::SGD &own, Here here) {
  expectPositive("momentum", own.momentum, here);
  expect(!own.nesterov || own.momentum > 0, here, "expected momentum > 0 with nesterov, got ", own.momentum);
}

/// Throws Error unless moments have a supported type. Adafactor has no option for the type of moments.
template <typename Options>
static void expectMoments(const Options &own, Here here) {
  if constexpr (requires { own.moments; })
    expect(!own.moments || *own.moments == f32 || *own.moments == bf16, here, "expected moments of f32 or bf16, got ",
           own.moments.value_or(f32));
}

/// Returns whether `number` is a normal number in f64, and also in f32.
static bool isNormalInF32(double number) { return std::isnormal(number) && std::isnormal(static_cast<float>(number)); }

static void expectLossScale(const optim::LossScale &own, Here here) {
  expect(own.initial > 0 && isNormalInF32(own.initial), here,
         "expected an initial loss scale > 0 within the range of f32, got ", own.initial);
  expect(own.growth >= 1 && isNormalInF32(own.growth), here,
         "expected growth >= 1 of the loss scale within the range of f32, got ", own.growth);
  expect(own.backoff > 0 && own.backoff <= 1 && isNormalInF32(own.backoff), here,
         "expected backoff in (0, 1] of the loss scale within the range of f32, got ", own.backoff);
  expect(own.interval >= 1, here, "expected interval >= 1 of the loss scale, got ", own.interval);
}

void xf::detail::expectValid(const optim::Optimizer &optimizer, Here here) {
  std::visit(
      [&](const auto &own) {
        expectOwn(own, here);
        expectPositive("learning_rate", own.learning_rate.value_or(0), here);
        expectPositive("weight_decay", own.weight_decay, here);
        expect(own.clip_norm >= 0, here, "expected clip_norm >= 0, got ", own.clip_norm);
        expect(own.accumulate >= 1, here, "expected accumulate >= 1, got ", own.accumulate);
        expect(!own.master || *own.master == f32, here, "expected masters of f32, or none, got ",
               own.master.value_or(f32));
        expectFraction("ema", own.ema, here);
        expectMoments(own, here);
        if (own.loss_scale)
          expectLossScale(*own.loss_scale, here);
        for (const optim::Group &group : own.groups) {
          std::string of = " of group '" + group.names + "'";
          expectPositive("weight_decay" + of, group.options.weight_decay.value_or(0), here);
          expectPositive("learning_rate_factor" + of, group.options.learning_rate_factor.value_or(1), here);
        }
      },
      optimizer);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Throws Error unless each group matches a parameter.
static void expectMatches(const std::vector<optim::Group> &groups, const std::vector<nn::NamedParameter> &parameters,
                          Here here) {
  constexpr size_t most = 3;
  std::string some;
  for (size_t n = 0; n < std::min(most, parameters.size()); ++n)
    some += (n ? ", '" : "'") + parameters[n].name + "'";
  for (const optim::Group &group : groups)
    expect(std::any_of(parameters.begin(), parameters.end(),
                       [&](const auto &entry) { return xfrt::matchesName(group.names, entry.name); }),
           here, "expected groups that match a parameter, got '", group.names, "', which matches none of ",
           parameters.size(), ": ", some, parameters.size() > most ? ", .." : "");
}

/// Returns the options of all groups that match `name`. If several groups set an option, the last one counts.
static optim::GroupOptions optionsOf(const std::vector<optim::Group> &groups, const std::string &name) {
  optim::GroupOptions all;
  for (const auto &[names, options] : groups) {
    if (!xfrt::matchesName(names, name))
      continue;
    all.weight_decay = options.weight_decay ? options.weight_decay : all.weight_decay;
    all.learning_rate_factor = options.learning_rate_factor ? options.learning_rate_factor : all.learning_rate_factor;
    all.frozen = options.frozen ? options.frozen : all.frozen;
  }
  return all;
}

std::vector<Trained> xf::detail::groupParameters(const std::vector<nn::NamedParameter> &parameters,
                                                 const optim::Optimizer &optimizer, Here here) {
  std::vector<Trained> trained;
  std::visit(
      [&](const auto &own) {
        expectMatches(own.groups, parameters, here);
        for (const nn::NamedParameter &entry : parameters) {
          optim::GroupOptions options = optionsOf(own.groups, entry.name);
          bool isDrawn = dataOf(entry.parameter).initializer.kind == Initializer::features;
          if (options.frozen.value_or(isDrawn))
            continue;
          bool decays = own.decay_vectors || entry.parameter.rank() >= 2;
          trained.push_back({entry, options.weight_decay.value_or(decays ? own.weight_decay : 0),
                             options.learning_rate_factor.value_or(1)});
        }
      },
      optimizer);
  expect(!trained.empty(), here, "expected a parameter to train, got ", parameters.size(), ", all frozen");
  return trained;
}
