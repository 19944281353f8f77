// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The call that launches a kernel, shared by plain launches and stream capture.

#include <functional>

#include "device.hpp"

namespace fake_cupti {

// Makes the launch call with its callbacks. `body` is what the call does when it succeeds. Returns the call's result.
int launch_kernel(const KernelWork& work, CUstream stream, const std::function<void(const Origin&)>& body);

}  // namespace fake_cupti
