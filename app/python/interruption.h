#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <future>
#include <utility>

namespace et::python {

/// What `work(cancel)` returns, while other threads of Python run; Ctrl-C sets `cancel`, and
/// KeyboardInterrupt is raised once the work has ended. `work` touches nothing of Python and runs in a thread
/// of its own: signals are handled in the one that asked.
template <class Work>
[[nodiscard]] auto interruptibly(Work&& work) {
    constexpr std::chrono::milliseconds patience{20};
    std::atomic<bool> cancel = false;
    const nanobind::gil_scoped_release released;
    auto result =
        std::async(std::launch::async, [&cancel, &work] { return std::forward<Work>(work)(cancel); });
    while (result.wait_for(patience) != std::future_status::ready) {
        const nanobind::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) {
            cancel = true;
            const nanobind::python_error interrupted;
            const nanobind::gil_scoped_release again;
            result.wait();
            throw interrupted;
        }
    }
    return result.get();
}

}  // namespace et::python
