// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "script.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace gpuprof::fake_nvml {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::uint64_t to_number(const std::string& text) {
  return std::strtoull(text.c_str(), nullptr, 0);
}

}  // namespace

void Script::read() {
  *this = Script();
  const char* variable = std::getenv("FAKE_NVML");
  for (const std::string& setting : split(variable != nullptr ? variable : "", ';')) {
    const std::size_t equals = setting.find('=');
    if (equals != std::string::npos) settings_[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  asked_of_gpu_.resize(number("gpus", 1));
  for (const std::string& event : split(text("xid"), ',')) {
    const std::size_t at = event.find('@');
    const std::size_t colon = event.find(':');
    events_.push_back({static_cast<unsigned>(to_number(event)), static_cast<unsigned>(to_number(event.substr(at + 1))),
                       to_number(event.substr(colon + 1))});
  }
}

std::string Script::text(const std::string& name) const {
  const auto found = settings_.find(name);
  return found != settings_.end() ? found->second : std::string();
}

std::uint64_t Script::number(const std::string& name, std::uint64_t otherwise) const {
  const std::string value = text(name);
  return value.empty() ? otherwise : to_number(value);
}

void Script::pass_time(const std::string& name) const {
  const std::uint64_t ms = number(name + "_ms", 0);
  if (ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

bool Script::is_lost(unsigned gpu) {
  const std::size_t asked = ++asked_of_gpu_.at(gpu);
  for (const std::string& lost : split(text("lost"), ',')) {
    if (to_number(lost) == gpu && asked >= to_number(lost.substr(lost.find('@') + 1))) return true;
  }
  return false;
}

int Script::next(const std::string& name, unsigned gpu, std::uint64_t otherwise, std::uint64_t& value) {
  if (++asked_at_all_ == number("crash", 0)) std::abort();
  const std::string own = name + "@" + std::to_string(gpu);
  const std::size_t asked = asked_[own]++;
  if (is_lost(gpu)) return kGpuIsLost;
  pass_time(name);
  const std::vector<std::string> values = split(settings_.count(own) != 0 ? text(own) : text(name), ',');
  value = otherwise;
  if (values.empty()) return kSuccess;
  const std::string& now = values[asked < values.size() ? asked : values.size() - 1];
  if (now == "x") return kNotSupported;
  if (now[0] == '!') return static_cast<int>(to_number(now.substr(1)));
  value = to_number(now);
  return kSuccess;
}

int Script::next_error(unsigned& gpu, std::uint64_t& xid) {
  ++waits_;
  for (auto event = events_.begin(); event != events_.end(); ++event) {
    if (waits_ < event->wait) continue;
    gpu = event->gpu;
    xid = event->xid;
    events_.erase(event);
    return kSuccess;
  }
  return kTimeout;
}

void Script::write_calls() const {
  const std::string path = text("calls");
  if (path.empty()) return;
  std::ofstream file(path);
  for (const auto& [name, count] : asked_) file << name << ' ' << count << '\n';
}

}  // namespace gpuprof::fake_nvml
