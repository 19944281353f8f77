// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/reader.hpp"

#include <exception>

#include "trace/frame_decoder.hpp"
#include "trace/frame_walk.hpp"
#include "trace/mapped_file.hpp"

namespace gpuprof::trace {
namespace {

class PlanVisitor : public Visitor {
 public:
  using Visitor::on;
  explicit PlanVisitor(CounterPlan& plan) : plan_(plan) {}

  void on(const CounterPlan& record) override {
    plan_ = record;
    found_ = true;
  }
  bool found() const { return found_; }

 private:
  CounterPlan& plan_;
  bool found_ = false;
};

}  // namespace

ReadResult read_bytes(std::string_view bytes, const std::string& name, Dictionaries& dictionaries, Visitor& visitor) {
  FrameDecoder decoder{dictionaries, visitor};
  return walk_frames(bytes, name,
                     [&](const FrameView& frame, std::size_t) { return decoder.decode(frame.kind, frame.payload); });
}

ReadResult read_file(const std::string& path, Dictionaries& dictionaries, Visitor& visitor) {
  MappedFile file{path};
  FrameDecoder decoder{dictionaries, visitor};
  return walk_frames(file.bytes(), path, [&](const FrameView& frame, std::size_t) {
    const FrameDecoder::Outcome outcome = decoder.decode(frame.kind, frame.payload);
    file.used(frame.bytes());
    return outcome;
  });
}

bool read_plan(const std::string& path, CounterPlan& plan) {
  try {
    Dictionaries dictionaries;
    PlanVisitor visitor{plan};
    read_file(path, dictionaries, visitor);
    return visitor.found();
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace gpuprof::trace
