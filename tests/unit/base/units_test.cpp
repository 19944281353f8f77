// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/units.hpp"

#include <clocale>
#include <cmath>
#include <limits>

#include "support/catch2_compat.hpp"

using namespace gpuprof;

namespace {

TEST_CASE("durations have four digits and the unit that fits") {
  CHECK(format_duration(0) == "0 ns");
  CHECK(format_duration(123) == "123 ns");
  CHECK(format_duration(0.5) == "0.500 ns");
  CHECK(format_duration(1234) == "1.234 µs");
  CHECK(format_duration(1'234'000) == "1.234 ms");
  CHECK(format_duration(12'345'678) == "12.35 ms");
  CHECK(format_duration(123'456'789) == "123.5 ms");
  CHECK(format_duration(31'234'567'890) == "31.23 s");
  CHECK(format_duration(-1234) == "-1.234 µs");
}

TEST_CASE("rounding up moves to the next unit") {
  CHECK(format_duration(999'960) == "1.000 ms");
  CHECK(format_duration(999'940) == "999.9 µs");
  CHECK(format_bytes(1023.9 * 1024) == "1.00 MiB");
  CHECK(format_byte_rate(999'999) == "1.00 MB/s");
}

TEST_CASE("long durations are minutes and hours") {
  CHECK(format_duration(119.4e9) == "119.4 s");
  CHECK(format_duration(120e9) == "2 min 00 s");
  CHECK(format_duration(205e9) == "3 min 25 s");
  CHECK(format_duration(2.0 * 3600e9 + 300e9) == "2 h 05 min");
  CHECK(format_duration(-205e9) == "-3 min 25 s");
}

TEST_CASE("sizes are binary, rates decimal") {
  CHECK(format_bytes(512) == "512 B");
  CHECK(format_bytes(1536) == "1.50 KiB");
  CHECK(format_bytes(150'121'545'728.0) == "140 GiB");
  CHECK(format_byte_rate(3.21e12) == "3.21 TB/s");
  CHECK(format_byte_rate(12) == "12 B/s");
}

TEST_CASE("counts are grouped by thousands") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(12345) == "12,345");
  CHECK(format_count(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
}

TEST_CASE("values are shown in their own unit") {
  CHECK(format_percent(0.123) == "12.3 %");
  CHECK(format_value(12.34, "%") == "12.3 %");
  CHECK(format_value(1234, "ns") == "1.234 µs");
  CHECK(format_value(2048, "bytes") == "2.00 KiB");
  CHECK(format_value(0.3125, "") == "0.312");
  CHECK(format_value(0.00125, "") == "0.00125");
  CHECK(format_value(1.98e9, "1/s") == "1.98 G/s");
  CHECK(format_value(12'345'678, "sectors") == "12.3 M sectors");
  CHECK(format_value(7, "warps") == "7 warps");
}

TEST_CASE("what is not a number is n/a, not 0") {
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    CHECK(format_duration(value) == "n/a");
    CHECK(format_bytes(value) == "n/a");
    CHECK(format_byte_rate(value) == "n/a");
    CHECK(format_percent(value) == "n/a");
    CHECK(format_number(value) == "n/a");
    CHECK(format_value(value, "1/s") == "n/a");
  }
  CHECK_FALSE(format_duration(1e300).empty());
  CHECK_FALSE(format_bytes(1e300).empty());
}

TEST_CASE("the locale does not change numbers") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    std::setlocale(LC_ALL, name);  // not installed everywhere; then the locale stays as it was
    CHECK(format_duration(1234) == "1.234 µs");
    CHECK(format_percent(0.123) == "12.3 %");
    CHECK(format_count(12345) == "12,345");
  }
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace
