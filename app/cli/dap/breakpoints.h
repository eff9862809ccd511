#pragma once

#include "app/cli/dap/debuggee.h"
#include "app/cli/dap/outbox.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli::dap {

/// Sets breakpoints and watchpoints for the breakpoints of the client. Each request replaces those of the
/// same kind (for lines: of the same file).
class Breakpoints {
  public:
    explicit Breakpoints(Debuggee& of) : debuggee(of) {}

    // Handlers of requests. Errors: those of Debuggee::ask(). A breakpoint that cannot be set is reported in
    // the response.
    [[nodiscard]] core::Result<Dict> setLines(const Request& request);
    [[nodiscard]] core::Result<Dict> setOperators(const Request& request);
    [[nodiscard]] core::Result<Dict> setExceptions(const Request& request);
    [[nodiscard]] core::Result<Dict> setData(const Request& request);

    /// Filters of "exceptions", for the response to "initialize".
    [[nodiscard]] static List exceptionFilters();
    /// The "reason" of an event for a stop at this breakpoint or watchpoint: "function breakpoint".
    [[nodiscard]] std::string_view reason(std::int64_t id) const;

  private:
    enum class Kind : std::uint8_t { Line, Operator, Exception, Data };
    /// Breakpoints that are set together: their kind, and the file of line breakpoints.
    using Group = std::pair<Kind, std::string>;

    void clear(const Group& group);
    /// Replaces a group by the breakpoints of a request: COMMAND MEMBER for each.
    [[nodiscard]] Dict setAll(const Group& group, std::string_view command, std::string_view member,
                              const Request& request);
    /// Sets one and returns its description for the client.
    [[nodiscard]] Dict set(const Group& group, std::string_view command, const JsonValue& wanted);

    Debuggee& debuggee;
    std::map<Group, std::vector<std::int64_t>> idsByGroup;
    std::map<std::int64_t, Kind> kinds;
};

}  // namespace et::cli::dap
