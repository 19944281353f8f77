// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gpuprof/report.hpp"

namespace gpuprof::test {

// The only notice with this code, or a notice with the text "none" or "several".
inline Notice notice_with(const std::vector<Notice>& notices, const std::string& code) {
  Notice result;
  result.text = "none";
  for (const Notice& notice : notices) {
    if (notice.code != code) continue;
    if (result.text != "none")
      result.text = "several";
    else
      result = notice;
  }
  return result;
}

inline bool has_notice(const std::vector<Notice>& notices, const std::string& code) {
  return std::any_of(notices.begin(), notices.end(), [&](const Notice& notice) { return notice.code == code; });
}

// launched = stored + dropped + overwritten + invalid + unaccounted.
inline bool balances(const KernelLedger& ledger) {
  return static_cast<std::int64_t>(ledger.launched) ==
         static_cast<std::int64_t>(ledger.stored + ledger.dropped + ledger.overwritten + ledger.invalid()) +
             ledger.unaccounted;
}

}  // namespace gpuprof::test
