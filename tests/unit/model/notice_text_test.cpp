// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "model/notice_text.hpp"

#include <set>

#include "support/catch2_compat.hpp"

using gpuprof::Notice;
using gpuprof::Severity;
using gpuprof::trace::NoticeCode;
namespace model = gpuprof::model;

TEST_CASE("every notice code has its own name, a text and a next step") {
  std::set<std::string> names;
  for (auto code = std::uint32_t(NoticeCode::cupti_not_found); code <= std::uint32_t(NoticeCode::capture_not_started);
       ++code) {
    CAPTURE(code);
    const Notice notice = model::notice_from({NoticeCode(code), 0, ""}, 7);
    CHECK(notice.code != "collector.unknown");
    CHECK(names.insert(notice.code).second);
    CHECK_THAT(notice.text, ContainsSubstring("(process 7)"));
    CHECK_FALSE(notice.hint.empty());
    CHECK(notice.hint.back() == '.');
  }
}

TEST_CASE("a notice carries the record's detail") {
  const gpuprof::trace::NoticeRecord record{NoticeCode::cupti_subscriber_held, 0, "Nsight Systems"};
  const Notice notice = model::notice_from(record, 12);
  CHECK(notice.code == "cupti.subscriber_held");
  CHECK(notice.severity == Severity::error);
  CHECK_THAT(notice.text, ContainsSubstring(": Nsight Systems (process 12)"));
  CHECK_THAT(model::describe(record), ContainsSubstring("Nsight Systems"));
}

TEST_CASE("the permission notice names both ways to get the permission") {
  const Notice notice = model::notice_from({NoticeCode::counters_permission, 0, ""}, 1);
  CHECK_THAT(notice.hint, ContainsSubstring("NVreg_RestrictProfilingToAdminUsers=0"));
  CHECK_THAT(notice.hint, ContainsSubstring("CAP_SYS_ADMIN"));
  CHECK_THAT(notice.hint, ContainsSubstring("--cap-add SYS_ADMIN"));
}

TEST_CASE("a code of a later version is told by its number") {
  const Notice notice = model::notice_from({NoticeCode(4711), 0, "new"}, 1);
  CHECK(notice.code == "collector.unknown");
  CHECK_THAT(notice.text, ContainsSubstring("4711"));
}

TEST_CASE("what notices mean for the counters") {
  using model::CounterEffect;
  CHECK(model::counter_effect(NoticeCode::counters_permission) == CounterEffect::prevented);
  CHECK(model::counter_effect(NoticeCode::counters_busy) == CounterEffect::prevented);
  CHECK(model::counter_effect(NoticeCode::cupti_not_found) == CounterEffect::prevented);
  CHECK(model::counter_effect(NoticeCode::counters_error) == CounterEffect::interrupted);
  CHECK(model::counter_effect(NoticeCode::window_discarded) == CounterEffect::none);
  CHECK(model::counter_effect(NoticeCode(4711)) == CounterEffect::none);
}
