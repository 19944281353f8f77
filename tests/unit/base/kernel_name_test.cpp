// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "base/text.hpp"
#include "support/catch2_compat.hpp"

using namespace gpuprof;

namespace {

TEST_CASE("symbols are demangled, everything else is left alone") {
  CHECK(demangle("_Z4axpyfPKfPf") == "axpy(float, float const*, float*)");
  CHECK(demangle("_ZN2at6native3fooILi4EEEvi") == "void at::native::foo<4>(int)");
  CHECK(demangle("volta_sgemm_128x64_nt") == "volta_sgemm_128x64_nt");
  CHECK(demangle("_ZNotAName") == "_ZNotAName");
  CHECK(demangle("") == "");
  CHECK(demangle("f") == "f");  // not the type code for float
  CHECK(demangle("_Z\xFF\xFE") == "_Z\xFF\xFE");
  CHECK(demangle("_Z" + std::string(200'000, 'P')).size() == 200'002);
}

TEST_CASE("short names are the bare function") {
  struct Case {
    const char* demangled;
    const char* expected;
  };
  const Case cases[] = {
      {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> "
       ">(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)",
       "vectorized_elementwise_kernel"},
      {"axpy(float, float const*, float*)", "axpy"},
      {"volta_sgemm_128x64_nt", "volta_sgemm_128x64_nt"},
      {"nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT", "nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT"},
      {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 1>(float*, int)", "CatArrayBatchedCopy"},
      {"(anonymous namespace)::k(float*)", "k"},
      {"void foo(int)::{lambda(float)#1}::operator()(float) const", "foo::operator()"},
      {"foo(int)::{lambda(ns::T, float)#1}", "foo::{lambda(T, float)#1}"},
      {"void sum<float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}(int)",
       "sum::{lambda(float, float)#1}"},
      {"bool ns::operator< <int>(ns::A<int>, ns::B)", "ns::operator<"},
      {"ns::operator<<(std::ostream&, int)", "ns::operator<<"},
      {"ns::operator>>(std::istream&, int)", "ns::operator>>"},
      {"ns::operator-> <ns::A<int> >(int)", "ns::operator->"},
      {"ns::Functor<int>::operator()(int) const", "Functor::operator()"},
      {"ns::A::operator bool() const", "A::operator bool"},
      {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, float, 7>(int)", "kernel"},
      {"std::enable_if<((3)>(2)), void>::type ns::k<int>(int)", "k"},
      {"unsigned long ns::count<unsigned long>(unsigned long const*)", "count"},
      {"int* foo(int) [clone .part.0]", "foo"},
      {"foo[abi:cxx11](int)", "foo[abi:cxx11]"},
      {"void k<void (*)(ns::T, int)>(int)", "k"},
      {"void k<(ns::E)3, -2, true, &ns::f>(float*)", "k"},
      {"{\"device\": \"cpu\"}(12): run", "{\"device\": \"cpu\"}(12): run"},
      {"a kernel with spaces", "a kernel with spaces"},
      {"::", "::"},
      {"", ""},
  };
  for (const Case& c : cases) {
    INFO(c.demangled);
    CHECK(short_kernel_name(c.demangled) == c.expected);
  }
}

TEST_CASE("a name for a column keeps what tells instantiations apart") {
  const std::string add =
      "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> "
      ">(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)";
  CHECK(distinguishing_kernel_name(add, 80) ==
        "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, array<char*, 3>>");
  CHECK(distinguishing_kernel_name(add, 60) == "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, …>");
  CHECK(distinguishing_kernel_name(add, 48) == "vectoriz…_kernel<4, CUDAFunctor_add<float>, …>");

  const std::string exp =
      "void at::native::vectorized_elementwise_kernel<4, at::native::exp_kernel_cuda(at::TensorIteratorBase&)::"
      "{lambda()#2}::operator()() const::{lambda()#2}::operator()() const::{lambda(float)#1}, at::detail::Array<char*, "
      "2> >(int, at::native::exp_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() "
      "const::{lambda()#2}::operator()() const::{lambda(float)#1}, at::detail::Array<char*, 2>)";
  CHECK(distinguishing_kernel_name(exp, 72) ==
        "vectorized_elementwise_kernel<4, exp_kernel_cuda::{lambda(float)#1}, …>");

  const std::string functor =
      "void at::native::unrolled_elementwise_kernel<at::native::BinaryFunctor<float, float, float, "
      "at::native::MulFunctor<float> > >(int)";
  CHECK(distinguishing_kernel_name(functor, 72) ==
        "unrolled_elementwise_kernel<BinaryFunctor<float, …, MulFunctor<float>>>");
  CHECK(distinguishing_kernel_name("void k<(cub::Algorithm)3, 2ul, true, ns::T const*>(int)", 40) ==
        "k<3, 2, true, T const*>");
  CHECK(distinguishing_kernel_name("nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT", 20) == "nvjet_hsh_…coopA_NTT");
  CHECK(distinguishing_kernel_name("evil\x1b[0m\n", 40) == "evil\\x1b[0m\\n");
}

TEST_CASE("names fit their column whatever they are") {
  const std::array<std::string, 7> names = {
      "void k<" + std::string(3000, '<') + ">(int)",
      "a<" + std::string(2000, 'b') + ">(int)",
      [] {
        std::string nested = "x";
        for (int i = 0; i < 3000; ++i) nested = "t<" + nested + ">";
        return "void f<" + nested + ">()";
      }(),
      std::string(5000, '('),
      "void f<" + std::string(2000, '{') + ">(int)",
      "operator" + std::string(500, '<') + "(",
      "名前<名前, 名前, 名前, 名前>(名前)",
  };
  for (const std::string& name : names) {
    for (const std::size_t width : {1U, 2U, 8U, 30U, 60U, 200U}) {
      const std::string shown = distinguishing_kernel_name(name, width);
      CHECK(display_width(shown) <= width);
      CHECK(to_valid_utf8(shown) == shown);
    }
    CHECK_FALSE(short_kernel_name(name).empty());
  }
}

}  // namespace
