#pragma once

#include "app/python/errors.h"

#include <nanobind/nanobind.h>

#include <utility>

namespace et::python {

/// While one lives, Ctrl-C asks the tasks of this process to end (app::InterruptionGuard) before Python's own
/// handler hears of it. Where Python has none, or SIGINT is ignored, that stays so. Several may live at once,
/// in any threads: what one Ctrl-C ends is the work of all.
class CtrlCScope {
  public:
    CtrlCScope();
    CtrlCScope(const CtrlCScope&) = delete;
    CtrlCScope& operator=(const CtrlCScope&) = delete;
    ~CtrlCScope();
};

/// What `work`, a task that asks InterruptionGuard::requested(), returns, while other threads of Python run.
/// Raises what Python makes of a Ctrl-C meanwhile, usually KeyboardInterrupt. `work` touches nothing of
/// Python.
template <class Work>
[[nodiscard]] auto interruptible(Work&& work) {
    auto result = [&] {
        const CtrlCScope scope;
        return withoutGil(std::forward<Work>(work));
    }();
    if (PyErr_CheckSignals() != 0) {
        throw nanobind::python_error();
    }
    return result;
}

}  // namespace et::python
