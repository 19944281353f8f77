// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Text that comes from programs (kernel names, arguments, paths): demangled, shortened, and made safe to show. Input
// may be any bytes. Depends on the C++ standard library only, so that the injected library can use it.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuprof {

// The C++ name behind a mangled symbol, or the input itself when it is not one (C names, JIT-compiled kernels).
std::string demangle(std::string_view mangled);

// The bare function name of a demangled signature: without return type, namespaces, template arguments and parameters.
// "void at::native::foo<4, float>(int)" is "foo". Lambdas and operators keep the scope they are in:
// "foo::{lambda(float)#1}", "Functor::operator()". Names that are not C++ signatures come back unchanged.
std::string short_kernel_name(std::string_view demangled);

// The name for a column of `width` characters, keeping what tells instantiations of one template apart: namespaces and
// parameters are dropped, and template arguments are left out from the end until the name fits, the omission shown as
// "…": "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, …>". A name that still does not fit is cut in the
// middle. The result is valid UTF-8 without control characters.
std::string distinguishing_kernel_name(std::string_view demangled, std::size_t width);

// The text with every byte that is not part of valid UTF-8 replaced by U+FFFD.
std::string to_valid_utf8(std::string_view bytes);

// Valid UTF-8 that is safe on a terminal and stays on one line: control characters are written as \n, \t, \r or \xNN,
// bidirectional controls and line separators as \u{NNNN}.
std::string printable(std::string_view bytes);

// Terminal columns that valid UTF-8 takes: 2 for wide East Asian characters and emoji, 0 for combining marks.
std::size_t display_width(std::string_view utf8);

// `utf8` itself if it fits into `width` columns, else its beginning and end around "…".
std::string shorten_middle(std::string_view utf8, std::size_t width);

// `utf8` followed or preceded by spaces up to `width` columns; longer text is returned as it is.
std::string pad_right(std::string_view utf8, std::size_t width);
std::string pad_left(std::string_view utf8, std::size_t width);

// `utf8` broken at spaces into lines of at most `width` columns. A longer word keeps a line of its own; the result has
// at least one line.
std::vector<std::string> wrap(std::string_view utf8, std::size_t width);

}  // namespace gpuprof
