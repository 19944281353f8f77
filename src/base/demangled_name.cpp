// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/demangled_name.hpp"

#include <algorithm>
#include <cstddef>

#include "base/bracket_map.hpp"

namespace gpuprof {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
// Expression templates of CUTLASS reach about 20 levels; the limit bounds the recursion over hostile names.
constexpr int kMaxDepth = 40;

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// One step of a qualified name: "native" or "foo<int>(float) const" in at::native::foo<int>(float) const::bar.
struct Component {
  Range name;
  Range arguments;
  bool templated = false;
  bool has_parameters = false;
};

struct QualifiedName {
  std::vector<Component> components;
  std::size_t end = 0;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), brackets_(text) {}

  std::optional<NamePart> function() const;

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  bool starts_with(std::size_t i, std::string_view prefix) const { return text_.substr(i, prefix.size()) == prefix; }
  std::string_view view(Range range) const { return text_.substr(range.begin, range.end - range.begin); }
  bool starts_name(std::size_t i) const;
  std::size_t name_end(std::size_t i) const;
  std::size_t skip_qualifiers(std::size_t i) const;
  bool only_qualifiers_left(std::size_t i) const;
  std::optional<QualifiedName> qualified_name(std::size_t i) const;
  bool is_scope_inside_function(const Component& component) const;
  NamePart part(const QualifiedName& name, int depth) const;
  std::string nested_scope(Range name, int depth) const;
  NameExpression expression(Range range, int depth) const;
  std::vector<NameExpression> list(Range range, int depth) const;

  std::string_view text_;
  BracketMap brackets_;
};

bool Parser::starts_name(std::size_t i) const {
  const char c = at(i);
  return (is_identifier_char(c) && !(c >= '0' && c <= '9')) || c == '{' || c == '~' || c == '\'' ||
         (c == ':' && at(i + 1) == ':') || starts_with(i, kAnonymous);
}

// The end of the name of one component, template arguments and parameters not included; `i` itself when there is none.
std::size_t Parser::name_end(std::size_t i) const {
  if (starts_with(i, kAnonymous)) return i + kAnonymous.size();
  if (at(i) == '{') {
    const std::size_t close = brackets_.close_of(i);
    return close == BracketMap::kNone ? i : close + 1;
  }
  if (at(i) == '\'') {  // clang's 'lambda'(int)
    const std::size_t close = text_.find('\'', i + 1);
    return close == std::string_view::npos ? i : close + 1;
  }
  if (const std::size_t length = operator_length(text_, i)) {
    std::size_t end = i + length;
    if (at(end) == ' ' && at(end + 1) == '<') return end;
    if (at(end) == ' ') {  // a conversion operator, or operator new: the type belongs to the name
      while (end < text_.size() && text_[end] != '(') {
        const std::size_t close = brackets_.close_of(end);
        end = close == BracketMap::kNone ? end + 1 : close + 1;
      }
    }
    while (is_identifier_char(at(end))) ++end;  // operator""_suffix
    return end;
  }
  std::size_t end = i;
  if (at(end) == '~') ++end;
  while (is_identifier_char(at(end))) ++end;
  while (starts_with(end, "[abi:") && brackets_.close_of(end) != BracketMap::kNone) end = brackets_.close_of(end) + 1;
  return end;
}

std::size_t Parser::skip_qualifiers(std::size_t i) const {
  for (bool found = true; found;) {
    found = false;
    for (std::string_view word : {" const", " volatile", " &&", " &", " noexcept"}) {
      if (starts_with(i, word)) {
        i += word.size();
        found = true;
      }
    }
  }
  return i;
}

bool Parser::only_qualifiers_left(std::size_t i) const {
  i = skip_qualifiers(i);
  while (starts_with(i, " [") && brackets_.close_of(i + 1) != BracketMap::kNone) i = brackets_.close_of(i + 1) + 1;
  return i == text_.size();
}

std::optional<QualifiedName> Parser::qualified_name(std::size_t i) const {
  QualifiedName result;
  if (starts_with(i, "::")) i += 2;
  while (true) {
    Component component;
    component.name = {i, name_end(i)};
    if (component.name.end == i) return std::nullopt;
    i = component.name.end;
    if (at(i) == ' ' && at(i + 1) == '<') ++i;  // "operator< <int>"
    if (at(i) == '<' && brackets_.close_of(i) != BracketMap::kNone) {
      component.templated = true;
      component.arguments = {i + 1, brackets_.close_of(i)};
      i = component.arguments.end + 1;
    }
    if (at(i) == '(' && brackets_.close_of(i) != BracketMap::kNone && !starts_with(i, kAnonymous)) {
      component.has_parameters = true;
      i = brackets_.close_of(i) + 1;
      if (const std::size_t after = skip_qualifiers(i); starts_with(after, "::")) i = after;
    }
    result.components.push_back(component);
    if (!starts_with(i, "::")) break;
    i += 2;
  }
  result.end = i;
  return result;
}

bool Parser::is_scope_inside_function(const Component& component) const {
  const char c = at(component.name.begin);
  return c == '{' || c == '\'' || operator_length(text_, component.name.begin) > 0;
}

