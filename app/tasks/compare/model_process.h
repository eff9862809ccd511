#pragma once

#include "app/tasks/compare/other_load.h"
#include "app/tasks/compare/placement.h"
#include "app/tasks/model/model_options.h"
#include "bundled_program/bundle.h"
#include "runtime/core/child_process.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {

/// Job of a lane.
struct ModelProcessJob {
    std::filesystem::path model;
    ModelOptions options;
    /// Bundled program whose case is the input if the options give none; empty: the model's own inputs, or
    /// random ones.
    std::filesystem::path inputs;
    Placement placement{};
};

enum class Recording : std::uint8_t { Off, On };

/// Final result of a lane.
struct ModelProcessResult {
    std::string method;
    std::string inputs;  ///< "random", "case", "files"
    bool jobInputs =
        true;  ///< false: ModelProcessJob::inputs did not match, and the model's own inputs were used
    std::uint64_t threads = 0;
    std::uint64_t loadNanoseconds = 0;
    std::uint64_t peakBytes = 0;
    SchedulerCounters counters;    ///< over the recorded executions
    std::vector<std::byte> trace;  ///< ETDump of the recorded executions
    /// Outputs of the first execution, stored as the expected outputs of the only case, with lists flattened.
    std::shared_ptr<const bundled_program::Bundle> outputs;
};

/// A process that runs one model on command, so that several models can alternate and a crash becomes an
/// error. Lanes use fork(), so start all of them before creating threads. SIGPIPE must be ignored. Errors of
/// all calls: those of the model; Unsupported (the process died; the message gives the cause); Cancelled
/// (InterruptionGuard requested an end, and the process did not answer in time).
class ModelProcess {
  public:
    /// Errors: Io.
    [[nodiscard]] static core::Result<ModelProcess> start(ModelProcessJob job);

    [[nodiscard]] core::Result<> load();
    /// Returns the time of one execution in nanoseconds.
    [[nodiscard]] core::Result<std::uint64_t> execute(Recording recording);
    /// Ends the process.
    [[nodiscard]] core::Result<ModelProcessResult> finish();

    [[nodiscard]] const std::filesystem::path& model() const { return job.model; }

  private:
    ModelProcess(ModelProcessJob what, core::Descriptor toIt, core::Descriptor fromIt,
                 core::ChildProcess started)
        : job(std::move(what)),
          commands(std::move(toIt)),
          replies(std::move(fromIt)),
          process(std::move(started)) {}
    [[nodiscard]] core::Result<std::vector<std::byte>> ask(char command);
    [[nodiscard]] core::Result<> readAll(std::span<std::byte> into);
    [[nodiscard]] core::Result<> waitForReply();
    [[nodiscard]] std::unexpected<core::Error> died();

    ModelProcessJob job;
    core::Descriptor commands;
    core::Descriptor replies;
    core::ChildProcess process;
};

}  // namespace et::tasks
