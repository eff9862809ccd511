#pragma once

#include "app/cli/dap/breakpoints.h"
#include "app/cli/dap/debuggee.h"
#include "app/cli/dap/outbox.h"
#include "runtime/core/result.h"

#include <functional>
#include <string_view>

namespace et::cli::dap {

/// Handles requests that move the model forward or back, and reports where it stops.
class Execution {
  public:
    /// `paused` is polled between the instructions of a line.
    Execution(Debuggee& of, const Breakpoints& at, Outbox& to, std::function<bool()> paused)
        : debuggee(of), breakpoints(at), outbox(to), isPaused(std::move(paused)) {}

    /// Whether a request moves the model: "next", "reverseContinue".
    [[nodiscard]] static bool isMove(std::string_view request);
    /// Responds, executes, and sends the event "stopped"; or "terminated" if the engine ended, or if the run
    /// was already at its end.
    void handleMove(const Request& request);
    /// Responds, executes a command, and sends the same events.
    void handleCommand(const Request& request, std::string_view command);
    void sendStopped();

    // Handlers of requests that do not move the model.
    [[nodiscard]] core::Result<Dict> stackTrace(const Request& request);
    [[nodiscard]] core::Result<Dict> gotoTargets(const Request& request);
    [[nodiscard]] core::Result<Dict> breakpointLocations(const Request& request);
    [[nodiscard]] core::Result<Dict> exceptionInfo(const Request& request);

  private:
    void execute(std::string_view command);
    [[nodiscard]] core::Result<> stepLine(std::string_view command);
    [[nodiscard]] core::Result<> stepLineBack();
    void report(const core::Result<>& moved);
    [[nodiscard]] std::string_view stopReason() const;
    [[nodiscard]] bool isOnLine(const SourceLine& line) const;

    Debuggee& debuggee;
    const Breakpoints& breakpoints;
    Outbox& outbox;
    std::function<bool()> isPaused;
};

}  // namespace et::cli::dap