// "{lambda(ns::Thing<int> const&)#1}" with its parameter types shortened like any other.
std::string Parser::nested_scope(Range name, int depth) const {
  const std::size_t open = text_.find('(', name.begin);
  if (at(name.begin) != '{' || open >= name.end || brackets_.close_of(open) == BracketMap::kNone) {
    return std::string(view(name));
  }
  std::string out(view({name.begin, open + 1}));
  const std::size_t close = brackets_.close_of(open);
  bool first = true;
  for (const NameExpression& parameter : list({open + 1, close}, depth + 1)) {
    if (!first) out += ", ";
    first = false;
    out += to_text(parameter);
  }
  return out + std::string(view({close, name.end}));
}

NamePart Parser::part(const QualifiedName& name, int depth) const {
  const auto& components = name.components;
  std::size_t anchor = components.size() - 1;
  while (anchor > 0 && is_scope_inside_function(components[anchor])) --anchor;
  // Nothing but operators and lambdas in a namespace without a name.
  if (at(components[anchor].name.begin) == '(') anchor = components.size() - 1;
  NamePart result;
  result.text = std::string(view(components[anchor].name));
  result.templated = components[anchor].templated;
  if (result.templated) result.arguments = list(components[anchor].arguments, depth + 1);
  if (anchor + 1 < components.size()) result.suffix = "::" + nested_scope(components.back().name, depth);
  return result;
}

std::vector<NameExpression> Parser::list(Range range, int depth) const {
  std::vector<NameExpression> items;
  if (range.begin == range.end) return items;
  if (depth > kMaxDepth) {
    items.push_back({NamePart{"…", false, {}, {}}});
    return items;
  }
  std::size_t begin = range.begin;
  for (std::size_t i = range.begin; i <= range.end; ++i) {
    if (i == range.end || text_[i] == ',') {
      items.push_back(expression({begin, i}, depth));
      begin = i + 1;
    } else if (const std::size_t length = operator_length(text_, i)) {
      i += length - 1;
    } else if (const std::size_t close = brackets_.close_of(i); close != BracketMap::kNone && close < range.end) {
      i = close;
    }
  }
  return items;
}

NameExpression Parser::expression(Range range, int depth) const {
  NameExpression result;
  const auto add_text = [&result](std::string_view text) {
    if (result.empty() || result.back().templated || !result.back().suffix.empty()) result.emplace_back();
    result.back().text += text;
  };
  std::size_t i = range.begin;
  while (i < range.end && text_[i] == ' ') ++i;
  std::size_t end = range.end;
  while (end > i && text_[end - 1] == ' ') --end;
  const std::size_t begin = i;
  while (i < end) {
    if (starts_name(i)) {
      const auto name = qualified_name(i);
      if (name && name->end <= end) {
        NamePart named = part(*name, depth);
        if (named.templated || !named.suffix.empty()) {
          // The text collected so far stays a part of its own.
          result.push_back(std::move(named));
        } else {
          add_text(named.text);
        }
        i = name->end;
        continue;
      }
    }
    if (text_[i] >= '0' && text_[i] <= '9') {
      std::size_t stop = i;
      while (stop < end && is_identifier_char(text_[stop])) ++stop;
      std::string_view digits = view({i, stop});
      if (digits.substr(0, 2) != "0x") digits = digits.substr(0, digits.find_last_not_of("ulUL") + 1);
      add_text(digits);
      i = stop;
      continue;
    }
    const std::size_t close = brackets_.close_of(i);
    if (text_[i] == '(' && close != BracketMap::kNone && close < end && depth < kMaxDepth) {
      const bool is_cast = i == begin && close + 1 < end && text_[close + 1] != ' ';  // "(cub::Algorithm)3"
      if (!is_cast) {
        add_text("(");
        for (NamePart& inner : expression({i + 1, close}, depth + 1)) result.push_back(std::move(inner));
        add_text(")");
      }
      i = close + 1;
      continue;
    }
    add_text(text_.substr(i, 1));
    ++i;
  }
  return result;
}

std::optional<NamePart> Parser::function() const {
  std::size_t i = 0;
  while (i < text_.size()) {
    if (starts_name(i)) {
      const auto name = qualified_name(i);
      if (!name) return std::nullopt;
      const bool is_function = name->components.back().has_parameters && only_qualifiers_left(name->end);
      const bool is_whole_text = i == 0 && name->end == text_.size();
      if (is_function || is_whole_text) return part(*name, 0);
      i = name->end;
    } else if (const std::size_t close = brackets_.close_of(i); close != BracketMap::kNone) {
      i = close + 1;
    } else {
      ++i;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<NamePart> parse_function_name(std::string_view signature) {
  return Parser(signature).function();
}

std::string to_text(const NamePart& part) {
  std::string out = part.text;
  if (part.templated) {
    out += '<';
    for (std::size_t i = 0; i < part.arguments.size(); ++i) {
      if (i > 0) out += ", ";
      out += to_text(part.arguments[i]);
    }
    out += '>';
  }
  return out + part.suffix;
}

std::string to_text(const NameExpression& expression) {
  std::string out;
  for (const NamePart& part : expression) out += to_text(part);
  return out;
}

}  // namespace gpuprof
