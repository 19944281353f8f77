// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the fake does wrong on purpose. Read once from the environment variable FAKE_CUPTI, a comma list of `knob` or
// `knob=number`; an unknown knob ends the process, since a test that misspells one would test nothing.

#include <cstdint>

namespace fake_cupti {

struct Settings {
  std::uint32_t version = 130001;
  std::uint32_t subscribe_error = 0;     // result of cuptiSubscribe and cuptiSubscribe_v2
  std::uint32_t enable_error = 0;        // result of cuptiActivityEnable
  std::uint32_t range_enable_error = 0;  // result of cuptiRangeProfilerEnable
  std::uint32_t unsupported = 0;         // cuptiProfilerDeviceSupported says no
  std::uint32_t drop = 0;                // every Nth kernel record is dropped and counted
  std::uint32_t untimed = 0;             // every Nth kernel record has start and end 0
  std::uint32_t negative = 0;            // every Nth kernel record ends before it starts
  std::uint32_t wrong_clock = 0;         // every Nth kernel record is stamped near 1970
  std::uint32_t no_records = 0;          // launches leave no kernel records
  std::uint32_t delay = 0;               // full buffers are completed this many ms late
  std::uint32_t hold = 0;                // a flush that is not forced delivers nothing while work still runs
  std::uint32_t missing_last_range = 0;  // every Nth window loses its last range
  std::uint32_t teardown = 0;            // the driver's exit handler, registered after the injection, shuts CUPTI down
};

const Settings& settings();

}  // namespace fake_cupti
