// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The stream of activity records: which kinds are on, records of work still running, buffers.

#include <cupti_activity.h>

#include <cstdint>

namespace fake_cupti {

bool kind_enabled(CUpti_ActivityKind kind);

// True when a call of this API function leaves a record; `kind` is DRIVER or RUNTIME.
bool api_enabled(CUpti_ActivityKind kind, CUpti_CallbackId id);

// When an unfinished record may be delivered.
constexpr std::uint64_t kReadyNow = 0;
constexpr std::uint64_t kNeverReady = ~std::uint64_t{0};

// Queues a record: it enters a buffer once the clock passes `ready_ns`, or at a forced flush.
void add_bytes(const void* record, std::size_t size, std::uint64_t ready_ns);

template <typename Record>
void add_record(const Record& record, std::uint64_t ready_ns = kReadyNow) {
  static_assert(sizeof(Record) % 8 == 0);
  add_bytes(&record, sizeof(Record), ready_ns);
}

// Counts a record that was lost.
void count_dropped();

}  // namespace fake_cupti
