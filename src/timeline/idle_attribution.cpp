// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/idle_attribution.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace gpuprof::timeline {
namespace {

// Parts of names, in lower case. PyTorch's profiler calls a step of a loader "enumerate(DataLoader)#...next"; the
// others are what people write in their own ranges and what the large training frameworks use.
constexpr std::array<std::string_view, 7> kInputNames{
    "dataloader", "data_loader", "data loading", "load_batch", "next_batch", "enumerate(dataloader)", "input",
};

// Functions that return when the device has got somewhere. Copies are added by waits_for_device().
constexpr std::array<std::string_view, 7> kWaitingFunctions{
    "cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize",
    "cuCtxSynchronize",      "cuStreamSynchronize",   "cuEventSynchronize",
};

// NCCL's are called ncclDevKernel_AllReduce_..., ncclKernel_... in older versions; NVSHMEM's have it in their namespace
// or name.
constexpr std::array<std::string_view, 2> kCommunicationNames{"nccl", "nvshmem"};

bool contains_any(std::string_view text, std::span<const std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [text](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

// The first interval that is not over at `time_ns`.
const NamedInterval* first_after(std::span<const NamedInterval>& intervals, std::uint64_t time_ns) {
  while (!intervals.empty() && intervals.front().end_ns <= time_ns) intervals = intervals.subspan(1);
  return intervals.empty() ? nullptr : &intervals.front();
}

}  // namespace

void attribute_gap(const IdleGap& gap, std::span<const NamedInterval> input, std::span<const NamedInterval> waits,
                   std::vector<IdlePiece>& pieces) {
  const bool late = gap.launch_ns && *gap.launch_ns > gap.start_ns;
  const IdleCause rest = late ? IdleCause::launch_bound : IdleCause::unexplained;
  const std::uint64_t launch_ns = gap.launch_ns.value_or(0);
  const auto later = std::partition_point(waits.begin(), waits.end(),
                                          [launch_ns](const NamedInterval& wait) { return wait.start_ns < launch_ns; });
  waits = {waits.begin(), later};
  std::uint64_t time_ns = gap.start_ns;
  const auto take = [&](IdleCause cause, std::uint32_t name, std::uint64_t end_ns) {
    pieces.push_back({cause, name, time_ns, end_ns});
    time_ns = end_ns;
  };
  while (time_ns < gap.end_ns) {
    const NamedInterval* range = first_after(input, time_ns);
    if (range != nullptr && range->start_ns <= time_ns) {
      take(IdleCause::input_pipeline, range->name, std::min(range->end_ns, gap.end_ns));
      continue;
    }
    const std::uint64_t until_ns = range != nullptr ? std::min(range->start_ns, gap.end_ns) : gap.end_ns;
    const NamedInterval* wait = first_after(waits, time_ns);
    if (wait == nullptr || wait->start_ns >= until_ns) {
      take(rest, 0, until_ns);
    } else if (wait->start_ns > time_ns) {
      take(rest, 0, wait->start_ns);
    } else {
      take(IdleCause::synchronization, wait->name, std::min(wait->end_ns, until_ns));
    }
  }
}

bool is_input_range(std::string_view name) {
  std::string lower{name};
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return contains_any(lower, kInputNames);
}

std::string_view without_version(std::string_view function) {
  for (const std::string_view suffix : {"_ptsz", "_ptds"}) {
    if (function.size() > suffix.size() && function.substr(function.size() - suffix.size()) == suffix) {
      function.remove_suffix(suffix.size());
    }
  }
  const std::size_t version = function.rfind("_v");
  const bool digits = version != std::string_view::npos && version + 2 < function.size() &&
                      function.find_first_not_of("0123456789", version + 2) == std::string_view::npos;
  return digits ? function.substr(0, version) : function;
}

bool waits_for_device(std::string_view function) {
  const std::string_view name = without_version(function);
  if (std::find(kWaitingFunctions.begin(), kWaitingFunctions.end(), name) != kWaitingFunctions.end()) return true;
  const auto begins = [name](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; };
  if (!begins("cudaMemcpy") && !begins("cuMemcpy")) return false;
  // Copies within devices return at once, whatever their name says.
  return name.find("Async") == std::string_view::npos && !begins("cuMemcpyDtoD");
}

bool is_communication_kernel(std::string_view name) {
  return contains_any(name, kCommunicationNames);
}

}  // namespace gpuprof::timeline
