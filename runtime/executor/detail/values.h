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

/// Memory of a tensor that has no other storage.
struct OwnedMemory {
    Memory memory;
    bool isConstant = false;  ///< a copied constant
};

/// The values of a method and their memory.
struct MethodValues {
    std::vector<core::Value> values;    ///< by program::ValueId; never reallocated
    std::vector<core::Tensor> tensors;  ///< tensors of `values`; never reallocated
    std::vector<UsedArena> arenas;      ///< by program::ArenaId
    std::vector<core::Bytes> planned;   ///< the same
    std::vector<std::uint64_t> taken;   ///< bytes newly allocated per arena, not already taken by another
                                        ///< method
    std::vector<OwnedMemory> owned;
    std::vector<std::unique_ptr<GrowingBlock>> growing;
    MemoryReport report;

    [[nodiscard]] core::Value& at(program::ValueId id) { return values[id.value]; }
    /// Memory of growing tensors.
    [[nodiscard]] std::uint64_t growingBytes() const {
        std::uint64_t bytes = 0;
        for (const auto& block : growing) {
            bytes += block->bytes();
        }
        return bytes;
    }
};

/// Creates the values of a method. Errors: NotFound (missing external data), Unsupported (a dtype or layout
/// that cannot run), Limit, Format (a tensor planned at an address that is not aligned for its elements),
/// Mismatch (external data of another shape).
[[nodiscard]] core::Result<MethodValues> makeValues(const program::Method& method, ModuleState& module);

}  // namespace et::executor::detail
