// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// The kernel names of text.hpp.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/demangled_name.hpp"
#include "base/text.hpp"

namespace gpuprof {
namespace {

constexpr std::string_view kEllipsis = "…";

// libstdc++'s demangler recurses; names beyond this length are machine-made and unreadable either way.
constexpr std::size_t kMaxMangledLength = 100'000;

constexpr std::size_t kShortestCut = 16;

std::string fit(const NamePart& part, std::size_t width);

// The least that can be written for a part: everything but its template arguments.
std::size_t least_width(const NamePart& part) {
  return display_width(part.text) + (part.templated ? 3 : display_width(part.suffix));
}

std::size_t least_width(const NameExpression& expression) {
  std::size_t width = 0;
  for (const NamePart& part : expression) width += least_width(part);
  return width;
}

std::string fit(const NameExpression& expression, std::size_t width) {
  std::string out;
  std::size_t reserved = least_width(expression);
  for (const NamePart& part : expression) {
    reserved -= least_width(part);
    const std::size_t used = display_width(out) + reserved;
    out += fit(part, width > used ? width - used : 0);
  }
  return out;
}

// The arguments that fit into `width`, the first ones first. Of equal neighbours one is written: the type that
// "Functor<float, float, float, Op>" computes with says less than its Op.
std::string fit_arguments(const std::vector<NameExpression>& arguments, std::size_t width) {
  std::string out;
  std::string previous;
  bool omitted = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string whole = to_text(arguments[i]);
    if (i > 0 && whole == previous) {
      if (!omitted) out.append(", ").append(kEllipsis);
      omitted = true;
      continue;
    }
    previous = whole;
    omitted = false;
    const std::size_t separator = i == 0 ? 0 : 2;
    const std::size_t tail = i + 1 < arguments.size() ? 3 : 0;
    const std::size_t used = display_width(out) + separator + tail;
    const std::size_t left = width > used ? width - used : 0;
    if (least_width(arguments[i]) > left && display_width(whole) > left) {
      // An argument that cannot get shorter is cut where a recognisable piece of it remains.
      if (left >= kShortestCut) return out.append(i > 0 ? ", " : "").append(shorten_middle(whole, left + tail));
      if (i == 0) return std::string(kEllipsis);
      if (!out.ends_with(kEllipsis)) out.append(", ").append(kEllipsis);
      return out;
    }
    if (i > 0) out += ", ";
    out += display_width(whole) <= left ? whole : fit(arguments[i], left);
  }
  return out;
}

std::string fit(const NamePart& part, std::size_t width) {
  std::string whole = to_text(part);
  if (!part.templated || display_width(whole) <= width) return whole;
  const std::size_t frame = display_width(part.text) + 2;
  return part.text + "<" + fit_arguments(part.arguments, width > frame ? width - frame : 0) + ">";
}

// The first template argument that is more than a number or a built-in type, or null.
const NamePart* telling_argument(const NamePart& function) {
  for (const NameExpression& argument : function.arguments) {
    for (const NamePart& part : argument) {
      if (part.templated || !part.suffix.empty()) return &part;
    }
  }
  return nullptr;
}

}  // namespace

std::string demangle(std::string_view mangled) {
  std::string name(mangled);
  if (!name.starts_with("_Z") || name.size() > kMaxMangledLength) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || demangled == nullptr) return name;
  return demangled.get();
}

std::string short_kernel_name(std::string_view demangled) {
  const auto function = parse_function_name(demangled);
  if (!function) return std::string(demangled);
  return function->text + function->suffix;
}

std::string distinguishing_kernel_name(std::string_view demangled, std::size_t width) {
  const std::string safe = printable(demangled);
  auto function = parse_function_name(safe);
  if (!function) return shorten_middle(safe, width);
  std::string name = fit(*function, width);
  // Many kernels are one template over different functors: then the functor says more than the template's whole name.
  const NamePart* telling = telling_argument(*function);
  if (telling != nullptr && name.find(telling->text) == std::string::npos) {
    function->text = shorten_middle(function->text, std::max(kShortestCut, width / 3));
    name = fit(*function, width);
  }
  return shorten_middle(name, width);
}

}  // namespace gpuprof
