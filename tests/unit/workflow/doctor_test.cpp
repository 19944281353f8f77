// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <thread>

#include "support/catch2_compat.hpp"
#include "workflow/doctor_checks.hpp"
#include "workflow/environment_info.hpp"
#include "workflow/isolated_call.hpp"

using namespace gpuprof::workflow;

TEST_CASE("the driver version is found in both spellings of its file") {
  CHECK(driver_version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue Jun  6 22:20:39 UTC 2023\n"
                          "GCC version:  gcc version 12.2.0\n") == "535.54.03");
  CHECK(driver_version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build\n") ==
        "580.159.04");
  CHECK(driver_version_in("something else\nGCC version 12.2.0\n").empty());
}

TEST_CASE("who may read counters is told from the driver's parameters") {
  CHECK(profiling_admin_only("ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n") == 1);
  CHECK(profiling_admin_only("RmProfilingAdminOnly: 0\n") == 0);
  CHECK(profiling_admin_only("EnableMSI: 1\n") == -1);
}

TEST_CASE("CAP_SYS_ADMIN is bit 21 of the effective capabilities") {
  CHECK(has_sys_admin("Name:\tx\nCapEff:\t000001ffffffffff\n"));
  CHECK(has_sys_admin("CapEff:\t0000000000200000\n"));
  CHECK_FALSE(has_sys_admin("CapEff:\t00000000a80425fb\n"));
  CHECK_FALSE(has_sys_admin("CapPrm:\t000001ffffffffff\n"));
}

TEST_CASE("stub directories in the library path are found") {
  CHECK(stubs_directory("/usr/lib:/usr/local/cuda/lib64/stubs/:/x") == "/usr/local/cuda/lib64/stubs/");
  CHECK(stubs_directory("/a/stubs-of-mine:/b").empty());
  CHECK(stubs_directory("").empty());
}

TEST_CASE("CUPTI's release numbers belong to CUDA majors") {
  CHECK(cuda_major_of_cupti(130001) == 13);
  CHECK(cuda_major_of_cupti(26) == 12);
  CHECK(cuda_major_of_cupti(7) == 0);
  CHECK(cuda_version_text(12080) == "12.8");
}

TEST_CASE("a device too old for counters is a warning, none at all a problem") {
  CudaProbe cuda;
  cuda.cuda_version = 13000;
  cuda.library = "/usr/lib/libcuda.so.1";
  CHECK(check_gpus(cuda).status == CheckStatus::problem);
  cuda.devices = {{"NVIDIA H200", 9, 0}};
  CHECK(check_gpus(cuda).status == CheckStatus::ok);
  cuda.devices.push_back({"Tesla V100", 7, 0});
  const Check check = check_gpus(cuda);
  CHECK(check.status == CheckStatus::warning);
  CHECK(check.found == "NVIDIA H200 (9.0), Tesla V100 (7.0)");
  CHECK(check_driver(cuda).status == CheckStatus::ok);
}

TEST_CASE("without a driver the device checks do not apply") {
  CudaProbe cuda;
  cuda.failure = "libcuda.so.1: cannot open shared object file";
  CHECK(check_driver(cuda).status == CheckStatus::problem);
  CHECK_FALSE(check_driver(cuda).fix.empty());
  CHECK(check_gpus(cuda).status == CheckStatus::not_applicable);
  CHECK(check_counter_permission(cuda).status == CheckStatus::not_applicable);
}

TEST_CASE("a question is answered by a child, whatever becomes of it") {
  const IsolatedAnswer long_text = ask_in_child([] { return std::string(200000, 'x'); }, std::chrono::seconds(60));
  CHECK(long_text.answered);
  CHECK(long_text.text.size() == 200000);

  const IsolatedAnswer killed = ask_in_child(
      [] {
        raise(SIGKILL);
        return std::string();
      },
      std::chrono::seconds(60));
  CHECK_FALSE(killed.answered);
  CHECK_THAT(killed.failure, ContainsSubstring("SIGKILL"));

  const IsolatedAnswer hangs = ask_in_child(
      [] {
        std::this_thread::sleep_for(std::chrono::seconds(60));
        return std::string();
      },
      std::chrono::seconds(1));
  CHECK(hangs.failure == "no answer within 1 s");
}
