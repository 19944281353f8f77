// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "timeline/select.hpp"

#include <numeric>
#include <vector>

#include "support/catch2_compat.hpp"

namespace gpuprof::timeline {
namespace {

std::vector<KernelReport> kernels_with(const std::vector<std::uint64_t>& times) {
  std::vector<KernelReport> kernels(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) kernels[i].time.sum_ns = times[i];
  return kernels;
}

std::size_t count_selected(const std::vector<KernelReport>& kernels) {
  std::size_t count = 0;
  for (const KernelReport& kernel : kernels) {
    CHECK_FALSE(kernel.selection_reason.empty());
    count += kernel.selected ? 1 : 0;
  }
  return count;
}

TEST_CASE("coverage takes kernels until it is reached") {
  std::vector<KernelReport> kernels = kernels_with({600, 300, 50, 50});
  const SelectionReport report = select({SelectionRule::Kind::coverage, 0.9, 0, 50}, kernels);
  CHECK(report.rule == "coverage");
  CHECK(report.selected == 2);
  CHECK(report.coverage_reached == Approx(0.9));
  CHECK(count_selected(kernels) == 2);
  CHECK(kernels[1].selected);
  CHECK_FALSE(kernels[2].selected);
  CHECK(kernels[0].selection_reason == "rank 1 by total time, 60.0 % of the kernel time");
  CHECK_THAT(kernels[2].selection_reason, ContainsSubstring("already cover 90.0 %"));

  kernels = kernels_with({600, 300, 50, 50});
  CHECK(select({SelectionRule::Kind::coverage, 0.91, 0, 50}, kernels).selected == 3);
  kernels = kernels_with({1, 1, 1, 1, 1, 1, 1});
  CHECK(select({SelectionRule::Kind::coverage, 1.0, 0, 50}, kernels).selected == 7);
}

TEST_CASE("coverage stops at the cap and says what it missed") {
  std::vector<KernelReport> kernels = kernels_with(std::vector<std::uint64_t>(100, 10));
  const SelectionReport report = select({SelectionRule::Kind::coverage, 0.9, 0, 50}, kernels);
  CHECK(report.selected == 50);
  CHECK(report.cap == 50);
  CHECK(report.coverage_target == Approx(0.9));
  CHECK(report.coverage_reached == Approx(0.5));
  CHECK_THAT(kernels[50].selection_reason, ContainsSubstring("cap of 50") && ContainsSubstring("50.0 %"));
}

TEST_CASE("top takes a number of kernels") {
  std::vector<KernelReport> kernels = kernels_with({50, 30, 20});
  SelectionReport report = select({SelectionRule::Kind::top, 0.9, 2, 50}, kernels);
  CHECK(report.rule == "top");
  CHECK(report.top == 2);
  CHECK(report.selected == 2);
  CHECK(report.coverage_reached == Approx(0.8));
  CHECK_THAT(kernels[2].selection_reason, ContainsSubstring("2 kernels with the largest total time"));

  report = select({SelectionRule::Kind::top, 0.9, 10, 50}, kernels);
  CHECK(report.selected == 3);
  CHECK(count_selected(kernels) == 3);
}

TEST_CASE("kernels without measurable time are not worth counters") {
  std::vector<KernelReport> none;
  CHECK(select({}, none).selected == 0);
  std::vector<KernelReport> zero = kernels_with({0, 0});
  const SelectionReport report = select({}, zero);
  CHECK(report.selected == 0);
  CHECK(report.coverage_reached == 0);
  CHECK(count_selected(zero) == 0);
}

}  // namespace
}  // namespace gpuprof::timeline
