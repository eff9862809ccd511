#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/limits.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

// Methods whose instructions another process carries out, on this machine or on a device. Whoever calls a
// Method sees no difference: inputs, outputs, events and errors are those of the place where it runs.
namespace et::executor {

/// What the place where a method runs tells of one execution, or of loading.
struct TimesElsewhere {
    std::uint64_t nanoseconds = 0;  ///< by the clock of that place, without what carrying it there takes
    std::uint64_t instructions = 0;
};

/// A method that was loaded there.
class MethodElsewhere {
  public:
    virtual ~MethodElsewhere() = default;

    /// One execution. Copies out of `inputs`, resizes and writes `outputs`, which stay valid until the next
    /// execution. `tracer` hears all events of the run as if it were here; null: nothing listens. Errors:
    /// those of Method::execute(); Io (the place cannot be reached any more).
    [[nodiscard]] virtual core::Result<TimesElsewhere> execute(std::span<core::Value* const> inputs,
                                                               std::span<core::Value* const> outputs,
                                                               core::EventTracer* tracer) = 0;
    [[nodiscard]] virtual TimesElsewhere loading() const = 0;
};

/// A program that was opened there, and what its methods share.
class ModuleElsewhere {
  public:
    virtual ~ModuleElsewhere() = default;

    /// Errors: those of Module::load(); Io.
    [[nodiscard]] virtual core::Result<std::unique_ptr<MethodElsewhere>> load(const program::Method& method,
                                                                              core::EventTracer* tracer) = 0;
};

/// What a module is opened with.
struct ModuleSetup {
    const program::Program& program;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData;
    std::size_t threads = 1;
    Limits limits;
    std::uint64_t seed = 0;
    const std::atomic<bool>* cancel = nullptr;
};

/// The place itself.
class Elsewhere {
  public:
    virtual ~Elsewhere() = default;

    /// What `setup` borrows lives as long as the module. Errors: Io, Unsupported.
    [[nodiscard]] virtual core::Result<std::unique_ptr<ModuleElsewhere>> open(const ModuleSetup& setup) = 0;
};

}  // namespace et::executor
