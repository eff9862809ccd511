#pragma once

#include "etrecord/record.h"
#include "runtime/core/strong_id.h"

#include <string_view>
#include <vector>

namespace et::inspector {

/// What an ETRecord says of the instructions of a method, without a trace. Borrows from the record.
class InstructionNodes {
  public:
    /// `record` may be null: nothing is known.
    InstructionNodes(const etrecord::Record* record, std::string_view method);

    [[nodiscard]] bool known() const { return maps != nullptr && graph != nullptr; }
    /// Debug handles of an instruction of the first chain, as the record lists them.
    [[nodiscard]] std::vector<core::DebugHandle> handlesOf(core::InstructionId instruction) const;
    /// Edge nodes of handles, each once; the first 4,096 of them.
    [[nodiscard]] std::vector<const etrecord::Node*> nodesOf(
        const std::vector<core::DebugHandle>& handles) const;
    [[nodiscard]] std::vector<const etrecord::Node*> nodesOf(core::InstructionId instruction) const {
        return nodesOf(handlesOf(instruction));
    }

  private:
    const etrecord::MethodMaps* maps = nullptr;
    const etrecord::ExportedGraph* graph = nullptr;
};

}  // namespace et::inspector
