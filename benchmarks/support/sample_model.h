#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/executor/method.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace et::benchmarks {

/// The program of a sample set, loaded with the built-in operators.
class SampleModel {
  public:
    /// Null if there is no such set or it does not load.
    [[nodiscard]] static std::unique_ptr<SampleModel> open(std::string_view name, std::size_t threads = 1);

    /// Nanoseconds of one execution on zeros, excluding setting the input; 0 if it failed. `tracer` may be
    /// null.
    std::uint64_t run(core::EventTracer* tracer = nullptr);

  private:
    explicit SampleModel(std::size_t threadCount) : threads(threadCount) {}

    kernels::ThreadPool threads;
    std::optional<executor::Module> module;
    executor::Method* method = nullptr;
    std::vector<std::byte> zeros;
};

}  // namespace et::benchmarks
