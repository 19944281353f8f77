// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUPTI's host-side profiling API: which chips and metrics exist, and how metrics pack into passes. Needs libcupti but
// neither a GPU nor a driver, so plans can be made and tested anywhere. No vendor header is visible here.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpuprof::cupti {

enum class MetricKind { counter, ratio, throughput };

struct MetricProperties {
  MetricKind kind = MetricKind::counter;
  std::string description;
  std::string hardware_unit;
  std::string dimension;  // CUPTI's text for the unit of the values
};

// An open libcupti, for use by one thread at a time. Throws Error from open() when none can be found or it is too old
// for the host API, with what was tried and how to install it.
class Host {
 public:
  // `preferred_path`: a libcupti file to try before the usual places; may be empty.
  static std::unique_ptr<Host> open(const std::string& preferred_path);
  virtual ~Host() = default;

  virtual std::string library_path() const = 0;
  virtual std::uint32_t library_version() const = 0;

  // Chip names as CUPTI spells them ("GH100"), sorted.
  virtual std::vector<std::string> chips() const = 0;

  // Base metrics of a chip, without roll-ups, sorted. Throws Error for an unknown chip, naming the nearest ones.
  virtual std::vector<std::string> base_metrics(const std::string& chip, MetricKind kind) const = 0;

  // Looks a metric up, with or without roll-up. Returns false when the chip has no such metric. This and the functions
  // below throw Error for an unknown chip too.
  virtual bool find_metric(const std::string& chip, const std::string& metric, MetricProperties& properties) const = 0;

  // True when `metric` can be collected as written (a roll-up included).
  virtual bool is_collectable(const std::string& chip, const std::string& metric) const = 0;

  // Number of passes `metrics` need when added together in one call; 0 when the set is refused.
  virtual std::size_t passes(const std::string& chip, const std::vector<std::string>& metrics) const = 0;

  // Number of passes when each group is added in a call of its own, as the counter windows do; 0 when a group is
  // refused. Groups never share a pass, so the result equals the number of groups exactly when every group is a single
  // pass.
  virtual std::size_t passes_of_groups(const std::string& chip,
                                       const std::vector<std::vector<std::string>>& groups) const = 0;
};

// "13.0.1" for 130001, "12.9" for small historic indices where known, else the number.
std::string version_text(std::uint32_t version);

}  // namespace gpuprof::cupti
