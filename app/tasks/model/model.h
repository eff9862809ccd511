#pragma once

#include "app/tasks/base/interruption.h"
#include "app/tasks/model/emulation.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/model_options.h"
#include "bundled_program/bundle.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"
#include "runtime/executor/plugin.h"
#include "runtime/kernels/registry.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace et::devices {
class Device;
}

namespace et::tasks {

class Sanitizer;

/// A method that is ready to run, with everything it uses.
struct Model {
    std::vector<executor::Plugin> plugins;  ///< first, so that they are destroyed last
    /// Test cases: of the program itself, or of ModelOptions::cases; null: none.
    std::shared_ptr<const bundled_program::Bundle> bundle;
    std::shared_ptr<const etrecord::Record> ownRecord;  ///< of a package; null for a program
    std::shared_ptr<const program::Program> program;
    std::vector<std::shared_ptr<const program::TensorData>> tensorData;
    /// Files of `tensorData` that were found next to the program because none were given.
    std::vector<std::filesystem::path> foundData;
    std::vector<const executor::Backend*> backends;
    kernels::KernelRegistry kernels;
    Emulation emulation;  ///< of missing backends
    kernels::ThreadPool threads{1};
    executor::Limits limits;
    core::KvCacheSettings caches;  ///< KV caches that the program expects from its host
    std::vector<executor::BackendOption> backendOptions;
    std::uint64_t seed = 0;
    /// Set to true to cancel executions of its modules.
    const std::atomic<bool>* cancel = &InterruptionGuard::requested();
    std::shared_ptr<Sanitizer> sanitizer;     ///< checks the memory accesses of kernels; null: none
    std::shared_ptr<devices::Device> device;  ///< device that runs it; null: this process
    std::optional<executor::Module> module;
    executor::Method* method = nullptr;
    std::uint64_t loadNanoseconds = 0;  ///< from opening the file, without one-time initialization

    /// Paths of the source files.
    [[nodiscard]] static std::vector<std::filesystem::path> files(const std::filesystem::path& path,
                                                                  const ModelOptions& options);

    /// Everything except a loaded module and method. Errors: those of the files; InvalidArgument (a disabled
    /// backend that does not exist); those of findTensorData().
    [[nodiscard]] static core::Result<std::unique_ptr<Model>> prepare(const std::filesystem::path& path,
                                                                      const ModelOptions& options);
    [[nodiscard]] static core::Result<std::unique_ptr<Model>> prepare(
        std::shared_ptr<const core::MappedFile> file, const ModelOptions& options);
    /// A module of the program with nothing loaded; borrows from this model and must not outlive it.
    [[nodiscard]] executor::Module newModule(core::EventTracer* tracer) const;
    /// The same for another program.
    [[nodiscard]] executor::Module newModule(std::shared_ptr<const program::Program> other,
                                             core::EventTracer* tracer) const;

    /// Errors: those of prepare(); NotFound (no such method); Unsupported (a missing operator or backend; the
    /// message explains how to supply it).
    [[nodiscard]] static core::Result<std::unique_ptr<Model>> open(const std::filesystem::path& path,
                                                                   const ModelOptions& options,
                                                                   core::EventTracer* tracer);

    /// Inputs from --input for a method of the program. Errors: those of makeInputs() and recordedInputs().
    [[nodiscard]] core::Result<InputSet> givenInputs(const program::Method& called,
                                                     const ModelOptions& options) const;
    /// Inputs from the options; otherwise from a bundled case, otherwise random, which is reported to `note`.
    [[nodiscard]] core::Result<InputSet> inputs(const ModelOptions& options,
                                                const std::function<void(std::string_view)>& note) const;

    /// Executes once and returns the time in nanoseconds. Errors: InvalidArgument (invalid inputs),
    /// Cancelled; Format (an invalid program, whatever error the executor reports).
    [[nodiscard]] core::Result<std::uint64_t> execute(const InputSet& inputs);
};

/// The method with this name; if empty, the only method or "forward". Errors: NotFound (lists the methods).
[[nodiscard]] core::Result<const program::Method*> chooseMethod(const program::Program& program,
                                                                const std::string& asked);

/// A fault in the program is neither a usage error nor a failed check.
[[nodiscard]] core::Error errorOfProgram(core::Error error, const program::Program& program);

}  // namespace et::tasks
