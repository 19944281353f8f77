// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace fake_cupti {
namespace {

struct Knob {
  std::string_view name;
  std::uint32_t Settings::*field;
};

constexpr Knob kKnobs[] = {
    {"version", &Settings::version},
    {"subscribe_error", &Settings::subscribe_error},
    {"enable_error", &Settings::enable_error},
    {"range_enable_error", &Settings::range_enable_error},
    {"unsupported", &Settings::unsupported},
    {"drop", &Settings::drop},
    {"untimed", &Settings::untimed},
    {"negative", &Settings::negative},
    {"wrong_clock", &Settings::wrong_clock},
    {"no_records", &Settings::no_records},
    {"delay", &Settings::delay},
    {"hold", &Settings::hold},
    {"missing_last_range", &Settings::missing_last_range},
    {"teardown", &Settings::teardown},
};

void apply(Settings& settings, std::string_view item) {
  const std::size_t equals = item.find('=');
  const std::string_view name = item.substr(0, equals);
  const std::string number(equals == std::string_view::npos ? "1" : item.substr(equals + 1));
  for (const Knob& knob : kKnobs) {
    if (knob.name != name) continue;
    settings.*knob.field = static_cast<std::uint32_t>(std::strtoul(number.c_str(), nullptr, 10));
    return;
  }
  std::fprintf(stderr, "fake libcupti: FAKE_CUPTI holds the unknown knob '%.*s'\n", static_cast<int>(name.size()),
               name.data());
  std::abort();
}

Settings read() {
  Settings result;
  const char* text = std::getenv("FAKE_CUPTI");
  std::string_view rest = text != nullptr ? text : "";
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    if (const std::string_view item = rest.substr(0, comma); !item.empty()) apply(result, item);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return result;
}

}  // namespace

const Settings& settings() {
  static const Settings* const kSettings = new Settings(read());
  return *kSettings;
}

}  // namespace fake_cupti
