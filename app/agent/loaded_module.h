#pragma once

#include "app/wire/messages.h"
#include "app/wire/tape.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace et::agent {

/// An open program and its methods. Not movable: the module refers to the members.
class LoadedModule {
  public:
    /// Result of one execution, except the tapes.
    struct Run {
        std::uint64_t nanoseconds = 0;
        std::uint64_t instructions = 0;
        std::vector<std::byte> outputs;      ///< values, preceded by their count
        executor::Method* method = nullptr;  ///< with the outputs, until the next execution
    };

    /// Errors: those of opening the files and of disabling backends.
    [[nodiscard]] static core::Result<std::unique_ptr<LoadedModule>> open(
        const wire::OpenRequest& request, const std::filesystem::path& program,
        const std::vector<std::filesystem::path>& tensorData, const std::atomic<bool>& cancelled,
        wire::Ask ask);

    /// Returns the load time in nanoseconds. Errors: those of Module::load().
    [[nodiscard]] core::Result<std::uint64_t> load(std::string_view method, const wire::Listening& listening);
    /// Errors: NotFound (the method is not loaded), Format (the inputs), those of Method.
    [[nodiscard]] core::Result<Run> execute(const wire::ExecuteRequest& request);

    /// Returns the tapes to send after a run: according to the rule, its own and those of preceding runs.
    /// Errors: those of the rule's expression.
    [[nodiscard]] core::Result<std::vector<std::vector<std::byte>>> keep(const wire::KeepRule& rule,
                                                                         const Run& run);
    [[nodiscard]] std::vector<std::byte> takeTape() { return tape.take(); }
    [[nodiscard]] wire::NewNames takeNames() { return tape.takeNames(); }

  private:
    LoadedModule(const wire::OpenRequest& request, wire::Ask ask)
        : threads(request.threads), tape({}, std::move(ask)) {}

    std::shared_ptr<const program::Program> program;
    std::vector<std::shared_ptr<const program::TensorData>> data;
    std::vector<const executor::Backend*> backends;
    kernels::ThreadPool threads;
    wire::TapeRecorder tape;
    std::uint64_t openNanoseconds = 0;
    std::optional<executor::Environment> environment;
    std::optional<executor::Module> module;
    std::deque<std::vector<std::byte>> before;  ///< tapes of the last runs that were not sent
    wire::ValueStore inputs;
};

}  // namespace et::agent
