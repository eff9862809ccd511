#pragma once

#include "app/python/run_tracer.h"
#include "app/tasks/model/model.h"
#include "etdump/recorder.h"
#include "runtime/executor/method.h"

#include <nanobind/nanobind.h>
#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace et::python {

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
    pid_t process = 0;  ///< process that loaded it, or a fork that has used it since

    /// `etdump`: records everything that runs, with at most `debugBytes` of values. Errors: those of
    /// Model::prepare().
    [[nodiscard]] static core::Result<std::shared_ptr<LoadedProgram>> open(
        std::shared_ptr<const core::MappedFile> file, const tasks::ModelOptions& options, bool etdump,
        std::uint64_t debugBytes);

    /// True if this process and thread may run the program: the thread is not executing a kernel called by
    /// it, and the process is not a fork that lacks its threads.
    [[nodiscard]] bool mayRunHere();

    /// Calls `work` through watchedCall() while nothing else of the program runs; `work` may call Python
    /// kernels. Raises their exceptions, else the error of `work`, and those of watchedCall().
    void run(std::optional<double> limitSeconds, const std::function<core::Result<>()>& work);
};

/// A method and its program.
struct LoadedMethod {
    std::shared_ptr<LoadedProgram> program;
    executor::Method* method = nullptr;
};

/// Exclusive access to a program while it exists. Waits with the GIL released. Raises ArgumentError if the
/// program is the caller of the executing kernel, or was loaded by a process whose threads this one lacks.
class ExclusiveRun {
  public:
    explicit ExclusiveRun(LoadedProgram& of);
    ExclusiveRun(const ExclusiveRun&) = delete;
    ExclusiveRun& operator=(const ExclusiveRun&) = delete;
    ~ExclusiveRun() { program.turn.unlock(); }

  private:
    LoadedProgram& program;
};

/// Binds the classes `Program` and `Method`.
void bindPrograms(nanobind::module_& module);

}  // namespace et::python
