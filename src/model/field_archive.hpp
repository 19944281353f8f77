// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the field lists of report.json share: how a field is visited. An archive A, which is the writer or the reader,
// offers
//   Ref<T>                       const T& when writing, T& when reading
//   field(name, value)           present in every file; a double that is not finite is null
//   added(name, value, older)    the same, but older files lack it: reading them gives `older`, if stated, or leaves
//                                the default
//   known(name, value)           null instead of 0 or an empty string, which stand for "unknown" in the structure
//   known_if(known, name, value) null when `known` is false
//   omit_empty(name, text)       left out when empty
//   derived(name, value)         written for the reader's convenience, ignored when read
//   object(name, visit)          a nested object whose fields lie in the same structure
// A std::optional is null when it holds nothing.

#include <cstdint>

#include "gpuprof/kernel.hpp"

namespace gpuprof::model {

template <class A, class T>
using Ref = typename A::template Ref<T>;

// The durations of `count` launches, copies, steps or ranges.
template <class A>
void duration_fields(A& a, Ref<A, DurationStats> x, std::uint64_t count, const char* name = "time_ns") {
  a.object(name, [&x, count](A& time) {
    time.field("sum", x.sum_ns);
    time.field("mean", x.mean_ns);
    time.field("median", x.median_ns);
    time.field("p95", x.p95_ns);
    time.field("min", x.min_ns);
    time.field("max", x.max_ns);
    time.known_if(count > 1, "stddev", x.stddev_ns);
  });
}

}  // namespace gpuprof::model
