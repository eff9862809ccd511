#pragma once

#include "app/cli/dap/breakpoints.h"
#include "app/cli/dap/debuggee.h"
#include "app/cli/dap/execution.h"
#include "app/cli/dap/outbox.h"
#include "app/cli/dap/variables.h"
#include "runtime/core/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli::dap {

/// A debug session with a client: handles its requests one after another with commands of the engine.
class Session {
  public:
    /// `send` is called with each message to the client; `paused` is polled while a line is stepped.
    Session(EngineFactory factory, std::function<void(std::string_view json)> send,
            std::function<bool()> paused);

    /// Handles a message: requests get exactly one response, other messages none. Errors: Format (the text is
    /// not JSON).
    [[nodiscard]] core::Result<> handle(std::string_view message);
    /// Whether the client ended the session.
    [[nodiscard]] bool isOver() const { return over; }
    [[nodiscard]] Outbox& messages() { return outbox; }

  private:
    /// Responds and returns true if the request moves the model or ends the session.
    [[nodiscard]] bool handleFlow(const Request& request);
    [[nodiscard]] core::Result<Dict> answer(const Request& request);

    [[nodiscard]] core::Result<Dict> launch(const Request& request);
    [[nodiscard]] core::Result<Dict> source(const Request& request);
    [[nodiscard]] core::Result<Dict> loadedSources();
    [[nodiscard]] core::Result<Dict> completions(const Request& request);

    Debuggee debuggee;
    Outbox outbox;
    Breakpoints breakpoints;
    Execution execution;
    Variables variables;
    bool stopOnEntry = false;
    bool over = false;
};

}  // namespace et::cli::dap
