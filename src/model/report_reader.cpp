// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/enum_names.hpp"
#include "model/json_input.hpp"
#include "model/report_fields.hpp"
#include "model/report_json.hpp"

namespace gpuprof::model {
namespace {

using Json = nlohmann::json;

class Reader {
 public:
  template <class T>
  using Ref = T&;

  explicit Reader(const Place& place) : place_(place) {
    if (!place.value().is_object()) place.fail_type("an object");
  }

  template <class T>
  void field(const char* name, T& value) {
    const Json& json = required(name);
    read(Place(place_, name, json), value);
  }

  template <class T>
  void added(const char* name, T& value) {
    const auto found = place_.value().find(name);
    if (found != place_.value().end()) read(Place(place_, name, *found), value);
  }

  template <class T>
  void added(const char* name, T& value, const T& older) {
    value = older;
    added(name, value);
  }

  template <class T>
  void known(const char* name, T& value) {
    const Json& json = required(name);
    if (!json.is_null()) read(Place(place_, name, json), value);
  }

  template <class T>
  void known_if(bool, const char* name, T& value) {
    known(name, value);
  }

  void omit_empty(const char* name, std::string& text) { added(name, text); }

  template <class T>
  void derived(const char*, const T&) {}

  template <class Visit>
  void object(const char* name, const Visit& visit) {
    const Place place(place_, name, required(name));
    Reader reader(place);
    visit(reader);
  }

 private:
  const Json& required(const char* name) const {
    const auto found = place_.value().find(name);
    if (found == place_.value().end()) Place(place_, name, place_.value()).fail("is missing");
    return *found;
  }

  template <class T>
  static void read(const Place& place, T& value) {
    if constexpr (std::is_enum_v<T>) {
      read_enum(place, value);
    } else if constexpr (std::is_integral_v<T>) {
      read_integer(place, value);
    } else {
      Reader reader(place);
      fields(reader, value);
    }
  }

  static void read(const Place& place, bool& value) {
    if (!place.value().is_boolean()) place.fail_type("true or false");
    value = place.value().get<bool>();
  }

  static void read(const Place& place, std::string& value) {
    if (!place.value().is_string()) place.fail_type("a string");
    value = place.value().get_ref<const std::string&>();
  }

  // The writer's null for "not finite" comes back as NaN.
  static void read(const Place& place, double& value) {
    if (!place.value().is_number() && !place.value().is_null()) place.fail_type("a number");
    value = place.value().is_null() ? std::numeric_limits<double>::quiet_NaN() : place.value().get<double>();
  }

  template <class T>
  static void read(const Place& place, std::optional<T>& value) {
    if (place.value().is_null()) return value.reset();
    read(place, value.emplace());
  }

  template <class T>
  static void read_integer(const Place& place, T& value) {
    const char* expected = std::is_signed_v<T> ? "an integer" : "a non-negative integer";
    const Json& json = place.value();
    const bool has_type = std::is_signed_v<T> ? json.is_number_integer() : json.is_number_unsigned();
    if (!has_type) place.fail_type(expected);
    const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                : std::in_range<T>(json.get<std::int64_t>());
    if (!fits) place.fail_type(std::string(expected) + " of " + std::to_string(8 * sizeof(T)) + " bits");
    value = json.get<T>();
  }

  template <class T>
  static void read_enum(const Place& place, T& value) {
    std::string names;
    for (const EnumName<T>& entry : enum_names(value)) {
      if (place.value() == entry.name) {
        value = entry.value;
        return;
      }
      names += (names.empty() ? "\"" : ", \"") + std::string(entry.name) + "\"";
    }
    place.fail_type("one of " + names);
  }

  static void read(const Place& place, Dim3& value) {
    if (!place.value().is_array() || place.value().size() != 3) place.fail_type("an array of three integers");
    std::uint32_t* const components[] = {&value.x, &value.y, &value.z};
    for (std::size_t i = 0; i < 3; ++i) read_integer(Place(place, i, place.value()[i]), *components[i]);
  }

  template <class T>
  static void read(const Place& place, std::vector<T>& items) {
    if (!place.value().is_array()) place.fail_type("an array");
    items.clear();
    for (const Json& json : place.value()) {
      const Place item(place, items.size(), json);
      read(item, items.emplace_back());
    }
  }

  template <class T>
  static void read(const Place& place, std::map<std::string, T>& items) {
    if (!place.value().is_object()) place.fail_type("an object");
    for (const auto& [name, json] : place.value().items()) read(Place(place, name.c_str(), json), items[name]);
  }

  const Place& place_;
};

// The major version of "gpuprof.report/<version>", or nothing when `schema` is something else.
std::optional<unsigned long> schema_version(std::string_view schema) {
  const std::string_view prefix =
      std::string_view(kReportSchema).substr(0, std::string_view(kReportSchema).find('/') + 1);
  if (!schema.starts_with(prefix)) return std::nullopt;
  const std::string version(schema.substr(prefix.size()));
  if (version.empty() || version.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::strtoul(version.c_str(), nullptr, 10);
}

void check_schema(const Json& document, const std::string& name) {
  const auto schema = document.is_object() ? document.find("schema") : document.end();
  if (schema == document.end() || !schema->is_string()) {
    throw Error(printable(name) + " is not a gpuprof report: it has no \"schema\" field",
                "Name a session directory or the report.json inside one.");
  }
  const auto& text = schema->get_ref<const std::string&>();
  const auto version = schema_version(text);
  const std::string shown = shorten_middle(printable(text), 60);
  if (!version || *version == 0) {
    throw Error(printable(name) + " is not a gpuprof report: its schema is \"" + shown + "\"",
                "Name a session directory or the report.json inside one.");
  }
  if (*version > schema_version(kReportSchema)) {
    throw Error(printable(name) + " was written by a newer gpuprof: its schema is \"" + shown +
                    "\", this one reads \"" + kReportSchema + "\"",
                "Update gpuprof.");
  }
}

}  // namespace

Report report_from_json(std::string_view text, const std::string& name) {
  const Json document = parse_json(text, name);
  check_schema(document, name);
  Report report;
  const Place root(document, name);
  Reader reader(root);
  fields(reader, report);
  return report;
}

}  // namespace gpuprof::model
