#include "app/python/watched_call.h"

#include "app/python/errors.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using Clock = std::chrono::steady_clock;

/// Maximum delay before a signal is handled.
constexpr std::chrono::milliseconds pollInterval{20};

/// A thread that runs one task after another. Threads wait for their next task and end with the process,
/// because starting one takes longer than a small model runs.
class Worker {
  public:
    /// Returns an idle worker. Requires the GIL, which guards the list of workers.
    static Worker& take();
    /// Marks this worker as idle. Requires the GIL.
    void giveBack() { idle().push_back(this); }

    void start(const std::function<void()>& task) {
        work = &task;
        go.release();
    }
    /// Waits at most `moment`; returns false if the task is still running.
    [[nodiscard]] bool waitForEnd(Clock::duration moment) { return done.try_acquire_for(moment); }
    /// Throws the exception of the task, if any.
    void rethrow() {
        if (std::exception_ptr thrown = std::exchange(failure, nullptr)) {
            std::rethrow_exception(thrown);
        }
    }
    /// Python's id of the thread.
    [[nodiscard]] unsigned long pythonId() const { return id; }

  private:
    [[noreturn]] void serve();
    static std::vector<Worker*>& idle();

    const std::function<void()>* work = nullptr;
    std::exception_ptr failure;
    std::binary_semaphore go{0};
    std::binary_semaphore done{0};
    std::atomic<unsigned long> id = 0;
};

std::vector<Worker*>& Worker::idle() {
    // Threads end only with the process, so the objects that they wait on are never destroyed.
    static auto* const all = new std::vector<Worker*>;
    static pid_t process = ::getpid();
    if (const pid_t now = ::getpid(); now != process) {  // a fork copies the list, but not the threads
        all->clear();
        process = now;
    }
    return *all;
}

Worker& Worker::take() {
    std::vector<Worker*>& all = idle();
    if (!all.empty()) {
        Worker* const last = all.back();
        all.pop_back();
        return *last;
    }
    auto* const made = new Worker;
    std::thread([made] { made->serve(); }).detach();
    return *made;
}

void Worker::serve() {
    id = PyThread_get_thread_ident();
    while (true) {
        go.acquire();
        try {
            (*work)();
        } catch (...) {
            failure = std::current_exception();
        }
        done.release();
    }
}

bool isMainThread() {
    const nb::object main = nb::module_::import_("threading").attr("main_thread")();
    return nb::cast<unsigned long>(main.attr("ident")) == PyThread_get_thread_ident();
}

/// Interrupts a call when a signal handler raised an exception, or its time limit has passed.
class Interrupt {
  public:
    Interrupt(const CallEnding& of, const Worker& by) : ending(of), worker(by) {}

    /// Handles signals and checks the time limit.
    void poll() {
        if (asked) {
            return;
        }
        const nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) {
            raised.emplace();
            ask();
        } else if (ending.timeoutSeconds && secondsSinceStart() > *ending.timeoutSeconds) {
            ask();
        }
    }
    void raiseWhereAsked() {
        if (raised) {
            throw nb::python_error(std::move(*raised));
        }
        if (asked) {
            raise({.code = core::ErrorCode::Limit,
                   .message = fmt::format("did not finish within {} s", *ending.timeoutSeconds)});
        }
    }
    [[nodiscard]] Clock::duration nextLook() const {
        if (!ending.timeoutSeconds || asked) {
            return pollInterval;
        }
        constexpr double longer = 1;  // longer than any poll; a duration cannot represent every number of
                                      // seconds
        const std::chrono::duration<double> left(
            std::min(*ending.timeoutSeconds - secondsSinceStart(), longer));
        const auto soon = std::chrono::duration_cast<Clock::duration>(left);
        return std::clamp<Clock::duration>(soon, std::chrono::milliseconds(1), pollInterval);
    }

  private:
    void ask() {
        asked = true;
        ending.cancel = true;
        // Interrupts a running Python kernel.
        PyThreadState_SetAsyncExc(worker.pythonId(),
                                  nb::module_::import_("et_inspect.errors").attr("CancelledError").ptr());
    }
    [[nodiscard]] double secondsSinceStart() const {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }

    const CallEnding& ending;
    const Worker& worker;
    Clock::time_point start = Clock::now();
    bool asked = false;
    std::optional<nb::python_error> raised;
};

}  // namespace

void watchedCall(const CallEnding& ending, const std::function<void()>& work) {
    ending.cancel = false;
    if (!ending.timeoutSeconds && !isMainThread()) {
        withoutGil(work);
        return;
    }
    Worker& worker = Worker::take();
    Interrupt interrupt(ending, worker);
    {
        const nb::gil_scoped_release released;
        worker.start(work);
        while (!worker.waitForEnd(interrupt.nextLook())) {
            interrupt.poll();
        }
    }
    worker.giveBack();
    worker.rethrow();
    interrupt.raiseWhereAsked();
}

void waitUntil(const std::function<bool()>& attempt) {
    while (!withoutGil(attempt)) {
        if (PyErr_CheckSignals() != 0) {
            throw nb::python_error();
        }
    }
}

}  // namespace et::python
