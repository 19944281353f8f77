// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "model/notice_text.hpp"

#include <string>

namespace gpuprof::model {
namespace {

using trace::NoticeCode;

struct Wording {
  NoticeCode code;
  Severity severity;
  const char* name;
  const char* text;
  const char* hint;
  CounterEffect effect;
};

constexpr Wording kWordings[] = {
    {NoticeCode::cupti_not_found, Severity::error, "cupti.not_found",
     "libcupti could not be opened in the program, so nothing was recorded there",
     "Install CUPTI (package cuda-cupti-13-0 or cuda-cupti-12-9, or the CUDA Toolkit), or set GPUPROF_CUPTI_LIB to a "
     "libcupti.so of 12.9 or later.",
     CounterEffect::prevented},
    {NoticeCode::cupti_subscriber_held, Severity::error, "cupti.subscriber_held",
     "CUPTI has a single subscriber and another tool in the program already holds it",
     "Run without that tool: drop nsys, ncu, cuda-gdb, compute-sanitizer or another CUDA_INJECTION64_PATH, or turn off "
     "the profiler inside the program.",
     CounterEffect::prevented},
    {NoticeCode::cupti_error, Severity::warning, "cupti.error", "a CUPTI call failed",
     "Compare the driver and CUPTI versions with `gpuprof doctor`: a libcupti newer than the driver's CUDA version is "
     "the usual cause.",
     CounterEffect::interrupted},
    {NoticeCode::no_driver, Severity::error, "cuda.no_driver", "the CUDA driver is missing or did not initialise",
     "Check `nvidia-smi`; in containers pass the GPU through (docker run --gpus all with the NVIDIA Container "
     "Toolkit).",
     CounterEffect::prevented},
    {NoticeCode::counters_permission, Severity::error, "counters.permission",
     "the driver does not allow this user to read hardware counters",
     "Run as root or with CAP_SYS_ADMIN, or set NVreg_RestrictProfilingToAdminUsers=0 for the nvidia kernel module (in "
     "containers: --cap-add SYS_ADMIN).",
     CounterEffect::prevented},
    {NoticeCode::counters_busy, Severity::error, "counters.busy",
     "another profiler or monitor holds the GPU's hardware counters",
     "Stop the other profiler; DCGM's profiling metrics are paused with `dcgmi profile --pause` and go on after `dcgmi "
     "profile --resume`.",
     CounterEffect::prevented},
    {NoticeCode::counters_unsupported, Severity::error, "counters.unsupported",
     "hardware counters are not available on this device",
     "Counters need compute capability 7.5 or later and are not offered under MIG slices, most vGPUs, WSL without "
     "developer mode, SLI and confidential computing: measure on a whole GPU of the host.",
     CounterEffect::prevented},
    {NoticeCode::counters_error, Severity::warning, "counters.error",
     "a counter window failed, and the process measured no further ones",
     "The timeline is complete; repeat the run, and if it fails again compare the driver and CUPTI versions with "
     "`gpuprof doctor`.",
     CounterEffect::interrupted},
    {NoticeCode::write_failed, Severity::error, "trace.write_failed",
     "the trace file could not be written; later records are lost",
     "Free space on the session's file system or put the session elsewhere with -o.", CounterEffect::interrupted},
    {NoticeCode::fatal_error, Severity::error, "cupti.fatal_error",
     "CUPTI met a fatal error and ended itself; later records are lost",
     "Check the program's own CUDA errors and `dmesg` for Xid messages: a sticky device error ends CUPTI as well.",
     CounterEffect::interrupted},
    {NoticeCode::second_cupti, Severity::warning, "cupti.second_library",
     "two copies of libcupti are mapped into the program, and each sees only its own clients",
     "Make both the same file: set GPUPROF_CUPTI_LIB to the copy the program brings (PyTorch: nvidia/cuda_cupti/lib/ "
     "or "
     "nvidia/cu13/lib/ in site-packages).",
     CounterEffect::none},
    {NoticeCode::stream_taken_over, Severity::warning, "cupti.stream_taken_over",
     "the program goes on launching, but its activity records arrive somewhere else",
     "Another CUPTI client in the program, such as torch.profiler, has registered its own buffers: switch it off for "
     "this run.",
     CounterEffect::none},
    {NoticeCode::window_discarded, Severity::info, "counters.window_discarded",
     "a counter window was discarded because its ranges did not match its launches",
     "Its kernels were measured in other windows; if many are discarded, look for launches from several contexts or "
     "threads at once.",
     CounterEffect::none},
    {NoticeCode::size_limit, Severity::warning, "trace.size_limit",
     "the trace reached --max-size (bytes), and recording ended there",
     "Totals cover the time up to then. Allow more with --max-size, or record a share of the time with --trace-share.",
     CounterEffect::none},
    {NoticeCode::capture_not_started, Severity::warning, "capture.not_started",
     "the capture range never opened, so no device work was recorded",
     "Check the name of the NVTX range (nvtx:NAME, nvtx:NAME@DOMAIN) or that the program calls cudaProfilerStart.",
     CounterEffect::none},
};

const Wording* find(NoticeCode code) {
  for (const Wording& wording : kWordings) {
    if (wording.code == code) return &wording;
  }
  return nullptr;
}

}  // namespace

std::string describe(const trace::NoticeRecord& record) {
  const Wording* wording = find(record.code);
  std::string text = wording != nullptr ? wording->text
                                        : "the collector reported something this version does not know (code " +
                                              std::to_string(static_cast<std::uint32_t>(record.code)) + ")";
  if (!record.detail.empty()) text += ": " + record.detail;
  return text;
}

Notice notice_from(const trace::NoticeRecord& record, std::uint32_t pid) {
  const std::string text = describe(record) + " (process " + std::to_string(pid) + ")";
  const Wording* wording = find(record.code);
  if (wording != nullptr) return {wording->severity, wording->name, text, wording->hint};
  return {Severity::warning, "collector.unknown", text, "Read the session with the gpuprof version that recorded it."};
}

CounterEffect counter_effect(NoticeCode code) {
  const Wording* wording = find(code);
  return wording != nullptr ? wording->effect : CounterEffect::none;
}

}  // namespace gpuprof::model
