#pragma once

#include "app/tasks/sanitize/call_arguments.h"
#include "app/tasks/sanitize/guarded_heap.h"
#include "app/tasks/sanitize/guarded_scratch.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "app/tasks/sanitize/value_storages.h"
#include "runtime/core/result.h"
#include "runtime/executor/memory_guard.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace et::tasks {

/// Objects shared by the checks of a method.
struct CheckContext {
    Sanitizer& sanitizer;
    const program::Method& method;
    ValueStorages& storages;
    GuardedScratch& scratch;
    bool staysOpen =
        false;  ///< in this execution, values that are no arguments of a call are accessible, too

    [[nodiscard]] GuardedHeap& heap() const { return sanitizer.heap(); }
};

/// A call that is checked.
class CheckedCall {
  public:
    using Run = std::function<core::Result<>()>;

    CheckedCall(const CheckContext& shared, const executor::GuardedCall& given,
                const CheckedInstruction& what, const Run& calls);

    /// Whether it can run in both worlds.
    [[nodiscard]] bool isRepeatable() const { return repeatable; }
    /// Whether it writes the storage without reading it.
    [[nodiscard]] bool isFresh(std::size_t storage) const;
    /// Whether it can run again with an equal result: it reads nothing that it writes.
    [[nodiscard]] bool canRunAgain() const;

    /// Fills the outputs with the poison of the world, or with `other`.
    void poisonOutputs(std::size_t world, std::optional<std::byte> other = {});
    /// Runs in a world. `faults` (null: ignored) receives the forbidden accesses.
    [[nodiscard]] core::Result<> runIn(std::size_t world, std::byte scratchPoison,
                                       std::vector<MemoryFault>* faults);
    /// Makes the outputs in a world accessible to the checks.
    void openOutputs(std::size_t world);
    /// Copies all outputs from the first world to the second.
    void copyOutputs();

    [[nodiscard]] std::span<const TensorArgument> arguments() const { return all; }
    [[nodiscard]] const CheckedInstruction& instruction() const { return about; }
    [[nodiscard]] bool isDelegate() const { return call.kind == executor::GuardedCall::Kind::Delegate; }
    [[nodiscard]] bool hasCrashed() const { return crashed; }
    /// The error for a crash.
    [[nodiscard]] core::Result<> crash() const;
    /// Whether it read memory that it must not read, so that its result is undefined.
    [[nodiscard]] bool hasReadOutside() const { return readOutside; }
    /// The argument in a storage, a written one if `isWrite`; null: none.
    [[nodiscard]] const TensorArgument* argumentIn(std::size_t storage, bool isWrite) const;
    /// The memory of an argument in a world, before the call.
    [[nodiscard]] std::byte* placeIn(const TensorArgument& argument, std::size_t world) const {
        return context.storages.inWorld(argument.place, world);
    }
    [[nodiscard]] MemoryFinding finding(MemoryError kind, const TensorArgument* argument) const {
        return findingAt(kind, context.method, about, argument);
    }

  private:
    void open(std::size_t world);
    void enter(std::size_t world);
    [[nodiscard]] core::Result<> runGuarded(std::vector<MemoryFault>* faults);
    [[nodiscard]] ValueStorage& storageOf(const TensorArgument& argument) const {
        return context.storages.all()[*argument.storage];
    }

    const CheckContext& context;
    const executor::GuardedCall& call;
    const CheckedInstruction& about;
    const Run& run;
    std::vector<TensorArgument> all;
    bool repeatable = false;
    bool crashed = false;
    bool readOutside = false;
};

}  // namespace et::tasks
