// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json_input.hpp"

#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace gpuprof::model {
namespace {

using Json = nlohmann::json;

constexpr const char* kDamagedHint =
    "The file is damaged or was not written by gpuprof: record the session again, or restore the file.";
// A report nests 6 levels deep.
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxQuoted = 60;

std::string in_quotes(std::string_view text) {
  return "\"" + shorten_middle(printable(text), kMaxQuoted) + "\"";
}

[[noreturn]] void fail_document(const std::string& name, const std::string& problem) {
  throw Error(printable(name) + " " + problem, kDamagedHint);
}

// Watches the parser's events for what it accepts and a report must not contain.
class Watcher {
 public:
  explicit Watcher(const std::string& name) : name_(name) {}

  void on(int depth, Json::parse_event_t event, const Json& value) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        if (depth > kMaxDepth) {
          fail_document(name_, "is not a report: its values nest deeper than " + std::to_string(kMaxDepth) + " levels");
        }
        keys_.emplace_back();
        break;
      case Json::parse_event_t::object_end:
      case Json::parse_event_t::array_end:
        keys_.pop_back();
        break;
      case Json::parse_event_t::key:
        if (const auto& key = value.get_ref<const std::string&>(); !keys_.back().insert(key).second) {
          fail_document(name_, "has the field " + in_quotes(key) + " twice in one object");
        }
        break;
      case Json::parse_event_t::value:
        break;
    }
  }

 private:
  const std::string& name_;
  std::vector<std::unordered_set<std::string>> keys_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& name) {
  Watcher watcher(name);
  const Json::parser_callback_t watch = [&watcher](int depth, Json::parse_event_t event, Json& value) {
    watcher.on(depth, event, value);
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    if (text.empty()) fail_document(name, "is empty");
    fail_document(name, error.byte > text.size()
                            ? "ends in the middle of a JSON value"
                            : "is not JSON: unexpected text at byte " + std::to_string(error.byte));
  } catch (const Json::out_of_range&) {
    fail_document(name, "holds a number that is too large");
  }
}

std::string Place::path() const {
  if (!parent_) return {};
  const std::string above = parent_->path();
  if (!key_) return above + "[" + std::to_string(index_) + "]";
  const std::string key = shorten_middle(printable(key_), kMaxQuoted);
  return above.empty() ? key : above + "." + key;
}

void Place::fail(const std::string& problem) const {
  const std::string where = path();
  fail_document(document_name(), where.empty() ? problem : "is not a valid report: " + where + " " + problem);
}

void Place::fail_type(const std::string& expected) const {
  std::string found = value_.type_name();
  if (value_.is_string()) found += " " + in_quotes(value_.get_ref<const std::string&>());
  if (value_.is_number() || value_.is_boolean()) found += " " + value_.dump();
  fail("must be " + expected + ", not " + found);
}

}  // namespace gpuprof::model
