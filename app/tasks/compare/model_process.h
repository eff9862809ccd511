#pragma once

#include "app/tasks/model/model_options.h"
#include "bundled_program/bundle.h"
#include "inspector/comparison/measurement.h"
#include "runtime/core/child_process.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {

/// Scheduler statistics of a process's threads; 0 if the system does not report them.
struct SchedulerCounters {
    std::uint64_t ran = 0;     ///< nanoseconds running on a processor
    std::uint64_t waited = 0;  ///< nanoseconds runnable but waiting for a processor
    std::uint64_t involuntarySwitches = 0;

    SchedulerCounters& operator+=(const SchedulerCounters& other);
    friend SchedulerCounters operator-(const SchedulerCounters& end, const SchedulerCounters& start);
};

/// Sums over all current threads of this process.
[[nodiscard]] SchedulerCounters schedulerCounters();

/// Measures other load of the machine since its construction.
class LoadWatch {
  public:
    LoadWatch();

    /// Call at the end of a launch: samples the frequencies, and adds the counters of its processes.
    void add(const std::vector<SchedulerCounters>& processes);
    [[nodiscard]] inspector::OtherLoad load() const;

  private:
    struct Ticks {
        std::uint64_t all = 0;
        std::uint64_t stolen = 0;
    };
    static Ticks ticks();
    void sampleFrequency();

    Ticks before;
    SchedulerCounters counted;
    std::optional<double> lowest;
    std::optional<double> highest;
};

/// Memory placement and processors of a measuring process. They affect times (caches, pages, alignment), so
/// each launch uses random ones. See Mytkowicz et al., "Producing wrong data without doing anything obviously
/// wrong!", 2009.
struct Placement {
    std::size_t stackBytes = 0;     ///< unused bytes of stack above its frames
    std::size_t heapBytes = 0;      ///< unused bytes of heap before its allocations
    std::size_t mappedPages = 0;    ///< unused pages of address space
    std::vector<int> processors{};  ///< allowed processors; empty: all
};

/// Draws random processors from those that this process may use; empty if there are no more than that.
[[nodiscard]] std::vector<int> drawProcessors(std::mt19937_64& random, std::size_t threads);
/// Draws offsets of up to two huge pages.
[[nodiscard]] Placement drawPlacement(std::mt19937_64& random, std::vector<int> processors);

/// Calls `body` with this placement, in a new process. Parts that are not available (such as an offline
/// processor) are ignored.
void doPlaced(const Placement& placement, const std::function<void()>& body);

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
