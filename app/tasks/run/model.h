#pragma once

#include "app/tasks/run/emulation.h"
#include "app/tasks/run/inputs.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/model_options.h"
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

namespace et::app {

/// A method that is ready to run, with all that it runs with.
struct Model {
    std::vector<executor::Plugin> plugins;                  ///< first, so that nothing outlives them
    std::shared_ptr<const bundled_program::Bundle> bundle;  ///< null: a program alone
    std::shared_ptr<const program::Program> program;
    std::vector<std::shared_ptr<const program::TensorData>> tensorData;
    std::vector<const executor::Backend*> backends;
    kernels::KernelRegistry kernels;
    Emulation emulation;  ///< of backends that are not here
    kernels::ThreadPool threads{1};
    executor::Limits limits;
    std::uint64_t seed = 0;
    /// What ends the executions of its modules.
    const std::atomic<bool>* cancel = &InterruptionGuard::requested();
    std::shared_ptr<devices::Device> device;  ///< that it runs on; null: this process
    std::optional<executor::Module> module;
    executor::Method* method = nullptr;
    std::uint64_t loadNanoseconds = 0;  ///< from opening the file on, without what a process does once

    /// The files that it was read from.
    [[nodiscard]] static std::vector<std::filesystem::path> files(const std::filesystem::path& path,
                                                                  const ModelOptions& options);

    /// All but a module and a method. Errors: those of the files; InvalidArgument (a backend to leave out
    /// that is not there).
    [[nodiscard]] static core::Result<std::unique_ptr<Model>> prepare(const std::filesystem::path& path,
                                                                      const ModelOptions& options);
    [[nodiscard]] static core::Result<std::unique_ptr<Model>> prepare(
        std::shared_ptr<const core::MappedFile> file, const ModelOptions& options);
    /// The program with nothing loaded, over what this model has; must not outlive it.
    [[nodiscard]] executor::Module newModule(core::EventTracer* tracer) const;
    /// The same with another program in its place.
    [[nodiscard]] executor::Module newModule(std::shared_ptr<const program::Program> other,
                                             core::EventTracer* tracer) const;

    /// Errors: those of prepare(); NotFound (no such method); Unsupported (an operator or a backend is
    /// missing: says how to supply it).
    [[nodiscard]] static core::Result<std::unique_ptr<Model>> open(const std::filesystem::path& path,
                                                                   const ModelOptions& options,
                                                                   core::EventTracer* tracer);

    /// What --input says, for a method of the program. Errors: as makeInputs() and recordedInputs().
    [[nodiscard]] core::Result<InputSet> givenInputs(const program::Method& called,
                                                     const ModelOptions& options) const;
    /// As the options say: given, else of a bundled case, else random, which `note` is told.
    [[nodiscard]] core::Result<InputSet> inputs(const ModelOptions& options,
                                                const std::function<void(std::string_view)>& note) const;

    /// Runs once and returns the time it took in nanoseconds. Errors: InvalidArgument (the inputs are wrong),
    /// Cancelled; Format (the program is wrong, whatever the executor calls it).
    [[nodiscard]] core::Result<std::uint64_t> execute(const InputSet& inputs);
};

/// The method that is asked for by name; where none is, the only one, or "forward". Errors: NotFound (says
/// what there is).
[[nodiscard]] core::Result<const program::Method*> chooseMethod(const program::Program& program,
                                                                const std::string& asked);

/// What goes wrong inside of a program is no mistake of the command line, and no check that failed.
[[nodiscard]] core::Error errorOfProgram(core::Error error, const program::Program& program);

}  // namespace et::app
