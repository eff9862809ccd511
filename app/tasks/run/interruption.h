#pragma once

#include "app/tasks/exit_code.h"
#include "runtime/core/result.h"

#include <atomic>
#include <optional>
#include <string_view>

namespace et::app {

/// Why a run ended before its time.
enum class Interruption : std::uint8_t { None, Interrupt, Terminate, Timeout, SlowExecution, CutOff };

struct InterruptionInfo {
    Interruption cause;
    std::string_view name;     ///< for scripts
    std::string_view message;  ///< for people
    ExitCode code;
};
[[nodiscard]] const InterruptionInfo& infoOf(Interruption cause);

/// While it lives, SIGINT and SIGTERM ask runs to end instead of ending the process; a second one, half a
/// second later or more, ends it, and so do two seconds after SIGTERM. There is one at a time.
class InterruptionGuard {
  public:
    InterruptionGuard();
    InterruptionGuard(const InterruptionGuard&) = delete;
    InterruptionGuard& operator=(const InterruptionGuard&) = delete;
    ~InterruptionGuard();

    /// Becomes true; for executor::Environment::cancel.
    [[nodiscard]] static const std::atomic<bool>& requested();
    /// Call it after work that ends early on request, before its result is used. Errors: Cancelled.
    [[nodiscard]] static core::Result<> check();
    /// The first cause counts. Safe in a signal handler.
    static void request(Interruption cause);
    [[nodiscard]] static Interruption cause();
};

}  // namespace et::app
