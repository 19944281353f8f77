// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// Writes a counter plan as the launcher does:
//   write_counter_plan FILE [samples=N] [window=N] group=METRIC,METRIC... kernel=NAME,GX,GY,GZ,BX,BY,BZ...

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "trace/writer.hpp"

namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

std::uint32_t number(const std::string& text) {
  return static_cast<std::uint32_t>(std::stoul(text));
}

bool apply(gpuprof::trace::CounterPlan& plan, std::string_view argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view key = argument.substr(0, equals);
  const std::vector<std::string> values = split(argument.substr(equals + 1));
  if (values.empty()) return false;
  if (key == "samples") {
    plan.samples = number(values[0]);
  } else if (key == "window") {
    plan.window_launches = number(values[0]);
  } else if (key == "group") {
    plan.groups.push_back(values);
  } else if (key == "kernel" && values.size() == 7) {
    plan.kernels.push_back({values[0],
                            {number(values[1]), number(values[2]), number(values[3])},
                            {number(values[4]), number(values[5]), number(values[6])},
                            0});
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: write_counter_plan FILE ARGUMENT...\n");
    return 2;
  }
  gpuprof::trace::CounterPlan plan;
  for (int i = 2; i < argc; ++i) {
    if (apply(plan, argv[i])) continue;
    std::fprintf(stderr, "write_counter_plan: cannot read '%s'\n", argv[i]);
    return 2;
  }
  const auto writer = gpuprof::trace::Writer::create(argv[1]);
  if (writer == nullptr) {
    std::fprintf(stderr, "write_counter_plan: %s: %s\n", argv[1], std::strerror(errno));
    return 1;
  }
  writer->write(plan);
  writer->flush();
  return writer->error() == 0 ? 0 : 1;
}
