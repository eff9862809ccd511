#pragma once

#include "app/cli/dap/engine.h"
#include "app/cli/dap/outbox.h"
#include "app/cli/dap/source_map.h"
#include "app/cli/dap/stop.h"
#include "runtime/core/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli::dap {

/// Starts an engine with arguments of `et-inspect debug`. Errors: Io.
using EngineFactory =
    std::function<core::Result<std::unique_ptr<Engine>>(const std::vector<std::string>& arguments)>;

/// The model being debugged, shared by the parts of a session.
class Debuggee {
  public:
    explicit Debuggee(EngineFactory how) : factory(std::move(how)) {}

    /// Starts the engine and reads its instructions. Errors: Io, those of the command.
    [[nodiscard]] core::Result<> launch(const std::vector<std::string>& arguments);
    void end() { engine.reset(); }
    [[nodiscard]] bool isRunning() const { return engine != nullptr; }

    /// Executes a command; a stop in its answer becomes the current one. Errors: InvalidArgument (not
    /// launched), those of Engine::ask().
    [[nodiscard]] core::Result<JsonText> ask(std::string_view command);

    /// The last stop of the engine; empty before the first execution.
    [[nodiscard]] const std::optional<Stop>& stop() const { return lastStop; }
    /// Number of stops so far.
    [[nodiscard]] std::uint64_t stopCount() const { return stops; }
    /// Number of stops and edits so far. Values that were read at another version may have changed.
    [[nodiscard]] std::uint64_t version() const { return changes; }
    void markChanged() { ++changes; }

    [[nodiscard]] SourceMap& sources() { return map; }

  private:
    EngineFactory factory;
    std::unique_ptr<Engine> engine;
    std::optional<Stop> lastStop;
    std::uint64_t stops = 0;
    std::uint64_t changes = 0;
    SourceMap map;
};

}  // namespace et::cli::dap
