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

/// How soon a signal is handled.
constexpr std::chrono::milliseconds pollInterval{20};

/// A thread that does one thing after another. Threads wait for their next work and end with the process:
/// starting one costs more than a small model takes.
class Worker {
  public:
    /// One that has nothing to do. Only with the GIL, which guards the list of them.
    static Worker& take();
    /// It has nothing to do any more. Likewise.
    void giveBack() { idle().push_back(this); }

    void start(const std::function<void()>& task) {
        work = &task;
        go.release();
    }
    /// False: it is still at it after a moment.
    [[nodiscard]] bool waitForEnd(Clock::duration moment) { return done.try_acquire_for(moment); }
    /// Throws what the work threw.
    void rethrow() {
        if (std::exception_ptr thrown = std::exchange(failure, nullptr)) {
            std::rethrow_exception(thrown);
        }
    }
    /// As Python numbers threads.
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
    // Threads end with the process, not before: what they wait on is never destroyed.
    static auto* const all = new std::vector<Worker*>;
    static pid_t process = ::getpid();
    if (const pid_t now = ::getpid(); now != process) {  // a fork took along the list, but no threads
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

/// What asks a call to end: the exception that a handler of a signal raised, or the end of its time.
class Interrupt {
  public:
    Interrupt(const CallEnding& of, const Worker& by) : ending(of), worker(by) {}

    /// Handles signals and looks at the clock.
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
                   .message = fmt::format("expected an end within {} s", *ending.timeoutSeconds)});
        }
    }
    [[nodiscard]] Clock::duration nextLook() const {
        if (!ending.timeoutSeconds || asked) {
            return pollInterval;
        }
        const std::chrono::duration<double> left(*ending.timeoutSeconds - secondsSinceStart());
        const auto soon = std::chrono::duration_cast<Clock::duration>(left);
        return std::clamp<Clock::duration>(soon, std::chrono::milliseconds(1), pollInterval);
    }

  private:
    void ask() {
        asked = true;
        ending.cancel = true;
        // A kernel that is written in Python hears of it where it is.
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
