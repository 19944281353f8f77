// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the example programs share: checked CUDA calls, device memory, command-line flags and a stopwatch. Every program
// exits with 0 when its result is right, 1 when it is wrong or a CUDA call failed, and 2 for a wrong command line.

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace example {

// Ends the program with a message when `result` is a failure. `call` is the function that returned it.
inline void check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s failed: %s (%s)\n", call, cudaGetErrorString(result), cudaGetErrorName(result));
  std::exit(1);
}

// Ends the program when the launch just made was refused.
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

// `count` elements of device memory. The destructor is best effort: at exit the driver may be gone already.
template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t count) { check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc"); }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

template <typename T>
std::vector<T> copy_to_host(const DeviceBuffer<T>& buffer, std::size_t count) {
  std::vector<T> host(count);
  check(cudaMemcpy(host.data(), buffer.get(), count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return host;
}

// Flags of the form `--name number` and `--name`. Ask for every flag, then call finish().
class Arguments {
 public:
  // `usage` is printed for --help and after an error.
  Arguments(int argc, char** argv, const char* usage) : words_(argv + 1, argv + argc), usage_(usage) {
    if (given("--help")) {
      std::printf("%s\n", usage_);
      std::exit(0);
    }
  }

  // The number after `name`, at least `minimum`; `fallback` when the flag is absent.
  long long number(const char* name, long long fallback, long long minimum = 1) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] != name) continue;
      if (i + 1 == words_.size()) fail(words_[i] + " needs a number");
      char* end = nullptr;
      const long long value = std::strtoll(words_[i + 1].c_str(), &end, 10);
      if (end == words_[i + 1].c_str() || *end != 0 || value < minimum) {
        fail(words_[i] + " needs a whole number of at least " + std::to_string(minimum));
      }
      used_.insert({i, i + 1});
      return value;
    }
    return fallback;
  }

  bool given(const char* name) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] == name) {
        used_.insert(i);
        return true;
      }
    }
    return false;
  }

  // Ends the program with status 2 when a word was not asked for.
  void finish() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (used_.count(i) == 0) fail("unknown argument " + words_[i]);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "%s\n%s\n", message.c_str(), usage_);
    std::exit(2);
  }

  std::vector<std::string> words_;
  std::set<std::size_t> used_;
  const char* usage_;
};

// Wall time since construction.
class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The exit status for a verified result; says so when it is wrong.
inline int verdict(bool correct, const char* program) {
  if (!correct) std::fprintf(stderr, "%s: wrong result\n", program);
  return correct ? 0 : 1;
}

// Blocks of `block` threads that cover `count` elements.
inline unsigned blocks_for(long long count, int block) {
  return static_cast<unsigned>((count + block - 1) / block);
}

}  // namespace example
