// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <string>

#include "support/catch2_compat.hpp"

using namespace gpuprof;

namespace {

// Everything a terminal would act on: C0 controls, DEL, C1 controls as UTF-8, bidirectional controls.
bool has_control(const std::string& text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return true;
  }
  for (const char* sequence : {"\xC2\x9B", "\xE2\x80\xAE", "\xE2\x80\xA8", "\xE2\x81\xA6", "\xD8\x9C"}) {
    if (text.find(sequence) != std::string::npos) return true;
  }
  return false;
}

TEST_CASE("bytes that are not UTF-8 become U+FFFD one by one") {
  CHECK(to_valid_utf8("kernel") == "kernel");
  CHECK(to_valid_utf8("名前 🚀 é") == "名前 🚀 é");
  CHECK(to_valid_utf8("a\xFF\xFE"
                      "b") == "a\uFFFD\uFFFDb");
  CHECK(to_valid_utf8("\xC0\xAF") == "\uFFFD\uFFFD");            // overlong '/'
  CHECK(to_valid_utf8("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");  // a surrogate
  CHECK(to_valid_utf8("\xF5\x80\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(to_valid_utf8("\xE2\x82") == "\uFFFD\uFFFD");  // cut off
  CHECK(to_valid_utf8(std::string_view("a\0b", 3)) == std::string("a\0b", 3));
}

TEST_CASE("printable text cannot steer a terminal") {
  CHECK(printable("\x1b[31mred\x1b[0m") == "\\x1b[31mred\\x1b[0m");
  CHECK(printable("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(printable("\xC2\x9B"
                  "1m") == "\\x9b1m");  // the one-character CSI
  CHECK(printable("abc\u202Edef") == "abc\\u{202e}def");
  CHECK(printable("\xFFx") == "\uFFFDx");
  CHECK(printable("größe 名前") == "größe 名前");
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  all += "\u061C\u200E\u200F\u2028\u2029\u202A\u202E\u2066\u2069\uFEFF\u0085";
  const std::string shown = printable(all);
  CHECK_FALSE(has_control(shown));
  CHECK(to_valid_utf8(shown) == shown);
}

TEST_CASE("width counts terminal columns, not bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("kernel") == 6);
  CHECK(display_width("µs…") == 3);
  CHECK(display_width("名前") == 4);
  CHECK(display_width("🚀") == 2);
  CHECK(display_width("e\u0301") == 1);
}

TEST_CASE("shortening keeps both ends and the width") {
  CHECK(shorten_middle("kernel", 6) == "kernel");
  CHECK(shorten_middle("abcdefghij", 7) == "abc…hij");
  CHECK(shorten_middle("abcdefghij", 6) == "abc…ij");
  CHECK(shorten_middle("abc", 1) == "…");
  CHECK(shorten_middle("abc", 0).empty());
  for (std::size_t width = 0; width < 14; ++width) {
    const std::string shortened = shorten_middle("名前の長い核の名", width);
    CHECK(display_width(shortened) <= width);
    CHECK(to_valid_utf8(shortened) == shortened);
  }
}

TEST_CASE("padding counts columns") {
  CHECK(pad_right("µs", 4) == "µs  ");
  CHECK(pad_left("µs", 4) == "  µs");
  CHECK(pad_left("long", 2) == "long");
  CHECK(pad_right("名", 3) == "名 ");
}

TEST_CASE("wrapping breaks at spaces only") {
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("a-word-that-is-too-long b", 5) == std::vector<std::string>{"a-word-that-is-too-long", "b"});
  CHECK(wrap("", 5) == std::vector<std::string>{""});
  CHECK(wrap("  spaces   collapse ", 40) == std::vector<std::string>{"spaces collapse"});
}

}  // namespace
