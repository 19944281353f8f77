// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "support/golden.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/file.hpp"
#include "model/report_json.hpp"
#include "render/render.hpp"

namespace {

using gpuprof::testing::check_golden;
namespace render = gpuprof::render;

std::vector<std::string> cases() {
  std::vector<std::string> directories;
  for (const auto& entry : std::filesystem::directory_iterator(GPUPROF_SOURCE_DIR "/tests/golden/report")) {
    if (entry.is_directory()) directories.push_back(entry.path().string());
  }
  std::sort(directories.begin(), directories.end());
  return directories;
}

TEST_CASE("every view of the recorded reports looks as expected") {
  const auto directories = cases();
  REQUIRE(directories.size() >= 7);
  for (const std::string& directory : directories) {
    const std::string input = directory + "/report.json";
    const auto report = gpuprof::model::report_from_json(gpuprof::read_file(input), input);
    for (const std::size_t width : {80U, 120U, 160U}) {
      check_golden(directory + "/text-" + std::to_string(width) + ".txt", render::text(report, {width, false}));
    }
    check_golden(directory + "/kernels.txt",
                 render::kernels_text(report, {3, render::KernelOrder::launches}, {100, false}));
    check_golden(directory + "/kernels.csv", render::kernels_csv(report, {0, render::KernelOrder::time}));
    check_golden(directory + "/copies.csv", render::copies_csv(report));
    check_golden(directory + "/ranges.csv", render::ranges_csv(report));
    check_golden(directory + "/kernels.json", render::kernels_json(report, {2, render::KernelOrder::mean}));
  }
}

}  // namespace
