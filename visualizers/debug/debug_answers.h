#pragma once

#include "visualizers/debug_state.h"

#include <QJsonObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Answers of "et-inspect debug --format=json" (docs/reference/json_debug.md). Missing and invalid members
/// become their defaults; lists are limited.
namespace et::visualizers {

/// A position of the debugger, and why it stopped there.
struct DebugStop {
    QString reason{};
    DebugPoint point{};
    std::int64_t step = 0;          ///< on the time axis of the execution; loops repeat instructions
    std::int64_t instructions = 0;  ///< of the method
    QString operatorName{};         ///< empty at the end of an execution
    QString module{};
    bool after = false;  ///< the instruction has already run
    QString message{};
};

/// Statistics of a value's elements; text because they may be NaN or infinite.
struct DebugStatistics {
    std::int64_t elements = 0;
    QString min{};
    QString max{};
    QString mean{};
    QString deviation{};
    std::int64_t nan = 0;
    std::int64_t infinite = 0;
    std::int64_t zero = 0;
    std::optional<double> saturated{};  ///< share of elements at the ends of a quantized range
};

/// Difference from the reference or from the previous execution.
struct DebugDifference {
    QString max{};
    QString mean{};
    QString snr{};
    std::optional<std::int64_t> changed{};  ///< number of elements
    QString missing{};                      ///< why it is unknown; the other members are then empty
    std::vector<double> data{};             ///< the other elements, as DebugValue::data
};

struct DebugArena {
    std::int64_t id = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// A value of the method at the current position.
struct DebugValue {
    QString name{};
    std::int64_t id = -1;
    QString kind{};
    QString dtype{};
    std::vector<std::int64_t> sizes{};
    QString role{};
    QString scalar{};            ///< of numbers, booleans and texts
    std::vector<double> data{};  ///< first elements in row-major order
    std::optional<DebugArena> arena{};
    std::optional<DebugStatistics> statistics{};
    std::optional<DebugDifference> reference{};
    std::optional<DebugDifference> previous{};

    /// "float32 [1, 3]".
    [[nodiscard]] QString type() const;
    /// Accepted by print; unique within the method.
    [[nodiscard]] QString spelling() const;
};

/// A breakpoint or watchpoint.
struct DebugTrigger {
    enum class Kind : std::uint8_t { Break, Watch };
    Kind kind = Kind::Break;
    std::int64_t id = 0;
    QString text{};  ///< location of a breakpoint, or expression of a watchpoint
    QString condition{};
    std::int64_t ignore = 0;
    std::int64_t hits = 0;
    bool enabled = true;
    Breakpoint place{};
    QString message{};
};

/// Number of instructions that an execution ran; empty before its end.
using DebugSteps = std::optional<std::int64_t>;

/// A point of the time axis where a watchpoint held.
struct DebugHit {
    std::int64_t execution = 0;
    std::int64_t step = 0;
    bool operator==(const DebugHit&) const = default;
};

/// A read or write of a value.
struct DebugAccess {
    std::int64_t execution = 0;
    std::int64_t step = 0;
    QString operatorName{};
};
struct DebugAccesses {
    bool known = false;
    std::optional<DebugAccess> lastWrite{};
    std::optional<DebugAccess> nextRead{};
};

/// The message of an error; empty for other answers.
[[nodiscard]] QString readDebugError(const QJsonObject& answer);
[[nodiscard]] DebugStop readDebugStop(const QJsonObject& stop);
[[nodiscard]] DebugValue readDebugValue(const QJsonObject& value);
[[nodiscard]] DebugTrigger readDebugTrigger(const QJsonObject& object, DebugTrigger::Kind kind);
/// Of the answers "values", "breakpoints", "executions" and "writers".
[[nodiscard]] std::vector<DebugValue> readDebugValues(const QJsonObject& info);
[[nodiscard]] std::vector<DebugTrigger> readDebugTriggers(const QJsonObject& info);
[[nodiscard]] std::vector<DebugSteps> readDebugExecutions(const QJsonObject& info);
[[nodiscard]] DebugAccesses readDebugAccesses(const QJsonObject& info);

/// "execution 3, instruction 17: aten.mul.out".
[[nodiscard]] QString positionText(const DebugStop& stop);
/// The reason, module and Python line of a stop, in one line; may be empty.
[[nodiscard]] QString reasonText(const DebugStop& stop);

}  // namespace et::visualizers
