// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "model/enum_names.hpp"

#include <set>
#include <string>

#include "support/catch2_compat.hpp"

using namespace gpuprof;

namespace {

template <typename Enum>
void check_names(std::size_t count) {
  std::set<std::string> names;
  for (const auto& entry : model::enum_names(Enum{})) {
    CHECK(std::string(to_string(entry.value)) == entry.name);
    names.insert(entry.name);
  }
  CHECK(names.size() == count);
}

TEST_CASE("every enumerator has a name of its own") {
  check_names<ValueState>(4);
  check_names<Severity>(3);
  check_names<EndKind>(6);
  check_names<IdleCause>(9);
  CHECK(std::string(to_string(ValueState::not_measured)) == "not_measured");
}

}  // namespace
