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

// Remote execution: methods whose instructions run in another process, on this machine or on a device.
// Callers of Method see no difference: inputs, outputs, events and errors are those of the remote process.
namespace et::executor {

/// Times reported by the remote process for one execution, or for loading.
struct RemoteTimes {
    std::uint64_t nanoseconds = 0;  ///< by the remote clock, without transfer time
    std::uint64_t instructions = 0;
};

/// A method loaded remotely.
class RemoteMethod {
  public:
    virtual ~RemoteMethod() = default;

    /// Runs once. Copies from `inputs`, resizes and writes `outputs`, which stay valid until the next
    /// execution. `tracer` receives all events of the run as in a local execution; may be null. Errors: those
    /// of Method::execute(); Io (the remote process is unreachable).
    [[nodiscard]] virtual core::Result<RemoteTimes> execute(std::span<core::Value* const> inputs,
                                                            std::span<core::Value* const> outputs,
                                                            core::EventTracer* tracer) = 0;
    [[nodiscard]] virtual RemoteTimes loading() const = 0;
};

/// A program opened remotely, and the state shared by its methods.
class RemoteModule {
  public:
    virtual ~RemoteModule() = default;

    /// Errors: those of Module::load(); Io.
    [[nodiscard]] virtual core::Result<std::unique_ptr<RemoteMethod>> load(const program::Method& method,
                                                                           core::EventTracer* tracer) = 0;
};

/// Arguments for opening a module.
struct ModuleSetup {
    const program::Program& program;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData;
    std::size_t threads = 1;
    Limits limits;
    std::uint64_t seed = 0;
    const std::atomic<bool>* cancel = nullptr;
};

/// A remote process or device that executes methods.
class RemoteExecutor {
  public:
    virtual ~RemoteExecutor() = default;

    /// Data borrowed by `setup` must outlive the module. Errors: Io, Unsupported.
    [[nodiscard]] virtual core::Result<std::unique_ptr<RemoteModule>> open(const ModuleSetup& setup) = 0;
};

}  // namespace et::executor
