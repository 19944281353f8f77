// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "model/report_fields.hpp"
#include "model/report_json.hpp"
#include "model/report_value.hpp"

namespace gpuprof::model {
namespace {

using Json = nlohmann::ordered_json;

class Writer {
 public:
  template <class T>
  using Ref = const T&;

  explicit Writer(Json& object) : object_(object) {}

  template <class T>
  void field(const char* name, const T& value) {
    object_[name] = to_value(value);
  }

  template <class T>
  void added(const char* name, const T& value) {
    field(name, value);
  }

  template <class T>
  void added(const char* name, const T& value, const T&) {
    field(name, value);
  }

  template <class T>
  void known(const char* name, const T& value) {
    known_if(value != T{}, name, value);
  }

  template <class T>
  void known_if(bool is_known, const char* name, const T& value) {
    object_[name] = is_known ? to_value(value) : Json();
  }

  void omit_empty(const char* name, const std::string& text) {
    if (!text.empty()) object_[name] = text;
  }

  template <class T>
  void derived(const char* name, const T& value) {
    object_[name] = value;
  }

  template <class Visit>
  void object(const char* name, const Visit& visit) {
    Json inner = Json::object();
    Writer writer(inner);
    visit(writer);
    object_[name] = std::move(inner);
  }

  template <class T>
  static Json to_value(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return to_string(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::isfinite(value) ? Json(value) : Json();
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return value;
    } else {
      Json object = Json::object();
      Writer writer(object);
      fields(writer, value);
      return object;
    }
  }

 private:
  static Json to_value(const Dim3& value) { return {value.x, value.y, value.z}; }

  template <class T>
  static Json to_value(const std::optional<T>& value) {
    return value ? to_value(*value) : Json();
  }

  static Json to_value(const CounterValue& value) {
    CounterValue finite = value;
    if (finite.mean && !std::isfinite(*finite.mean)) {
      finite.mean.reset();
      finite.stddev.reset();
      finite.state = ValueState::not_measured;
      if (finite.reason.empty()) finite.reason = "the measured value is not a finite number";
    }
    Json object = Json::object();
    Writer writer(object);
    fields(writer, finite);
    return object;
  }

  template <class T>
  static Json to_value(const std::vector<T>& items) {
    Json array = Json::array();
    for (const T& item : items) array.push_back(to_value(item));
    return array;
  }

  template <class T>
  static Json to_value(const std::map<std::string, T>& items) {
    Json object = Json::object();
    for (const auto& [name, item] : items) object[name] = to_value(item);
    return object;
  }

  Json& object_;
};

}  // namespace

Json kernel_value(const KernelReport& kernel) {
  return Writer::to_value(kernel);
}

Json selection_value(const SelectionReport& selection) {
  return Writer::to_value(selection);
}

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string report_to_json(const Report& report) {
  Json document = Json::object();
  document["schema"] = kReportSchema;
  Writer writer(document);
  fields(writer, report);
  return json_text(document);
}

}  // namespace gpuprof::model
