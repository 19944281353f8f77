// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the CUDA driver says about itself and its devices. Nothing of CUDA is linked or included: libcuda is opened at
// run time with declarations of our own, in a child process.

#include <string>
#include <vector>

namespace gpuprof::workflow {

struct CudaDevice {
  std::string name;
  int compute_major = 0;
  int compute_minor = 0;
};

struct CudaProbe {
  std::string library;   // file that was opened; empty when none could be
  std::string failure;   // why there is no usable driver; empty when there is one
  int cuda_version = 0;  // 13000 for CUDA 13.0; 0 when unknown
  std::vector<CudaDevice> devices;
};

CudaProbe probe_cuda();

// "13.0" for 13000.
std::string cuda_version_text(int version);

}  // namespace gpuprof::workflow
