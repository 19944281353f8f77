// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <cmath>
#include <sstream>
#include <string>

#include "base/file.hpp"
#include "model/report_json.hpp"
#include "render/render.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;

namespace {

Report golden(const std::string& name) {
  const std::string path = std::string(GPUPROF_SOURCE_DIR) + "/tests/golden/report/" + name + "/report.json";
  return model::report_from_json(read_file(path), path);
}

std::string without_sgr(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      out += text[i];
    }
  }
  return out;
}

TEST_CASE("no line is wider than the terminal") {
  for (const std::string name : {"training", "losses", "empty", "odd_names", "one_gpu", "ranks", "share"}) {
    const Report report = golden(name);
    for (std::size_t width = 60; width <= 220; ++width) {
      std::istringstream lines(render::text(report, {width, false}));
      for (std::string line; std::getline(lines, line);) {
        INFO(name << " at " << width << ": " << line);
        if (display_width(line) > width) CHECK(display_width(line) <= width);
        if (line.ends_with(' ')) CHECK_FALSE(line.ends_with(' '));
      }
    }
  }
}

TEST_CASE("a terminal narrower than the table still gets all of its rows") {
  const Report report = golden("training");
  CHECK(render::text(report, {1, false}) == render::text(report, {60, false}));
  CHECK_THAT(render::text(report, {60, false}), ContainsSubstring("Left out at this width: "));
}

TEST_CASE("colour adds SGR sequences and nothing else") {
  for (const std::string name : {"training", "losses", "odd_names", "one_gpu", "ranks", "share"}) {
    const Report report = golden(name);
    const std::string colored = render::text(report, {100, true});
    CHECK(colored.find("\x1b[1m") != std::string::npos);
    CHECK(without_sgr(colored) == render::text(report, {100, false}));
    CHECK(render::text(report, {100, false}).find('\x1b') == std::string::npos);
  }
}

TEST_CASE("the newest gap in the books is told, not hidden") {
  Report report = golden("losses");
  CHECK_THAT(render::text(report, {200, false}),
             ContainsSubstring("launched 140,011 = stored 140,000 + dropped 3 + invalid 6 (2 untimed, 3 unfinished, 1 "
                               "ending before they start) + 2 missing without an explanation"));
  report.ledger.kernels.unaccounted = -7;
  CHECK_THAT(render::text(report, {200, false}), ContainsSubstring("- 7 recorded without a launch"));
}

TEST_CASE("kernels are cut and ordered as asked, their rank stays that by time") {
  const Report report = golden("training");
  const std::string by_launches = render::kernels_csv(report, {2, render::KernelOrder::launches});
  std::istringstream lines(by_launches);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  CHECK(line.substr(0, 2) == "4,");
  std::getline(lines, line);
  CHECK(line.substr(0, 2) == "1,");
  CHECK_FALSE(std::getline(lines, line));
  CHECK_THAT(render::kernels_text(report, {2, render::KernelOrder::time}, {80, false}),
             ContainsSubstring("and 6 more: gpuprof kernels --top 0"));
}

TEST_CASE("selected kernels without any counter have their reasons shown") {
  Report report = golden("training");
  report.graphs.clear();
  for (KernelReport& kernel : report.kernels) {
    for (auto& [name, value] : kernel.counters) {
      value = {};
      value.reason = "all its windows were discarded";
    }
  }
  const std::string text = render::text(report, {120, false});
  CHECK_THAT(text, ContainsSubstring("no counters (kernel 1-4): all its windows were discarded"));
  CHECK(text.find("DRAM%") == std::string::npos);
}

TEST_CASE("the rule and the limit of the selection are told") {
  Report report = golden("training");
  report.selection.cap = 4;
  report.selection.coverage_reached = 0.5;
  CHECK_THAT(
      render::text(report, {160, false}),
      ContainsSubstring("covering 50.0 % of the kernel time; asked for: 90.0 %, stopped at the limit of 4 kernels"));
}

TEST_CASE("values that are not numbers are never shown as 0") {
  Report report = golden("training");
  report.kernels[0].share = std::nan("");
  report.totals.wall_time_ns = 0;
  const std::string text = render::text(report, {160, false});
  CHECK_THAT(text, ContainsSubstring("*1     n/a"));
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.find("inf %") == std::string::npos);
}

TEST_CASE("a report without kernels says why") {
  Report report;
  CHECK_THAT(render::text(report, {80, false}), ContainsSubstring("no process of the program initialised CUDA"));
  report.stages.push_back({"timeline", {EndKind::exited, 0}, 1000, 1});
  CHECK_THAT(render::text(report, {80, false}), ContainsSubstring("the program launched none"));
  report.ledger.kernels.launched = 5;
  report.ledger.kernels.dropped = 5;
  CHECK_THAT(render::text(report, {80, false}), ContainsSubstring("although 5 were launched"));
}

}  // namespace
