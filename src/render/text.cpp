// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "render/render.hpp"
#include "render/sections.hpp"

namespace gpuprof::render {
namespace {

constexpr std::size_t kNarrowest = 60;
constexpr std::size_t kFewestKernels = 10;
constexpr std::size_t kMostKernels = 20;

TextStyle usable(TextStyle style) {
  style.width = std::max(style.width, kNarrowest);
  return style;
}

// Sections one below the other, an empty line between them.
std::string join(const std::vector<std::string>& sections) {
  std::string out;
  for (const std::string& section : sections) {
    if (section.empty()) continue;
    if (!out.empty()) out += '\n';
    out += section;
  }
  return out;
}

}  // namespace

std::string text(const Report& report, const TextStyle& requested) {
  const TextStyle style = usable(requested);
  KernelTable table;
  table.top = std::clamp(static_cast<std::size_t>(report.selection.selected), kFewestKernels, kMostKernels);
  return join({header_section(report, style), capture_section(report, style), time_section(report, style),
               busy_section(report, style), step_section(report, style), device_section(report, style),
               rank_section(report, style), kernel_section(report, table, style), range_section(report, style),
               graph_section(report, style), copy_section(report, style), memory_section(report, style),
               process_section(report, style),
               machine_section(report, style) + counter_section(report, style) + ledger_section(report, style),
               notice_section(report, style)});
}

std::string kernels_text(const Report& report, const KernelTable& table, const TextStyle& requested) {
  const TextStyle style = usable(requested);
  // The notices of a whole report belong to `gpuprof report`, unless they are all there is to say.
  const std::string notices = report.kernels.empty() ? notice_section(report, style) : std::string();
  return join({kernel_section(report, table, style), counter_section(report, style), notices});
}

}  // namespace gpuprof::render
