#pragma once

#include "app/tasks/compare/other_load.h"
#include "app/tasks/compare/placement.h"
#include "app/tasks/run/model_options.h"
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

namespace et::app {

/// What a lane runs.
struct LaneJob {
    std::filesystem::path model;
    ModelOptions options;
    /// A bundled program whose case is the input where the options name none; empty: the model's own, or
    /// random.
    std::filesystem::path inputs;
    Placement placement{};
};

enum class Recording : std::uint8_t { Off, On };

/// What a lane has to tell at its end.
struct LaneResult {
    std::string method;
    std::string inputs;     ///< "random", "case", "files"
    bool jobInputs = true;  ///< false: LaneJob::inputs did not fit, and the model got its own
    std::uint64_t threads = 0;
    std::uint64_t loadNanoseconds = 0;
    std::uint64_t peakBytes = 0;
    SchedulerCounters counters;    ///< while executions were recorded
    std::vector<std::byte> trace;  ///< an ETDump of the executions that were recorded
    /// Outputs of the first execution as the expected outputs of its only case, lists taken apart.
    std::shared_ptr<const bundled_program::Bundle> outputs;
};

/// A process that runs one model when it is told to, so that several can take turns, and one that crashes is
/// a message. Start all lanes before there are threads: they are made by fork(). Ignore SIGPIPE. Errors of
/// all calls: those of the model; Unsupported (the process died: says of what); Cancelled (InterruptionGuard
/// was asked to end, and the process did not answer soon).
class Lane {
  public:
    /// Errors: Io.
    [[nodiscard]] static core::Result<Lane> start(LaneJob job);

    [[nodiscard]] core::Result<> load();
    /// The time of one execution in nanoseconds.
    [[nodiscard]] core::Result<std::uint64_t> execute(Recording recording);
    /// Ends the process.
    [[nodiscard]] core::Result<LaneResult> finish();

    [[nodiscard]] const std::filesystem::path& model() const { return job.model; }

  private:
    Lane(LaneJob what, core::Descriptor toIt, core::Descriptor fromIt, core::ChildProcess started)
        : job(std::move(what)),
          commands(std::move(toIt)),
          replies(std::move(fromIt)),
          process(std::move(started)) {}
    [[nodiscard]] core::Result<std::vector<std::byte>> ask(char command);
    [[nodiscard]] core::Result<> readAll(std::span<std::byte> into);
    [[nodiscard]] core::Result<> waitForReply();
    [[nodiscard]] std::unexpected<core::Error> died();

    LaneJob job;
    core::Descriptor commands;
    core::Descriptor replies;
    core::ChildProcess process;
};

}  // namespace et::app
