// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "telemetry/sampler.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

#include "telemetry/nvml.hpp"
#include "telemetry/values.hpp"
#include "trace/writer.hpp"

namespace gpuprof::telemetry {
namespace {

using trace::NoticeCode;

// A driver that reports errors without end is not listened to for ever.
constexpr int kMostEventsAtOnce = 64;

std::uint64_t realtime_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

struct Gpu {
  unsigned index = 0;
  nvml::Device device = nullptr;
  bool lost = false;
  std::array<Schedule, kQuestions> schedules;
};

std::string text_of(int (*function)(nvml::Device, char*, unsigned), nvml::Device device) {
  char text[nvml::kTextBytes] = {};
  if (function == nullptr || function(device, text, sizeof text) != nvml::kSuccess) return {};
  return text;
}

trace::TelemetryDevice describe(const nvml::Api& api, const Gpu& gpu) {
  trace::TelemetryDevice device;
  device.index = gpu.index;
  device.name = text_of(api.device_name, gpu.device);
  device.uuid = text_of(api.device_uuid, gpu.device);
  unsigned value = 0;
  if (api.max_clock != nullptr && api.max_clock(gpu.device, nvml::kSmClock, &value) == nvml::kSuccess) {
    device.max_sm_clock_mhz = value;
  }
  if (api.power_limit != nullptr && api.power_limit(gpu.device, &value) == nvml::kSuccess) {
    device.power_limit_mw = value;
  }
  return device;
}

}  // namespace

struct Sampler::State {
  std::unique_ptr<trace::Writer> writer;
  std::unique_ptr<Nvml> nvml;
  std::vector<Gpu> gpus;
  nvml::EventSet events = nullptr;
  std::string unavailable_reason;

  ~State() {
    if (events != nullptr && nvml->api().event_set_free != nullptr) nvml->api().event_set_free(events);
  }

  void open_nvml(const std::string& library);
  void open_gpus();
  void listen_for_errors();
  void collect_errors();
  unsigned index_of(nvml::Device device) const;
  void sample_all(bool with_slow_values);
  void sample(Gpu& gpu, bool with_slow_values);
  void note(NoticeCode code, const std::string& detail) {
    writer->write(trace::NoticeRecord{code, realtime_ns(), detail});
  }
};

void Sampler::State::open_nvml(const std::string& library) {
  nvml = Nvml::open(library, unavailable_reason);
  if (nvml) open_gpus();
  if (unavailable_reason.empty()) {
    listen_for_errors();
  } else {
    note(NoticeCode::telemetry_unavailable, unavailable_reason);
  }
  writer->flush();
}

void Sampler::State::open_gpus() {
  const unsigned count = nvml->device_count();
  std::string refused;
  for (unsigned index = 0; index < count; ++index) {
    Gpu gpu;
    gpu.index = index;
    if (const int result = nvml->api().device_by_index(index, &gpu.device); result != nvml::kSuccess) {
      const std::string problem = "GPU " + std::to_string(index) + ": " + nvml->error_text(result);
      note(NoticeCode::telemetry_gpu_lost, problem);
      if (refused.empty()) refused = problem;
      continue;
    }
    writer->write(describe(nvml->api(), gpu));
    gpus.push_back(gpu);
  }
  if (gpus.empty()) {
    unavailable_reason = refused.empty() ? "NVML offers no GPU" : "NVML gives access to no GPU (" + refused + ")";
  }
}

// Without support for events (virtual GPUs, WSL) there are no XID errors to be had, and nothing else is missed.
void Sampler::State::listen_for_errors() {
  const nvml::Api& api = nvml->api();
  if (api.event_set_create == nullptr || api.register_events == nullptr || api.event_set_wait == nullptr) return;
  if (api.event_set_create(&events) != nvml::kSuccess) {
    events = nullptr;
    return;
  }
  for (const Gpu& gpu : gpus) api.register_events(gpu.device, nvml::kXidEvent, events);
}

unsigned Sampler::State::index_of(nvml::Device device) const {
  for (const Gpu& gpu : gpus) {
    if (gpu.device == device) return gpu.index;
  }
  unsigned index = gpus.front().index;
  if (nvml->api().device_index != nullptr) nvml->api().device_index(device, &index);
  return index;
}

void Sampler::State::collect_errors() {
  if (events == nullptr) return;
  for (int i = 0; i < kMostEventsAtOnce; ++i) {
    nvml::EventData event;
    if (nvml->api().event_set_wait(events, &event, 0) != nvml::kSuccess) return;
    if ((event.type & nvml::kXidEvent) == 0) continue;
    writer->write(trace::TelemetryXid{realtime_ns(), index_of(event.device), event.data});
  }
}

void Sampler::State::sample_all(bool with_slow_values) {
  if (!unavailable_reason.empty() || writer->error() != 0) return;
  collect_errors();
  for (Gpu& gpu : gpus) {
    if (!gpu.lost) sample(gpu, with_slow_values);
  }
  writer->flush();
}

void Sampler::State::sample(Gpu& gpu, bool with_slow_values) {
  trace::TelemetrySample sample;
  sample.time_ns = realtime_ns();
  sample.device = gpu.index;
  sample.missing = kAllValues;
  for (std::size_t i = 0; i < kQuestions; ++i) {
    const Question& question = questions()[i];
    Schedule& schedule = gpu.schedules[i];
    const auto before = Schedule::Clock::now();
    if (!schedule.due(before) || (schedule.slow() && !with_slow_values)) continue;
    const int result = question.ask(nvml->api(), gpu.device, sample);
    const auto after = Schedule::Clock::now();
    if (result == nvml::kGpuIsLost) {
      gpu.lost = true;
      note(NoticeCode::telemetry_gpu_lost, "GPU " + std::to_string(gpu.index) + ": " + nvml->error_text(result));
      return;
    }
    if (result == nvml::kSuccess) sample.missing &= ~question.values;
    if (is_final(result)) schedule.never_again();
    schedule.asked(after, after - before, gpu.index, static_cast<unsigned>(gpus.size()));
  }
  writer->add(sample);
}

std::unique_ptr<Sampler> Sampler::start(const std::string& path, const std::string& library) {
  auto state = std::make_unique<State>();
  state->writer = trace::Writer::create(path);
  if (!state->writer) {
    state->unavailable_reason = path + " cannot be written: " + std::strerror(errno);
  } else {
    trace::ProcessInfo process;
    process.pid = static_cast<std::uint32_t>(getpid());
    process.parent_pid = static_cast<std::uint32_t>(getppid());
    process.stage = "telemetry";
    process.collector_version = GPUPROF_VERSION;
    process.time_ns = realtime_ns();
    state->writer->write(process);
    state->open_nvml(library);
  }
  return std::unique_ptr<Sampler>(new Sampler(std::move(state)));
}

Sampler::Sampler(std::unique_ptr<State> state) : state_(std::move(state)) {}

Sampler::~Sampler() = default;

void Sampler::sample() {
  state_->sample_all(true);
}

void Sampler::finish() {
  if (!state_->writer) return;
  state_->writer->write(trace::ProcessEndRecord{realtime_ns(), 0});
  state_->sample_all(false);
}

const std::string& Sampler::unavailable_reason() const {
  return state_->unavailable_reason;
}

bool Sampler::writing() const {
  return state_->writer && state_->writer->error() == 0;
}

}  // namespace gpuprof::telemetry
