// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers for people. The only place that formats them: always with '.' as the decimal point, whatever the locale, and
// with "n/a" for a value that is not finite.

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuprof {

// "123 ns", "1.234 ms", "12.35 s", "3 min 25 s", "2 h 05 min": four significant digits, none after the point for
// whole nanoseconds.
std::string format_duration(double ns);

// A size in binary units: "512 B", "1.50 KiB", "139.8 GiB".
std::string format_bytes(double bytes);

// A rate of bytes in decimal units, as vendors state bandwidth: "3.21 TB/s".
std::string format_byte_rate(double bytes_per_second);

// "12,345".
std::string format_count(std::uint64_t count);

// A fraction of 1 in percent: "12.3 %".
std::string format_percent(double fraction);

// A plain number with three significant digits, whole numbers in full, with SI prefix from 10,000 on: "0.312", "123",
// "1.98 G".
std::string format_number(double value);

// A value in one of the units of CounterValue::unit, in that unit's own format.
std::string format_value(double value, std::string_view unit);

}  // namespace gpuprof
