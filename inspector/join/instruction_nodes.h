#pragma once

#include "etrecord/record.h"
#include "inspector/names/python_stack.h"
#include "runtime/core/strong_id.h"
#include "runtime/program/method.h"

#include <string_view>
#include <vector>

namespace et::inspector {

/// Debug handles and Edge nodes of a method's instructions from an ETRecord, without a trace. Borrows from
/// the record.
class InstructionNodes {
  public:
    /// `record` may be null: known() is then false.
    InstructionNodes(const etrecord::Record* record, std::string_view method);

    [[nodiscard]] bool known() const { return maps != nullptr && graph != nullptr; }
    /// Debug handles of an instruction of the first chain, in the record's order.
    [[nodiscard]] std::vector<core::DebugHandle> handlesOf(core::InstructionId instruction) const;
    /// Edge nodes of the handles, unique; at most the first 4,096.
    [[nodiscard]] std::vector<const etrecord::Node*> nodesOf(
        const std::vector<core::DebugHandle>& handles) const;
    [[nodiscard]] std::vector<const etrecord::Node*> nodesOf(core::InstructionId instruction) const {
        return nodesOf(handlesOf(instruction));
    }

  private:
    const etrecord::MethodMaps* maps = nullptr;
    const etrecord::ExportedGraph* graph = nullptr;
};

/// The Python stack of an instruction of the first chain: that of its first Edge node with a stack, else the
/// one that the program stores. Empty: unknown.
[[nodiscard]] std::vector<PythonFrame> stackOf(const InstructionNodes& nodes, const program::Method& method,
                                               core::InstructionId instruction);

}  // namespace et::inspector
