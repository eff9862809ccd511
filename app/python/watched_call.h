#pragma once

#include <atomic>
#include <functional>
#include <optional>

namespace et::python {

/// How a call that takes long may end before it is done.
struct CallEnding {
    std::atomic<bool>& cancel;             ///< becomes true to ask it to; false when it begins
    std::optional<double> timeoutSeconds;  ///< nothing: no limit
};

/// Calls `work` while other threads of Python run; it takes the GIL where it needs Python. On Python's main
/// thread a signal is handled at once (Ctrl-C): `work` then goes on in a thread of its own until it sees
/// `cancel`. Raises what the handler of a signal raised, LimitError when the time is over.
void watchedCall(const CallEnding& ending, const std::function<void()>& work);

/// Calls `attempt`, which returns whether it got what it waits for after a moment at most, until it did.
/// Signals are handled meanwhile. Raises what their handlers raised.
void waitUntil(const std::function<bool()>& attempt);

}  // namespace et::python
