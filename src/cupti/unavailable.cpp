// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the rest of this folder where the CUDA Toolkit's headers were not found at build time.
#include "base/error.hpp"
#include "cupti/host.hpp"

namespace gpuprof::cupti {

std::unique_ptr<Host> Host::open(const std::string&) {
  throw Error("this gpuprof was built without the CUDA Toolkit's headers, so it cannot use CUPTI",
              "Install the CUDA Toolkit 12.9 or later and build again with -DGPUPROF_COLLECTOR=ON.");
}

}  // namespace gpuprof::cupti
