#pragma once

#include "app/serve/run_tracer.h"
#include "app/tasks/model/model.h"
#include "etdump/recorder.h"
#include "runtime/executor/method.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace et::serve {

/// A program that is ready to load methods. Its methods share state and memory, so only one can run at a
/// time.
struct LoadedProgram : std::enable_shared_from_this<LoadedProgram> {
    std::vector<std::unique_ptr<RunTracer>> tracers;  ///< kept because delegates hold their addresses
    std::unique_ptr<etdump::Recorder> recorder;       ///< records everything that runs; null: no recording
    std::unique_ptr<tasks::Model> model;              ///< including its module
    std::optional<double> timeoutSeconds;             ///< per execution
    std::set<const executor::Method*> listenedTo;     ///< methods with their own tracer
    std::atomic<bool> cancel = false;
    std::timed_mutex turn;

    /// `etdump`: records everything that runs, with at most `debugBytes` of values. Errors: those of
    /// Model::prepare().
    [[nodiscard]] static core::Result<std::shared_ptr<LoadedProgram>> open(
        std::shared_ptr<const core::MappedFile> file, const tasks::ModelOptions& options, bool etdump,
        std::uint64_t debugBytes);

    /// True if this thread executes a kernel that the program called.
    [[nodiscard]] bool isCaller() const;

    /// Calls `work` while nothing else of the program runs; `work` may call kernels in Python. Throws the
    /// error of `work`, and LimitError when the time limit has passed.
    void run(std::optional<double> limitSeconds, const std::function<core::Result<>()>& work);
};

/// A method and its program.
struct LoadedMethod {
    std::shared_ptr<LoadedProgram> program;
    executor::Method* method = nullptr;
};

/// Exclusive access to a program while it exists. Throws ArgumentError if the program is the caller of the
/// executing kernel, CancelledError if the call is cancelled.
class ExclusiveRun {
  public:
    explicit ExclusiveRun(LoadedProgram& of);
    ExclusiveRun(const ExclusiveRun&) = delete;
    ExclusiveRun& operator=(const ExclusiveRun&) = delete;
    ~ExclusiveRun() { program.turn.unlock(); }

  private:
    LoadedProgram& program;
};

}  // namespace et::serve
