#pragma once

#include <atomic>
#include <functional>
#include <optional>

namespace et::python {

/// Conditions that end a long call early.
struct CallEnding {
    std::atomic<bool>& cancel;             ///< false at the start; set to true to cancel
    std::optional<double> timeoutSeconds;  ///< nothing: no limit
};

/// Calls `work` with the GIL released; `work` acquires it when it needs Python. On Python's main thread,
/// signals are handled promptly (Ctrl-C): `work` then continues in a separate thread until it sees `cancel`.
/// Raises the exception of the signal handler, or LimitError when the time limit has passed.
void watchedCall(const CallEnding& ending, const std::function<void()>& work);

/// Calls `attempt` repeatedly until it returns true; each call may block only briefly. Handles signals
/// meanwhile, and raises the exceptions of their handlers.
void waitUntil(const std::function<bool()>& attempt);

}  // namespace et::python
