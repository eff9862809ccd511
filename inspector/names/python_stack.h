#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Python stacks recorded during export. All views borrow from the parsed text.
namespace et::inspector {

struct PythonFrame {
    std::string_view path;
    std::int64_t line = 0;      ///< from 1
    std::string_view function;  ///< "forward"
    std::string_view code;      ///< source text of the line; may be empty

    bool operator==(const PythonFrame&) const = default;
};

/// Consumes the next frame of a stack trace in Python's format; nothing at the end. Other text is skipped.
[[nodiscard]] std::optional<PythonFrame> takeFrame(std::string_view& trace);
/// All frames, outermost call first; at most the first 1,024 of a damaged trace.
[[nodiscard]] std::vector<PythonFrame> parseFrames(std::string_view trace);

/// Whether the file belongs to PyTorch.
[[nodiscard]] bool isLibrary(std::string_view path);
/// The innermost frame outside PyTorch, or the innermost of all if there is none; nothing if there are no
/// frames.
[[nodiscard]] std::optional<PythonFrame> ownFrame(std::span<const PythonFrame> frames);

/// A stack and the Edge nodes created there.
struct NodeStack {
    std::vector<const etrecord::Node*> nodes{};  ///< empty for an instruction without a record
    std::vector<PythonFrame> frames{};
};
/// The distinct stacks of the nodes; nodes without a stack are skipped.
[[nodiscard]] std::vector<NodeStack> stacksOf(std::span<const etrecord::Node* const> nodes);
/// The stack that the program stores for an instruction of its first chain; usually empty.
[[nodiscard]] std::vector<PythonFrame> parseFrames(const program::Method& method,
                                                   core::InstructionId instruction);

}  // namespace et::inspector
