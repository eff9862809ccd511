#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Python stacks that exporting wrote down. All views borrow from what they were read from.
namespace et::inspector {

/// One line of a Python stack.
struct PythonFrame {
    std::string_view path;
    std::int64_t line = 0;      ///< from 1
    std::string_view function;  ///< "forward"
    std::string_view code;      ///< the line itself; may be empty

    bool operator==(const PythonFrame&) const = default;
};

/// Takes the next frame off a stack trace as Python prints it; nothing at its end. Text that is no frame is
/// passed over.
[[nodiscard]] std::optional<PythonFrame> takeFrame(std::string_view& trace);
/// All frames, outermost call first; of a damaged trace the first 1,024.
[[nodiscard]] std::vector<PythonFrame> framesOf(std::string_view trace);

/// Whether the path is one of PyTorch's own files.
[[nodiscard]] bool isLibrary(std::string_view path);
/// The innermost frame that is not PyTorch's own, the innermost of all where there is none; nothing: no
/// frame.
[[nodiscard]] std::optional<PythonFrame> ownFrame(std::span<const PythonFrame> frames);

/// A stack, and the nodes of an Edge graph that come from it.
struct NodeStack {
    std::vector<const etrecord::Node*> nodes{};  ///< none: of an instruction, without a record
    std::vector<PythonFrame> frames{};
};
/// The stacks of nodes, equal ones once; nodes without a stack are left out.
[[nodiscard]] std::vector<NodeStack> stacksOf(std::span<const etrecord::Node* const> nodes);
/// The stack that the program itself has of an instruction of its first chain; mostly empty.
[[nodiscard]] std::vector<PythonFrame> framesOf(const program::Method& method,
                                                core::InstructionId instruction);

}  // namespace et::inspector
