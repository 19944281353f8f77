// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "script.hpp"

#include <sstream>
#include <stdexcept>
#include <utility>

namespace fake_target {
namespace {

Step parse_step(const std::string& argument) {
  Step step;
  const std::size_t equals = argument.find('=');
  step.name = argument.substr(0, equals);
  if (equals == std::string::npos) return step;
  std::istringstream values(argument.substr(equals + 1));
  for (std::string value; std::getline(values, value, ',');) {
    const std::size_t inner = value.find('=');
    if (inner == std::string::npos) {
      step.values.push_back(value);
    } else {
      step.options.emplace_back(value.substr(0, inner), value.substr(inner + 1));
    }
  }
  return step;
}

std::vector<Step> parse(const std::vector<std::string>& arguments, std::size_t& position, bool nested) {
  std::vector<Step> steps;
  while (position < arguments.size()) {
    const std::string& argument = arguments[position++];
    if (argument == "}") {
      if (!nested) throw std::runtime_error("a } without its {");
      return steps;
    }
    if (argument == "{") {
      if (steps.empty()) throw std::runtime_error("a { without a step before it");
      const std::size_t begin = position;
      steps.back().body = parse(arguments, position, true);
      steps.back().body_arguments.assign(arguments.begin() + static_cast<std::ptrdiff_t>(begin),
                                         arguments.begin() + static_cast<std::ptrdiff_t>(position) - 1);
      continue;
    }
    steps.push_back(parse_step(argument));
  }
  if (nested) throw std::runtime_error("a { without its }");
  return steps;
}

}  // namespace

std::string Step::text(std::size_t index, std::string_view otherwise) const {
  return index < values.size() ? values[index] : std::string(otherwise);
}

std::uint64_t Step::number(std::size_t index, std::uint64_t otherwise) const {
  return index < values.size() ? std::stoull(values[index]) : otherwise;
}

std::string Step::option(std::string_view key, std::string_view otherwise) const {
  for (const auto& [option_key, value] : options) {
    if (option_key == key) return value;
  }
  return std::string(otherwise);
}

std::vector<Step> parse_script(const std::vector<std::string>& arguments) {
  std::size_t position = 0;
  return parse(arguments, position, false);
}

}  // namespace fake_target
