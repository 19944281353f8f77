// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
// The repeating step: by NVTX ranges and by the period of the kernels.

#include "timeline/step_sweep.hpp"

#include <random>
#include <string>
#include <vector>

#include "scene.hpp"
#include "support/catch2_compat.hpp"
#include "timeline/nvtx_steps.hpp"
#include "timeline/sequence_period.hpp"

namespace gpuprof::timeline {
namespace {

using test::Scene;
using test::summary_of_scene;

std::vector<std::uint32_t> repeat(const std::vector<std::uint32_t>& once, int times) {
  std::vector<std::uint32_t> result;
  for (int i = 0; i < times; ++i) result.insert(result.end(), once.begin(), once.end());
  return result;
}

// 1 embedding, `layers` equal layers of 10 kernels, 2 for the loss.
std::vector<std::uint32_t> model_step(int layers) {
  std::vector<std::uint32_t> step{1};
  for (int layer = 0; layer < layers; ++layer) {
    for (std::uint32_t kernel = 10; kernel < 20; ++kernel) step.push_back(kernel);
  }
  step.push_back(2);
  step.push_back(3);
  return step;
}

TEST_CASE("the period of a sequence is the whole step") {
  SECTION("without any repetition inside") {
    const auto period = find_period(repeat({1, 2, 3, 4}, 10));
    REQUIRE(period);
    CHECK(period->length == 4);
    CHECK(period->anchor == 1);
  }
  SECTION("with equal layers inside") {
    const auto period = find_period(repeat(model_step(12), 20));
    REQUIRE(period);
    CHECK(period->length == 123);
    CHECK(period->anchor == 1);
  }
  SECTION("after a start-up of other kernels") {
    std::vector<std::uint32_t> sequence(2'000);
    for (std::size_t i = 0; i < sequence.size(); ++i) sequence[i] = static_cast<std::uint32_t>(1'000 + i * i % 97);
    const std::vector<std::uint32_t> steps = repeat(model_step(12), 30);
    sequence.insert(sequence.end(), steps.begin(), steps.end());
    const auto period = find_period(sequence);
    REQUIRE(period);
    CHECK(period->length == 123);
  }
  SECTION("with one odd launch in a hundred") {
    std::vector<std::uint32_t> sequence = repeat(model_step(4), 50);
    for (std::size_t i = 50; i < sequence.size(); i += 100) sequence[i] = 77;
    const auto period = find_period(sequence);
    REQUIRE(period);
    CHECK(period->length == 43);
  }
}

TEST_CASE("sequences without a step have no period") {
  CHECK_FALSE(find_period({}));
  CHECK_FALSE(find_period(repeat({5}, 60)));  // one kernel over and over
  CHECK_FALSE(find_period(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  CHECK_FALSE(find_period(repeat({1, 2, 3, 4}, 4)));  // four periods are too few
  CHECK(find_period(repeat({1, 2, 3, 4}, 5)));
  // Nothing in it occurs once only.
  CHECK_FALSE(find_period(repeat({1, 1, 2, 1, 2, 2}, 10)));

  std::mt19937 random{7};
  std::vector<std::uint32_t> noise(5'000);
  for (std::uint32_t& id : noise) id = static_cast<std::uint32_t>(random() % 20);
  CHECK_FALSE(find_period(noise));

  // A period that matches for less than 80 % only.
  std::vector<std::uint32_t> torn = repeat({1, 2, 3, 4, 5, 6, 7, 8}, 200);
  for (std::size_t i = 0; i < torn.size(); i += 7) torn[i] = static_cast<std::uint32_t>(100 + random() % 1000);
  CHECK_FALSE(find_period(torn));
}

TEST_CASE("numbers at the end of a name are no part of it") {
  CHECK(without_number("ProfilerStep#12") == "ProfilerStep");
  CHECK(without_number("step 7") == "step");
  CHECK(without_number("iteration: 3") == "iteration");
  CHECK(without_number("iter_0042") == "iter");
  CHECK(without_number("step") == "step");
  CHECK(without_number("conv2d") == "conv2d");
  CHECK(without_number("12") == "12");
  CHECK(without_number("#12") == "#12");
  CHECK(without_number("").empty());
}

// Steps of 1,000 ns: kernels a, b, b, c of 100, 200, 200, 100 ns, each 50 ns after the one before.
void play_step(Scene& scene, std::uint64_t at_ns) {
  scene.launch("a", at_ns, at_ns + 100, 100)
      .launch("b", at_ns + 20, at_ns + 250, 200)
      .launch("b", at_ns + 40, at_ns + 500, 200)
      .launch("c", at_ns + 60, at_ns + 750, 100);
}

TEST_CASE("steps by the sequence of kernels") {
  const Summary summary = summary_of_scene(20'000, [](Scene& scene) {
    for (std::uint64_t step = 0; step < 10; ++step) play_step(scene, 1'000 * step);
  });
  REQUIRE(summary.steps.size() == 1);
  const StepReport& step = summary.steps[0];
  CHECK(step.source == "kernel_sequence");
  CHECK(step.name == "a");
  CHECK(step.pid == 1);
  CHECK_FALSE(step.rank);
  CHECK(step.count == 9);
  CHECK(step.time.min_ns == 1'000);
  CHECK(step.time.max_ns == 1'000);
  CHECK(step.mean_idle_ns == Approx(400));
  CHECK(step.mean_kernels == Approx(4));
}

TEST_CASE("a pause with other work between steps is no step") {
  const Summary summary = summary_of_scene(100'000, [](Scene& scene) {
    for (std::uint64_t step = 0; step < 10; ++step) play_step(scene, 1'000 * step);
    for (std::uint64_t i = 0; i < 9; ++i) scene.launch("evaluate", 10'000 + i * 10, 10'200 + i * 10, 10);
    for (std::uint64_t step = 20; step < 30; ++step) play_step(scene, 1'000 * step);
  });
  REQUIRE(summary.steps.size() == 1);
  CHECK(summary.steps[0].count == 18);
  CHECK(summary.steps[0].time.max_ns == 1'000);
}

TEST_CASE("kernels on a side stream belong to the step, but do not mark it") {
  const Summary summary = summary_of_scene(20'000, [](Scene& scene) {
    test::LaunchOptions side;
    side.stream = 9;
    for (std::uint64_t step = 0; step < 10; ++step) {
      play_step(scene, 1'000 * step);
      // Comes at irregular places.
      scene.launch("side", 1'000 * step, 1'000 * step + 110 + step * 77, 10, Scene::kThread, side);
    }
  });
  REQUIRE(summary.steps.size() == 1);
  CHECK(summary.steps[0].name == "a");
  CHECK(summary.steps[0].mean_kernels == Approx(5));
}

TEST_CASE("shapes that vary from step to step leave the names") {
  const Summary summary = summary_of_scene(20'000, [](Scene& scene) {
    for (std::uint32_t step = 0; step < 10; ++step) {
      test::LaunchOptions shape;
      shape.grid.x = step + 1;
      for (std::uint32_t kernel = 0; kernel < 3; ++kernel) {
        const std::uint64_t at_ns = 1'000 * step + 100 * kernel;
        scene.launch("kernel" + std::to_string(kernel), at_ns, at_ns + 50, 20, Scene::kThread, shape);
      }
    }
  });
  REQUIRE(summary.steps.size() == 1);
  CHECK(summary.steps[0].count == 9);
  CHECK(summary.steps[0].name == "kernel0");
}

TEST_CASE("a step is not measured across a stretch that was not recorded") {
  const Summary summary = summary_of_scene(100'000, [](Scene& scene) {
    for (std::uint64_t step = 0; step < 10; ++step) play_step(scene, 1'000 * step);
    scene.capture(10'000, false).capture(20'000, true);
    for (std::uint64_t step = 20; step < 30; ++step) play_step(scene, 1'000 * step);
  });
  REQUIRE(summary.steps.size() == 1);
  CHECK(summary.steps[0].count == 18);
  CHECK(summary.steps[0].time.max_ns == 1'000);
}

TEST_CASE("nothing repeats: no step and no word about it") {
  const Summary summary = summary_of_scene(20'000, [](Scene& scene) {
    for (std::uint64_t i = 0; i < 8; ++i) {
      scene.launch("kernel" + std::to_string(i), 1'000 * i, 1'000 * i + 100, 10);
    }
  });
  CHECK(summary.steps.empty());
  CHECK(summary.notices.empty());
}

TEST_CASE("a repeating NVTX range is the step") {
  const Summary summary = summary_of_scene(20'000, [](Scene& scene) {
    for (std::uint64_t step = 0; step < 4; ++step) {
      scene.push("ProfilerStep#" + std::to_string(step + 10), 1'000 * step).push("forward", 1'000 * step + 10);
      play_step(scene, 1'000 * step + 20);
      scene.pop(1'000 * step + 890).pop(1'000 * step + 900);
    }
  });
  REQUIRE(summary.steps.size() == 1);
  const StepReport& step = summary.steps[0];
  CHECK(step.source == "nvtx");
  CHECK(step.name == "ProfilerStep");
  CHECK(step.count == 4);
  CHECK(step.time.median_ns == 900);
  CHECK(step.mean_kernels == Approx(4));
  CHECK(step.mean_idle_ns == Approx(300));
}

TEST_CASE("ranges that are not the step") {
  const auto with_ranges = [](auto ranges) {
    return summary_of_scene(50'000, [&](Scene& scene) {
      for (std::uint64_t step = 0; step < 10; ++step) play_step(scene, 1'000 * step);
      ranges(scene);
    });
  };
  const auto source = [](const Summary& summary) {
    return summary.steps.size() == 1 ? summary.steps[0].source : "none or several";
  };
  SECTION("twice only") {
    CHECK(source(with_ranges([](Scene& scene) {
            scene.push("epoch", 0).pop(5'000).push("epoch", 5'000).pop(10'000);
          })) == "kernel_sequence");
  }
  SECTION("three times, but covering little of the time") {
    CHECK(source(with_ranges([](Scene& scene) {
            for (std::uint64_t i = 0; i < 3; ++i) scene.push("save", 4'000 * i).pop(4'000 * i + 300);
          })) == "kernel_sequence");
  }
  SECTION("nested in itself") {
    CHECK(source(with_ranges([](Scene& scene) {
            for (std::uint64_t i = 0; i < 3; ++i) {
              scene.push("recursive", 3'000 * i).push("recursive", 3'000 * i + 10);
              scene.pop(3'000 * i + 2'500).pop(3'000 * i + 2'900);
            }
          })) == "kernel_sequence");
  }
  SECTION("beside most of the kernels") {
    CHECK(source(with_ranges([](Scene& scene) {
            for (std::uint64_t i = 0; i < 3; ++i) scene.push("load", 20'000 + 100 * i).pop(20'090 + 100 * i);
          })) == "kernel_sequence");
  }
  SECTION("three times and covering it") {
    const Summary summary = with_ranges([](Scene& scene) {
      for (std::uint64_t i = 0; i < 3; ++i) scene.push("epoch", 3'000 * i).pop(3'000 * i + 2'900);
    });
    CHECK(source(summary) == "nvtx");
    CHECK(summary.steps[0].name == "epoch");
  }
  SECTION("on a thread that launches nothing, when another launches") {
    const Summary summary = with_ranges([](Scene& scene) {
      for (std::uint64_t i = 0; i < 3; ++i) {
        scene.push("load_batch", 3'000 * i, 55).pop(3'000 * i + 3'000, 55);
        scene.push("step", 3'000 * i).pop(3'000 * i + 2'000);
      }
    });
    CHECK(source(summary) == "nvtx");
    CHECK(summary.steps[0].name == "step");
  }
}

TEST_CASE("means of NVTX steps are over those that were recorded as a whole") {
  const Summary summary = summary_of_scene(20'000, [](Scene& scene) {
    for (std::uint64_t step = 0; step < 6; ++step) {
      scene.push("step", 1'000 * step);
      if (step < 3) play_step(scene, 1'000 * step);
      scene.pop(1'000 * step + 900);
    }
    scene.capture(3'000, false).capture(5'950, true);
  });
  REQUIRE(summary.steps.size() == 1);
  CHECK(summary.steps[0].count == 6);
  CHECK(summary.steps[0].mean_kernels == Approx(4));
  CHECK(summary.steps[0].mean_idle_ns == Approx(300));
}

}  // namespace
}  // namespace gpuprof::timeline
