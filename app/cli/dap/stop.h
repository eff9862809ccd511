#pragma once

#include "app/cli/dap/json_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::cli::dap {

/// A line of Python.
struct SourceLine {
    std::string file;
    std::int64_t line = 0;

    bool operator==(const SourceLine&) const = default;
};

/// A Python function on the call stack of an operator.
struct PythonFrame {
    SourceLine source;
    std::string function;
};

/// Where and why the engine stopped.
struct Stop {
    std::string reason;
    std::string message;
    std::int64_t execution = 0;
    std::int64_t instruction = 0;
    std::optional<std::int64_t> node;
    std::string op;
    std::optional<SourceLine> source;
    std::vector<PythonFrame> stack;  ///< innermost first
    std::optional<std::int64_t> breakpoint;
    std::optional<std::int64_t> watchpoint;

    [[nodiscard]] static Stop read(const JsonValue& stop);

    /// True if it stopped only because the step was complete, so that stepping by line may continue.
    [[nodiscard]] bool isStep() const { return reason == "step"; }
    /// "instruction 17: aten.mul.out"
    [[nodiscard]] std::string place() const;
};

/// A "source" member: an object with "file" and "line", or null.
[[nodiscard]] std::optional<SourceLine> readSource(const JsonValue& source);

}  // namespace et::cli::dap
