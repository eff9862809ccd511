#pragma once

#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/detail/module_state.h"
#include "runtime/executor/method.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace et::executor::detail {

/// The values of a method with their memory.
struct MethodValues {
    std::vector<core::Value> values;    ///< by program::ValueId; never moves
    std::vector<core::Tensor> tensors;  ///< of `values`; never moves, either
    std::vector<UsedArena> arenas;      ///< by program::ArenaId
    std::vector<core::Bytes> planned;   ///< the same
    std::vector<std::uint64_t> taken;   ///< the same: bytes that no other method had taken before
    std::vector<Memory> owned;          ///< of tensors that have no other place
    std::vector<std::unique_ptr<GrowingBlock>> growing;
    MemoryReport report;

    [[nodiscard]] core::Value& at(program::ValueId id) { return values[id.value]; }
};

/// Errors: NotFound (external data that is missing), Unsupported (a dtype or layout that cannot run), Limit,
/// Format (a tensor planned where its elements would not be aligned), Mismatch (external data of another
/// shape).
[[nodiscard]] core::Result<MethodValues> makeValues(const program::Method& method, ModuleState& module);

}  // namespace et::executor::detail
