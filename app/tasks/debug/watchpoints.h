#pragma once

#include "app/expression/expression.h"
#include "app/tasks/debug/breakpoints.h"
#include "app/tasks/debug/debug_values.h"
#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

enum class WatchKind : std::uint8_t {
    Changed,  ///< also an expression that becomes true
    Nan,
    Inf,
    Denormal,
    Zero,
    Saturated,
    Snr,
    OwnError,
    Shape,
    Range,
    Arena,
    Overwritten,
};
/// "changed", "nan", "own_error".
[[nodiscard]] std::string_view nameOf(WatchKind kind);

/// The subject of a watchpoint, parsed.
struct WatchSpec {
    WatchKind kind = WatchKind::Changed;
    std::string text;                     ///< as given
    std::string value{};                  ///< name; empty: the results of every instruction
    expression::Expression expression{};  ///< Changed
    double number = 0;                    ///< Saturated: share; Snr: dB
    double low = 0;                       ///< Range
    double high = 0;
    bool isOutside = false;         ///< Range: fires for elements outside
    ArenaRange range{};             ///< Arena
    std::optional<bool> isWrite{};  ///< Arena: only writes, or only reads

    [[nodiscard]] bool needsReference() const {
        return kind == WatchKind::Snr || kind == WatchKind::OwnError ||
               expression.reads(expression::ValueVersion::Reference);
    }
};

/// Parses the text after `watch`. Errors: InvalidArgument.
[[nodiscard]] core::Result<WatchSpec> parseWatch(std::string_view text);

/// Why a watchpoint stops.
struct WatchHit {
    std::string message;
    std::string name{};                ///< of the value
    inspector::format::Cell before{};  ///< number or text; empty: unknown
    inspector::format::Cell after{};
    std::optional<std::size_t> node{};        ///< operator inside the delegate call
    std::optional<DelegateOperator> inner{};  ///< that operator
};

/// State of a debugger that watchpoints read.
struct WatchContext {
    DebugValues& values;
    ValueHistory& history;
    TimelineReference* reference;  ///< null: no record
    const MethodIndex& method;
    const InstructionSite* site;              ///< the instruction
    TimelinePoint point;                      ///< before the instruction
    std::optional<std::size_t> inside{};      ///< index in its `inside` of the operator that runs
    std::optional<DelegateOperator> inner{};  ///< that operator
};

/// A watchpoint and its state between instructions.
class Watchpoint {
  public:
    StopRule rule;
    WatchSpec spec;

    /// Call before an instruction. Errors: those of movements.
    [[nodiscard]] core::Result<> prepare(const WatchContext& at);
    /// Call after it. Returns nothing if it does not stop. Errors: those of movements and of the reference.
    [[nodiscard]] core::Result<std::optional<WatchHit>> check(const WatchContext& at);
    /// Call after a movement other than running the next instruction.
    void forget() { known.reset(); }

  private:
    using Found = core::Result<std::optional<WatchHit>>;
    [[nodiscard]] Found checkResults(const WatchContext& at);
    [[nodiscard]] Found checkValue(const WatchContext& at);
    [[nodiscard]] Found checkChange(const WatchContext& at);
    [[nodiscard]] Found checkReference(const WatchContext& at);
    [[nodiscard]] Found checkArena(const WatchContext& at);
    [[nodiscard]] Found checkOverwritten(const WatchContext& at);
    [[nodiscard]] core::Result<> refine(const WatchContext& at, WatchHit& hit) const;
    [[nodiscard]] core::Result<std::optional<WatchHit>> findInside(const WatchContext& at) const;
    [[nodiscard]] std::optional<expression::Operand> evaluate(const WatchContext& at);
    [[nodiscard]] std::string describeHolding(const NamedValue& value) const;

    /// The watched value after the last instruction.
    struct Known {
        std::optional<expression::Operand> operand{};
        bool holds = false;
    };
    std::optional<Known> known;
    std::optional<WatchHit> insideDelegate;  ///< found before the call
    std::vector<std::byte> arenaBytes;
    CapturedValues captured;
    std::optional<std::vector<OverwrittenRead>> overwritten;
    std::size_t overwrittenExecution = 0;
};

}  // namespace et::tasks
