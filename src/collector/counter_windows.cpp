// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0

#include "collector/counter_windows.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include "collector/process.hpp"

namespace gpuprof::collector {
namespace {

// A window closes after this many launches in a row that nobody asked for: a range costs about 1 ms, opening and
// closing a window about twenty times that (docs/performance.md).
constexpr std::size_t kUnneededLaunches = 16;
// A window is not opened for a kernel whose group is not in turn, while others need that group, until so many of its
// like were passed over.
constexpr unsigned kMaxPassedOver = 100;
// Changing between kernels and whole graphs means giving the counters back and arming them again, a few tenths of a
// second: not more often than this, and graphs only while no kernel is waiting.
constexpr std::uint64_t kModeSwitchPauseNs = 300'000'000;
// Values that do not come, window after window, will not come at all: the program must not go on paying for them.
constexpr unsigned kMaxUselessInARow = 20;
// How long the end of the process waits for a launch that is still inside the driver.
constexpr int kFinishAttempts = 100;
constexpr auto kFinishPause = std::chrono::milliseconds(10);

// Set while this thread is inside a launch of an open window and owns CounterWindows::mutex_.
thread_local bool inside_window = false;

}  // namespace

CounterWindows::CounterWindows(const cupti::Client& client, trace::CounterPlan plan)
    : client_(client), plan_(std::move(plan)), kernels_(plan_) {}

void CounterWindows::launch_enter(const cupti::LaunchCall& call) {
  if (done_.load(std::memory_order_relaxed)) return;
  std::unique_lock lock(mutex_);
  if (done_) return;
  if (call.is_graph()) {
    graph_enter(call);
  } else {
    const std::size_t kernel = kernels_.on_launch(call);
    if (open_ == nullptr && captures_ == 0) open_window(call, kernel);
    if (open_ != nullptr && open_->context == call.context) {
      open_->kernels.push_back(kernel);
    } else if (open_ != nullptr && ++open_->since_needed >= kUnneededLaunches) {
      close_window();  // another context has taken over
    }
  }
  if (open_ != nullptr && open_->context == call.context) {
    inside_window = true;
    lock.release();
  }
}

void CounterWindows::launch_exit(const cupti::LaunchCall& call, bool succeeded, bool captured) {
  if (!inside_window) return;
  inside_window = false;
  std::unique_lock lock(mutex_, std::adopt_lock);
  if (open_ == nullptr) return;
  if (call.is_graph()) {
    graph_exit(succeeded);
    return;
  }
  const std::size_t kernel = open_->kernels.back();
  if (!succeeded || captured) {
    open_->kernels.pop_back();
    return;
  }
  open_->since_needed = kernels_.needs(kernel, open_->group) ? 0 : open_->since_needed + 1;
  if (open_->kernels.size() == 1 && !kernels_.comes_alone(kernel, open_->group)) {
    open_->warm_up_launches = 1;
  } else {
    kernels_.add_sample(kernel, open_->group);
  }
  const bool full = open_->kernels.size() >= plan_.window_launches;
  if (full || open_->since_needed >= kUnneededLaunches || !kernels_.any_needs(open_->group)) close_window();
}

void CounterWindows::open_window(const cupti::LaunchCall& call, std::size_t kernel) {
  if (!kernels_.needs_any(kernel)) return;
  last_needed_ns_ = monotonic_ns();
  const std::uint64_t start_ns = realtime_ns();
  cupti::RangeSession* session = session_for(call, cupti::RangeMode::automatic);
  if (session == nullptr) return;
  // It is the turn of one group. If this kernel does not need it, leave the window to one that does; but not for ever,
  // because that one may never be launched again.
  const std::size_t group = session->next_group();
  if (!kernels_.needs(kernel, group) && kernels_.any_needs(group) && ++passed_over_ < kMaxPassedOver) return;
  passed_over_ = 0;
  if (!session->start()) {
    fail(session->failure());
    return;
  }
  open_ = std::make_unique<Open>();
  open_->context = call.context;
  open_->context_id = call.context_id;
  open_->session = session;
  open_->group = group;
  open_->start_ns = start_ns;
}

void CounterWindows::close_window() {
  const std::unique_ptr<Open> window = std::move(open_);
  cupti::RangeSession& session = *window->session;
  const bool stopped = session.stop();

  FinishedWindow finished;
  finished.kernels = window->kernels;
  finished.graph_launches = window->graph_launches;
  trace::CounterWindow& record = finished.window;
  record.device = client_.device_of(window->context);
  record.context = window->context_id;
  record.group = static_cast<std::uint32_t>(window->group);
  record.start_ns = window->start_ns;
  record.graph = window->graph;
  record.warm_up_launches = static_cast<std::uint32_t>(window->warm_up_launches);
  record.ranges_delivered = static_cast<std::uint32_t>(stopped ? session.range_count() : 0);
  // Ranges carry no names: one launch too many or too few and every value could belong to the wrong kernel.
  record.discarded = !stopped || record.ranges_delivered != window->launches();
  const bool useful = !record.discarded && evaluate(*window, record.values);
  if (record.discarded) take_back_samples(*window);
  if (window->warm_up_launches == 1 &&
      std::count(window->kernels.begin(), window->kernels.end(), window->kernels[0]) == 1) {
    kernels_.mark_alone(window->kernels[0], window->group);
  }
  record.end_ns = realtime_ns();

  if (record.discarded && stopped) {
    note({trace::NoticeCode::window_discarded,
          std::to_string(window->launches()) + " launches, " + std::to_string(record.ranges_delivered) + " ranges"});
  }
  {
    std::lock_guard lock(output_mutex_);
    output_.windows.push_back(std::move(finished));
  }
  useless_in_a_row_ = useful ? 0 : useless_in_a_row_ + 1;
  if (!stopped) {
    fail(session.failure());
  } else if (useless_in_a_row_ == kMaxUselessInARow) {
    fail({trace::NoticeCode::counters_error,
          std::to_string(kMaxUselessInARow) + " windows in a row delivered no usable value"});
  } else if (everything_measured()) {
    stop_measuring();
  }
}

// Reads the values of a window; false when there is not a single one.
bool CounterWindows::evaluate(const Open& window, std::vector<double>& values) {
  const std::size_t metrics = plan_.groups[window.group].size();
  values.assign(window.launches() * metrics, std::numeric_limits<double>::quiet_NaN());
  bool any = false;
  for (std::size_t range = 0; range < window.launches(); ++range) {
    double* row = &values[range * metrics];
    window.session->evaluate(range, row);
    const bool empty = std::all_of(row, row + metrics, [](double value) { return std::isnan(value); });
    any = any || !empty;
    if (empty && window.graph == 0 && range >= window.warm_up_launches) {
      kernels_.remove_sample(window.kernels[range], window.group);
    }
  }
  return any;
}

void CounterWindows::take_back_samples(const Open& window) {
  for (std::size_t i = window.warm_up_launches; i < window.kernels.size(); ++i) {
    kernels_.remove_sample(window.kernels[i], window.group);
  }
}

bool CounterWindows::everything_measured() const {
  if (!kernels_.complete() || (plan_.graphs && graph_samples_.empty())) return false;
  for (const auto& [graph, samples] : graph_samples_) {
    if (*std::min_element(samples.begin(), samples.end()) < plan_.samples) return false;
  }
  return true;
}

cupti::RangeSession* CounterWindows::session_for(const cupti::LaunchCall& call, cupti::RangeMode mode) {
  auto& session = sessions_[call.context];
  if (session != nullptr && session->mode() == mode) return session.get();
  if (session != nullptr) {
    const std::uint64_t now = monotonic_ns();
    if (now - last_mode_switch_ns_ < kModeSwitchPauseNs) return nullptr;
    last_mode_switch_ns_ = now;
    session.reset();
  }
  last_mode_switch_ns_ = monotonic_ns();
  cupti::Failure failure;
  session = cupti::RangeSession::open(client_, call.context, plan_.groups, plan_.window_launches, mode, failure);
  if (session == nullptr) {
    fail(failure);
    return nullptr;
  }
  const std::uint32_t device = client_.device_of(call.context);
  if (announced_devices_.insert(device).second) {
    std::lock_guard lock(output_mutex_);
    output_.groups.push_back({device, session->chip(), plan_.groups});
  }
  return session.get();
}

// A graph cannot be measured in auto ranges: a window in the way is closed, and the launch gets a range of its own.
void CounterWindows::graph_enter(const cupti::LaunchCall& call) {
  if (open_ != nullptr) close_window();
  const std::uint32_t graph = client_.graph_id(call.graph_exec);
  // Asked first: a graph that has to wait for the kernels must be known before they are complete.
  if (done_ || graph == 0 || !graph_wanted(graph)) return;
  if (captures_ != 0 || monotonic_ns() - last_needed_ns_ < kModeSwitchPauseNs) return;
  const std::uint64_t start_ns = realtime_ns();
  cupti::RangeSession* session = session_for(call, cupti::RangeMode::user);
  if (session == nullptr) return;
  const std::size_t group = session->next_group();
  if (!session->start() || !session->push_range("graph")) {
    fail(session->failure());
    return;
  }
  open_ = std::make_unique<Open>();
  open_->context = call.context;
  open_->context_id = call.context_id;
  open_->session = session;
  open_->group = group;
  open_->start_ns = start_ns;
  open_->graph = graph;
}

void CounterWindows::graph_exit(bool succeeded) {
  const std::uint32_t graph = open_->graph;
  const std::size_t group = open_->group;
  if (!open_->session->pop_range()) {
    const cupti::Failure failure = open_->session->failure();
    open_.reset();
    fail(failure);
    return;
  }
  open_->graph_launches = succeeded ? 1 : 0;
  close_window();
  if (succeeded) ++graph_samples_[graph][group];
}

bool CounterWindows::graph_wanted(std::uint32_t graph) {
  auto& samples = graph_samples_[graph];
  if (samples.empty()) samples.assign(plan_.groups.size(), 0);
  return *std::min_element(samples.begin(), samples.end()) < plan_.samples;
}

void CounterWindows::capture_begin() {
  std::lock_guard lock(mutex_);
  // Starting or stopping a window synchronises, which would invalidate the capture.
  if (open_ != nullptr && !done_) close_window();
  ++captures_;
}

void CounterWindows::capture_end() {
  std::lock_guard lock(mutex_);
  if (captures_ > 0) --captures_;
}

void CounterWindows::context_destroying(void* context) {
  std::lock_guard lock(mutex_);
  if (open_ != nullptr && open_->context == context) close_window();
  sessions_.erase(context);
}

void CounterWindows::finish() {
  // Not lock(): the end of the process must not wait for a launch that never returns.
  std::unique_lock lock(mutex_, std::try_to_lock);
  for (int attempt = 1; !lock.owns_lock() && attempt < kFinishAttempts; ++attempt) {
    std::this_thread::sleep_for(kFinishPause);
    static_cast<void>(lock.try_lock());
  }
  if (!lock.owns_lock()) return;
  if (open_ != nullptr) close_window();
  stop_measuring();
}

void CounterWindows::stop_measuring() {
  done_ = true;
  sessions_.clear();
}

void CounterWindows::note(const cupti::Failure& failure) {
  std::lock_guard lock(output_mutex_);
  output_.notices.push_back(failure);
}

// Without counters the program goes on unmeasured.
void CounterWindows::fail(const cupti::Failure& failure) {
  note(failure);
  stop_measuring();
}

CounterOutput CounterWindows::take_output() {
  std::lock_guard lock(output_mutex_);
  return std::exchange(output_, {});
}

trace::KernelShape CounterWindows::kernel_shape(std::size_t kernel, std::string& mangled_name) {
  std::lock_guard lock(mutex_);
  mangled_name = kernels_.mangled_name(kernel);
  return kernels_.shape(kernel);
}

}  // namespace gpuprof::collector
