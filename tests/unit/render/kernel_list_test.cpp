// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/report_json.hpp"
#include "render/render.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;

namespace {

// An independent reader of RFC 4180 records.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_quotes && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (c == '"') {
      in_quotes = !in_quotes;
    } else if (!in_quotes && c == ',') {
      rows.back().emplace_back();
    } else if (!in_quotes && c == '\n') {
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

Report report_with(const std::string& name) {
  Report report;
  KernelReport kernel;
  kernel.key.mangled_name = name;
  kernel.demangled_name = name;
  kernel.short_name = name;
  kernel.launches = 3;
  kernel.share = 0.1;
  kernel.counters["dram__bytes.sum"] = {1536.5, 2.0, 12, "bytes", ValueState::measured, ""};
  kernel.counters["a.ratio"] = {std::nullopt, std::nullopt, 0, "", ValueState::not_measured, "too rare"};
  report.kernels.push_back(kernel);
  return report;
}

std::string cell(const Report& report, const std::string& title) {
  const auto rows = parse_csv(render::kernels_csv(report, {0, render::KernelOrder::time}));
  REQUIRE(rows.size() == 2);
  REQUIRE(rows[0].size() == rows[1].size());
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    if (rows[0][i] == title) return rows[1][i];
  }
  FAIL("no column " << title);
  return {};
}

TEST_CASE("CSV cells survive a reader, whatever the name holds") {
  for (const std::string name : {"plain", "with, comma", "with \"quotes\"", "two\nlines\r", "名前 🚀", ""}) {
    CHECK(cell(report_with(name), "short_name") == name);
    CHECK(cell(report_with(name), "mangled_name") == name);
  }
  CHECK(cell(report_with("bad\xFF"), "demangled_name") == "bad\uFFFD");
}

TEST_CASE("a spreadsheet takes no cell for a formula") {
  for (const std::string name : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"}) {
    CHECK(cell(report_with(name), "short_name") == "'" + name);
  }
}

TEST_CASE("counters have a column for the mean and one for n, empty when not measured") {
  const Report report = report_with("k");
  CHECK(cell(report, "dram__bytes.sum [bytes]") == "1536.5");
  CHECK(cell(report, "dram__bytes.sum n") == "12");
  CHECK(cell(report, "a.ratio").empty());
  CHECK(cell(report, "a.ratio n").empty());
  CHECK(cell(report, "share") == "0.1");
}

TEST_CASE("the kernel list holds the report's own objects") {
  const Report report = report_with("k\x1b");
  const auto list = nlohmann::json::parse(render::kernels_json(report, {1, render::KernelOrder::time}));
  CHECK(list.at("schema") == "gpuprof.kernels/1");
  nlohmann::json kernel = list.at("kernels").at(0);
  CHECK(kernel.at("rank") == 1);
  kernel.erase("rank");
  CHECK(kernel == nlohmann::json::parse(model::report_to_json(report)).at("kernels").at(0));
}

TEST_CASE("copies and ranges have tables with units in their titles") {
  Report report;
  report.copies.push_back({"HtoD", "pageable", "device", 2, 3000, {2000, 1000, 900, 1100, 900, 1100, 141.5}});
  report.copies.push_back({"memset", "", "device", 1, 8, {}});
  const auto copies = parse_csv(render::copies_csv(report));
  REQUIRE(copies.size() == 3);
  CHECK(copies[0][4] == "size_bytes");
  CHECK(copies[1] == std::vector<std::string>{"HtoD", "pageable", "device", "2", "3000", "2000", "1000", "900", "1100",
                                              "900", "1100", "141.5", "1500000000"});
  // No rate without a time, no spread of one.
  CHECK(copies[2].at(11).empty());
  CHECK(copies[2].at(12).empty());

  RangeReport range;
  range.name = "a \"b\", c\n";
  range.kind = "push_pop";
  range.count = 1;
  range.idle_ns = 5;
  report.ranges.push_back(range);
  const auto ranges = parse_csv(render::ranges_csv(report));
  REQUIRE(ranges.size() == 2);
  REQUIRE(ranges[0].size() == ranges[1].size());
  CHECK(ranges[1][0].empty());
  CHECK(ranges[1][1] == range.name);
  CHECK(ranges[0].back() == "idle_ns");
  CHECK(ranges[1].back() == "5");
}

}  // namespace
