// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON text from outside, and places in it.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gpuprof::model {

// Parses strictly: besides what is not JSON, refuses fields that occur twice in one object and nesting deeper than any
// report. Throws Error that names `name`, and the byte or the field.
nlohmann::json parse_json(std::string_view text, const std::string& name);

// A value inside a document with the way to it, so that messages can name the place. Refers to its parent and the
// document: both must outlive it.
class Place {
 public:
  Place(const nlohmann::json& document, const std::string& name) : value_(document), name_(&name) {}
  Place(const Place& parent, const char* key, const nlohmann::json& value)
      : value_(value), parent_(&parent), key_(key) {}
  Place(const Place& parent, std::size_t index, const nlohmann::json& value)
      : value_(value), parent_(&parent), index_(index) {}

  const nlohmann::json& value() const { return value_; }

  // Throws Error: the document's name, the path ("kernels[3].launches"), `problem` ("is missing").
  [[noreturn]] void fail(const std::string& problem) const;
  // Throws Error: the value is not `expected` ("a string").
  [[noreturn]] void fail_type(const std::string& expected) const;

 private:
  std::string path() const;
  const std::string& document_name() const { return parent_ ? parent_->document_name() : *name_; }

  const nlohmann::json& value_;
  const Place* parent_ = nullptr;
  const std::string* name_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace gpuprof::model
