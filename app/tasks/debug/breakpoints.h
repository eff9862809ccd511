#pragma once

#include "app/expression/expression.h"
#include "app/tasks/debug/program_index.h"
#include "runtime/core/result.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// An instruction, or an operator inside its delegate call.
struct BreakSite {
    std::string method;
    std::int32_t chain = 0;
    std::int32_t instruction = 0;
    std::optional<std::size_t> node{};

    friend auto operator<=>(const BreakSite&, const BreakSite&) = default;
};

/// `node`: index in InstructionSite::inside.
[[nodiscard]] BreakSite siteOf(const MethodIndex& method, const InstructionSite& site,
                               std::optional<std::size_t> node = std::nullopt);

/// A location as a user gives it, with the instructions that it selects.
struct Location {
    std::string text;  ///< "aten.mul.out", "model.py:88"
    std::vector<BreakSite> sites{};
    /// Sites that run one after the other are one place, as for a line or a module: only the first of them
    /// stops.
    bool isRegion = false;
    std::string message{};  ///< explains regions and fused nodes; empty: nothing to explain

    [[nodiscard]] bool contains(const BreakSite& site) const;
};

/// Finds the instructions of a location: `17`, `METHOD:17`, `17.2` (a node inside the delegate), an operator
/// or pattern (`aten.mul.out`, `mul`, `*softmax*`; of instructions, of operators inside delegates, or of the
/// Edge graph), `file.py:88`, `module:layers.3`, `handle:5`, `delegate:0`, `method:forward`. `current`:
/// method of plain numbers. Errors: NotFound (with the nearest that exist), InvalidArgument.
[[nodiscard]] core::Result<Location> findLocation(const ProgramIndex& index, std::string_view current,
                                                  std::string_view text);

/// Common to breakpoints and watchpoints.
struct StopRule {
    std::size_t id = 0;
    expression::Expression condition{};  ///< empty: always
    std::uint64_t ignore = 0;            ///< number of hits that do not stop
    std::uint64_t hits = 0;
    bool isEnabled = true;
    bool isResolved = false;   ///< all names had values at some instruction
    std::string unresolved{};  ///< why they had none so far; empty: not evaluated

    /// Notes an evaluation; `error`: null if it succeeded.
    void note(const core::Error* error);
};

struct Breakpoint {
    StopRule rule;
    Location location;
    bool isTemporary = false;
    /// The condition reads results of the instruction, so that it is checked after the instruction.
    bool checksAfter = false;
};

/// Whether a condition reads results: `out`, `out0`, or a function of them.
[[nodiscard]] bool readsResults(const expression::Expression& condition);

}  // namespace et::tasks
