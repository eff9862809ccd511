#pragma once

#include "runtime/program/instruction_access.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <vector>

namespace et::tasks {

using InstructionAccess = program::InstructionAccess;

/// Values that the instructions of a method read and write.
class MethodAccess {
  public:
    /// `method` must outlive it. In a damaged file, later instructions have no accesses.
    explicit MethodAccess(const program::Method& method);

    [[nodiscard]] const InstructionAccess& at(std::int32_t chain, std::int32_t instruction) const {
        return chains[static_cast<std::size_t>(chain)][static_cast<std::size_t>(instruction)];
    }

  private:
    std::vector<std::vector<InstructionAccess>> chains;
};

}  // namespace et::tasks
