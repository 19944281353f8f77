// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

// The test runner's main() for Catch2 releases that ship no library with one.
#define CATCH_CONFIG_MAIN
#include "support/catch2_compat.hpp"
