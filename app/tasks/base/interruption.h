#pragma once

#include "app/tasks/base/exit_code.h"
#include "runtime/core/result.h"

#include <atomic>
#include <optional>
#include <string_view>

namespace et::tasks {

/// Why a run ended early.
enum class Interruption : std::uint8_t { None, Interrupt, Terminate, Timeout, SlowExecution, CutOff };

struct InterruptionInfo {
    Interruption cause;
    std::string_view name;     ///< for scripts
    std::string_view message;  ///< for people
    ExitCode code;
};
[[nodiscard]] const InterruptionInfo& infoOf(Interruption cause);

/// From now on, while no InterruptionGuard exists, SIGINT and SIGTERM end the process with a message on
/// stderr and the exit code of the signal: for commands without partial results, and before and after the
/// work of the others.
void exitOnSignals();

/// While it exists, SIGINT and SIGTERM request that runs end instead of ending the process. A second signal,
/// at least half a second later, ends the process, and so do two seconds after SIGTERM. Only one may exist at
/// a time; then signals have the effect that they had before.
class InterruptionGuard {
  public:
    InterruptionGuard();
    InterruptionGuard(const InterruptionGuard&) = delete;
    InterruptionGuard& operator=(const InterruptionGuard&) = delete;
    ~InterruptionGuard();

    /// Becomes true on a request; for executor::Environment::cancel.
    [[nodiscard]] static const std::atomic<bool>& requested();
    /// Call after work that ends early on request, before using its result. Errors: Cancelled.
    [[nodiscard]] static core::Result<> check();
    /// Keeps the first cause. Safe in a signal handler.
    static void request(Interruption cause);
    [[nodiscard]] static Interruption cause();
    /// Whether SIGINT or SIGTERM requested the end, not a time limit.
    [[nodiscard]] static bool isBySignal();
};

}  // namespace et::tasks
