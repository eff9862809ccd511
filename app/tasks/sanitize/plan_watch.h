#pragma once

#include "app/tasks/sanitize/call_arguments.h"
#include "app/tasks/sanitize/memory_finding.h"
#include "app/tasks/sanitize/value_storages.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace et::tasks {

/// Compares the memory plan with what an execution does: which value has each byte of the arenas.
class PlanWatch {
  public:
    PlanWatch(const program::Method& of, ValueStorages& all);

    /// Starts an execution; inputs and state have their contents.
    void begin();
    /// Errors of the plan for a call that is about to read and write its arguments.
    [[nodiscard]] std::vector<MemoryFinding> read(const CheckedInstruction& instruction,
                                                  std::span<const TensorArgument> arguments) const;
    /// Error of the plan for a value that is read after the last instruction.
    [[nodiscard]] std::vector<MemoryFinding> readAtEnd(std::size_t storage) const;
    /// Notes the values that a call wrote; returns the storages whose memory it reused.
    std::vector<std::size_t> write(const CheckedInstruction& instruction,
                                   std::span<const TensorArgument> arguments);

  private:
    /// A part of an arena that belongs to a storage.
    struct Part {
        std::uint64_t end = 0;
        std::size_t storage = 0;
    };

    void check(const ValueStorage& storage, const CheckedInstruction& instruction,
               const TensorArgument* argument, std::vector<MemoryFinding>& out) const;
    void checkOutputs(const CheckedInstruction& instruction, std::span<const TensorArgument> arguments,
                      std::vector<MemoryFinding>& out) const;
    void checkAlias(const CheckedInstruction& instruction, std::span<const TensorArgument> arguments,
                    std::vector<MemoryFinding>& out) const;
    [[nodiscard]] bool mayShare(const ValueStorage& giver, const ValueStorage& taker) const;
    void occupy(std::size_t storage, std::int32_t chain, std::int32_t instruction,
                std::vector<std::size_t>& reused);

    const program::Method& method;
    ValueStorages& storages;
    std::map<std::pair<std::uint32_t, std::uint64_t>, Part> parts;    ///< by arena and offset
    std::set<std::pair<program::ValueId, program::ValueId>> inPlace;  ///< pairs that may share memory
};

}  // namespace et::tasks
