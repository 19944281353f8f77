// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the fake NVML plays, from the environment variable FAKE_NVML: settings "name=text" separated by ";".
//
//   gpus=2                   number of GPUs; default 1
//   init=9                   result of nvmlInit, an nvmlReturn_t
//   init_ms=500              how long nvmlInit takes
//   refused=1                GPU 1 may not be accessed
//   crash=20                 the 20th question about a value kills the process
//   lost=1@30                from the 30th question about GPU 1 on, it is lost
//   xid=0@3:79               the 3rd wait for events and each one after it delivers XID 79 of GPU 0, once
//   sm_clock=1980,1755       values in the order of the questions of each GPU; the last one stays. "x": not supported,
//                            "!4": error 4. Other values: memory_clock, power, temperature, utilization,
//                            memory_utilization, memory_used, pcie_tx, pcie_rx, reasons, ecc_corrected, ecc_uncorrected
//   power@1=90000            the same for GPU 1 only
//   pcie_tx_ms=20            how long a question takes, for any value
//   calls=FILE               at nvmlShutdown, the number of questions about each value is written there

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gpuprof::fake_nvml {

inline constexpr int kSuccess = 0;
inline constexpr int kNotSupported = 3;
inline constexpr int kNoPermission = 4;
inline constexpr int kTimeout = 10;
inline constexpr int kGpuIsLost = 15;

class Script {
 public:
  // Reads FAKE_NVML; counts start anew.
  void read();

  // The next value of that name; an nvmlReturn_t.
  int next(const std::string& name, unsigned gpu, std::uint64_t otherwise, std::uint64_t& value);

  // kTimeout, or kSuccess with the next XID error.
  int next_error(unsigned& gpu, std::uint64_t& xid);

  std::uint64_t number(const std::string& name, std::uint64_t otherwise) const;
  void write_calls() const;

 private:
  struct Event {
    unsigned gpu;
    unsigned wait;
    std::uint64_t xid;
  };
  std::string text(const std::string& name) const;
  void pass_time(const std::string& name) const;
  bool is_lost(unsigned gpu);

  std::map<std::string, std::string> settings_;
  std::map<std::string, std::size_t> asked_;  // "name@gpu"
  std::vector<std::size_t> asked_of_gpu_;
  std::size_t asked_at_all_ = 0;
  std::vector<Event> events_;
  unsigned waits_ = 0;
};

}  // namespace gpuprof::fake_nvml
