// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/idle_ledger.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace gpuprof::timeline {
namespace {

bool has_name(IdleCause cause) {
  return cause == IdleCause::synchronization || cause == IdleCause::input_pipeline;
}

}  // namespace

void IdleLedger::add(const IdlePiece& piece) {
  if (piece.start_ns >= piece.end_ns) return;
  const std::uint64_t wanted = key(piece.cause, has_name(piece.cause) ? piece.name : kNoName);
  const bool continues = newest_ != nullptr && newest_key_ == wanted && newest_end_ns_ == piece.start_ns;
  if (newest_ == nullptr || newest_key_ != wanted) {
    auto found = sums_.find(wanted);
    if (found == sums_.end()) {
      const bool room = sums_.size() < kMostNames || !has_name(piece.cause);
      found = sums_.try_emplace(room ? wanted : key(piece.cause, kNoName)).first;
    }
    newest_ = &found->second;  // stays where it is when the table grows
    newest_key_ = wanted;
  }
  newest_->time_ns += piece.end_ns - piece.start_ns;
  newest_->gaps += continues ? 0 : 1;
  newest_end_ns_ = piece.end_ns;
}

std::vector<IdleTime> IdleLedger::report(const trace::Dictionaries& dictionaries) const {
  std::map<std::pair<IdleCause, std::string>, Sum> by_detail;
  for (const auto& [both, sum] : sums_) {
    const auto cause = static_cast<IdleCause>(both >> 32);
    const auto name = static_cast<std::uint32_t>(both);
    std::string detail;
    if (name != kNoName) detail = dictionaries.string(name);
    if (cause == IdleCause::synchronization) detail = without_version(detail);
    Sum& total = by_detail[{cause, detail}];
    total.time_ns += sum.time_ns;
    total.gaps += sum.gaps;
  }
  std::vector<IdleTime> idle;
  for (const auto& [both, sum] : by_detail) idle.push_back({both.first, both.second, sum.time_ns, sum.gaps});
  std::stable_sort(idle.begin(), idle.end(),
                   [](const IdleTime& a, const IdleTime& b) { return a.time_ns > b.time_ns; });
  return idle;
}

}  // namespace gpuprof::timeline
