// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace gpuprof {
namespace {

constexpr const char* kNotAvailable = "n/a";

// Digits after the point that give `value` `significant` digits in all.
int decimals(double value, int significant) {
  int before_point = 1;
  for (double v = std::fabs(value); v >= 10 && before_point < significant; v /= 10) ++before_point;
  return significant - before_point;
}

// The value scaled into the largest unit in which it is at least 1, a unit being `step` times the one before. A value
// that rounding lifts to the next unit is written in that unit: "1.000 ms", never "1000 µs".
std::string scaled(double value, double step, int significant, std::span<const std::string_view> units) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && std::fabs(value) >= step) {
    value /= step;
    ++unit;
  }
  if (unit == 0 && value == std::floor(value)) return fmt::format("{:.0f} {}", value, units[0]);
  const double grain = std::pow(10.0, decimals(value, significant));
  if (unit + 1 < units.size() && std::round(std::fabs(value) * grain) / grain >= step) {
    value /= step;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, decimals(value, significant), units[unit]);
}

constexpr double kSecond = 1e9;

}  // namespace

std::string format_duration(double ns) {
  static constexpr std::array<std::string_view, 4> kUnits = {"ns", "µs", "ms", "s"};
  if (!std::isfinite(ns)) return kNotAvailable;
  // Beyond two minutes people read minutes; beyond a million hours something is wrong and the plain number says so.
  const double seconds = std::round(std::fabs(ns) / kSecond);
  if (seconds < 120 || seconds > 3.6e9) return scaled(ns, 1000, 4, kUnits);
  const char* sign = ns < 0 ? "-" : "";
  const auto whole = static_cast<std::uint64_t>(seconds);
  if (whole < 7200) return fmt::format("{}{} min {:02} s", sign, whole / 60, whole % 60);
  return fmt::format("{}{} h {:02} min", sign, whole / 3600, whole % 3600 / 60);
}

std::string format_bytes(double bytes) {
  static constexpr std::array<std::string_view, 6> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  return std::isfinite(bytes) ? scaled(bytes, 1024, 3, kUnits) : kNotAvailable;
}

std::string format_byte_rate(double bytes_per_second) {
  static constexpr std::array<std::string_view, 6> kUnits = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"};
  return std::isfinite(bytes_per_second) ? scaled(bytes_per_second, 1000, 3, kUnits) : kNotAvailable;
}

std::string format_count(std::uint64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string format_percent(double fraction) {
  return std::isfinite(fraction) ? fmt::format("{:.1f} %", 100 * fraction) : kNotAvailable;
}

std::string format_number(double value) {
  static constexpr std::array<std::string_view, 6> kPrefixes = {"", "k", "M", "G", "T", "P"};
  if (!std::isfinite(value)) return kNotAvailable;
  if (std::fabs(value) >= 10'000) return scaled(value, 1000, 3, kPrefixes);
  if (value == std::round(value)) return fmt::format("{:.0f}", value);
  if (std::fabs(value) < 1) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, decimals(value, 3));
}

std::string format_value(double value, std::string_view unit) {
  if (!std::isfinite(value)) return kNotAvailable;
  if (unit == "ns") return format_duration(value);
  if (unit == "bytes") return format_bytes(value);
  if (unit == "bytes/s") return format_byte_rate(value);
  if (unit == "%") return format_percent(value / 100);
  if (unit.empty()) return format_number(value);
  if (unit == "1/s") return format_number(value) + "/s";
  return fmt::format("{} {}", format_number(value), unit);
}

}  // namespace gpuprof
