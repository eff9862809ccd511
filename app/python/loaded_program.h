#pragma once

#include "app/python/run_tracer.h"
#include "app/tasks/run/model.h"
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

/// A program that is ready to load methods. Its methods share state and memory, so they run in turns.
struct LoadedProgram : std::enable_shared_from_this<LoadedProgram> {
    std::vector<std::unique_ptr<RunTracer>> tracers;  ///< whose addresses delegates have kept
    std::unique_ptr<etdump::Recorder> recorder;       ///< of all that runs; null: nothing is recorded
    std::unique_ptr<app::Model> model;                ///< with a module
    std::optional<double> timeoutSeconds;             ///< of one execution
    std::set<const executor::Method*> listenedTo;     ///< methods with a tracer of their own
    std::atomic<bool> cancel = false;
    std::timed_mutex turn;
    pid_t process = 0;  ///< that loaded it, or a fork of it that has used it since

    /// `etdump`: record all that runs, with at most `debugBytes` of values. Errors: those of
    /// Model::prepare().
    [[nodiscard]] static core::Result<std::shared_ptr<LoadedProgram>> open(
        std::shared_ptr<const core::MappedFile> file, const app::ModelOptions& options, bool etdump,
        std::uint64_t debugBytes);

    /// Whether this process and this thread may run it: no kernel that it calls is asking, and no fork took
    /// it along that lacks its threads.
    [[nodiscard]] bool mayRunHere();

    /// Calls `work` when nothing else of the program runs, where watchedCall() does; kernels in Python may be
    /// called from there. Raises what they raised, else the error of `work`, and as watchedCall().
    void run(const std::function<core::Result<>()>& work);
};

/// A method, and the program that it is of.
struct LoadedMethod {
    std::shared_ptr<LoadedProgram> program;
    executor::Method* method = nullptr;
};

/// While it lives nothing else of the program runs. Waits with the GIL released. Raises ArgumentError where
/// the program calls the kernel that asks, or was loaded by a process whose threads this one lacks.
class Turn {
  public:
    explicit Turn(LoadedProgram& of);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { program.turn.unlock(); }

  private:
    LoadedProgram& program;
};

/// Programs and their methods: the classes `Program` and `Method`.
void bindPrograms(nanobind::module_& module);

}  // namespace et::python
