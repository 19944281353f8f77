// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The period of a sequence of launches.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace gpuprof::timeline {

struct Period {
  std::size_t length = 0;    // launches in a period
  std::uint32_t anchor = 0;  // an id that occurs once in each
};

// The smallest p for which nearly as many i as for any other have sequence[i] == sequence[i + p]: at least 80 % of
// them, and at most 0.5 % fewer than for the best p. So the layers inside a step do not pass for the step, whose own
// period matches better, and two steps do not pass for one. The sequence must hold five periods. A start-up that fills
// less than half of the sequence may be anything.
std::optional<Period> find_period(std::span<const std::uint32_t> sequence);

}  // namespace gpuprof::timeline
