// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/frame_decoder.hpp"

#include <protozero/exception.hpp>
#include <span>

#include "trace/column_reader.hpp"
#include "trace/decode.hpp"
#include "trace/format.hpp"

namespace gpuprof::trace {

FrameDecoder::Outcome FrameDecoder::decode(std::uint32_t kind, std::string_view payload) {
  const auto batch = [&](void (FrameDecoder::*parse)(std::string_view), const auto& records) {
    (this->*parse)(payload);
    visitor_.on(std::span{records});
  };
  try {
    switch (static_cast<FrameKind>(kind)) {
      case FrameKind::strings:
        decode_strings(payload);
        break;
      case FrameKind::kernel_shapes:
        decode_shapes(payload);
        break;
      case FrameKind::queues:
        decode_queues(payload);
        break;
      case FrameKind::kernels:
        batch(&FrameDecoder::parse_kernels, kernels_);
        break;
      case FrameKind::api_calls:
        batch(&FrameDecoder::parse_api_calls, api_calls_);
        break;
      case FrameKind::copies:
        batch(&FrameDecoder::parse_copies, copies_);
        break;
      case FrameKind::sets:
        batch(&FrameDecoder::parse_sets, sets_);
        break;
      case FrameKind::synchronizations:
        batch(&FrameDecoder::parse_synchronizations, synchronizations_);
        break;
      case FrameKind::overheads:
        batch(&FrameDecoder::parse_overheads, overheads_);
        break;
      case FrameKind::graph_executions:
        batch(&FrameDecoder::parse_graph_executions, graph_executions_);
        break;
      case FrameKind::jit:
        batch(&FrameDecoder::parse_jits, jits_);
        break;
      case FrameKind::memory_events:
        batch(&FrameDecoder::parse_memory_events, memory_events_);
        break;
      case FrameKind::memory_pool_events:
        batch(&FrameDecoder::parse_memory_pool_events, memory_pool_events_);
        break;
      case FrameKind::unified_memory:
        batch(&FrameDecoder::parse_unified_memory, unified_memory_);
        break;
      case FrameKind::nvtx_events:
        batch(&FrameDecoder::parse_nvtx_events, nvtx_events_);
        break;
      case FrameKind::telemetry_samples:
        batch(&FrameDecoder::parse_telemetry_samples, telemetry_samples_);
        break;
      case FrameKind::thread_name:
        visitor_.on(decode_thread_name(payload));
        break;
      case FrameKind::nvtx_category:
        visitor_.on(decode_nvtx_category(payload));
        break;
      case FrameKind::context:
        visitor_.on(decode_context(payload));
        break;
      case FrameKind::stream:
        visitor_.on(decode_stream(payload));
        break;
      case FrameKind::capture_phase:
        visitor_.on(decode_capture_phase(payload));
        break;
      case FrameKind::launch_counts: {
        const LaunchCounts counts = decode_launch_counts(payload);
        check_launches(counts);
        visitor_.on(counts);
        break;
      }
      case FrameKind::telemetry_device:
        visitor_.on(decode_telemetry_device(payload));
        break;
      case FrameKind::telemetry_xid:
        visitor_.on(decode_telemetry_xid(payload));
        break;
      case FrameKind::discarded:
        break;
      case FrameKind::process_info:
        visitor_.on(decode_process_info(payload));
        break;
      case FrameKind::cupti_info:
        visitor_.on(decode_cupti_info(payload));
        break;
      case FrameKind::device:
        visitor_.on(decode_device(payload));
        break;
      case FrameKind::clock_sample:
        visitor_.on(decode_clock_sample(payload));
        break;
      case FrameKind::ledger:
        visitor_.on(decode_ledger(payload));
        break;
      case FrameKind::notice:
        visitor_.on(decode_notice(payload));
        break;
      case FrameKind::process_end:
        visitor_.on(decode_process_end(payload));
        break;
      case FrameKind::counter_plan:
        visitor_.on(decode_counter_plan(payload));
        break;
      case FrameKind::counter_groups:
        visitor_.on(decode_counter_groups(payload));
        break;
      case FrameKind::counter_window: {
        const CounterWindow window = decode_counter_window(payload);
        check_window(window);
        visitor_.on(window);
        break;
      }
      default:
        return Outcome::unknown;
    }
  } catch (const protozero::exception&) {
    return Outcome::damaged;
  } catch (const DamagedFrame&) {
    return Outcome::damaged;
  }
  return Outcome::delivered;
}

void FrameDecoder::check_launches(const LaunchCounts& counts) const {
  for (const std::uint32_t shape : counts.shapes) require(shape < dictionaries_.shape_count());
}

void FrameDecoder::check_window(const CounterWindow& window) const {
  if (window.graph != 0) return;  // these launches are whole graphs, not kernels
  for (const std::uint32_t shape : window.launches) require(shape < dictionaries_.shape_count());
}

}  // namespace gpuprof::trace
