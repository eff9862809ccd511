#pragma once

#include "runtime/program/program.h"

#include <cstdint>
#include <optional>
#include <vector>

// What memory a program needs of a device, pool by pool.
namespace et::inspector {

/// An arena of a method's memory plan.
struct ArenaNeed {
    std::uint64_t planned = 0;   ///< bytes that the program asks for
    std::uint64_t smallest = 0;  ///< where its last tensor ends: with a byte less, loading fails
};

/// What loading a method makes in ExecuTorch's runtime, for pointers of some size. A model of its
/// allocations, without what backends make for themselves.
struct LoadNeed {
    std::uint64_t method = 0;     ///< of the pool for values, tensors, instructions and delegates, in bytes
    std::uint64_t temporary = 0;  ///< of the temporary pool, while an operator is looked up
};

struct PoolNeeds {
    std::vector<ArenaNeed> arenas{};  ///< by arena id, from 1 on
    std::uint64_t inputsOutputs = 0;  ///< tensors that the caller brings, with their largest sizes, in bytes
    std::uint64_t unplanned = 0;      ///< other tensors that neither plan nor file has memory for
    std::size_t unbounded = 0;        ///< tensors whose size nothing bounds; not counted above
    std::uint64_t constants = 0;      ///< in the file, each once
    LoadNeed load64{};
    LoadNeed load32{};

    [[nodiscard]] std::uint64_t planned() const;
    [[nodiscard]] std::uint64_t smallestPlanned() const;
};

[[nodiscard]] PoolNeeds poolsOf(const program::Method& method);

/// What loading it makes, for pointers of 4 or 8 bytes.
[[nodiscard]] LoadNeed loadNeed(const program::Method& method, unsigned pointerBytes);

/// What parts of a program are aligned to, in bytes; nothing: there are no such parts, or none but at 0.
struct Alignments {
    std::optional<std::uint64_t> constants{};
    std::optional<std::uint64_t> payloads{};  ///< of delegates, and the data by name
    std::optional<std::uint64_t> planned{};   ///< tensors within their arena
};
/// Places in the file count from the program's start.
[[nodiscard]] Alignments alignmentsOf(const program::Program& program, const program::Method& method);

/// Where data of a program lie, in bytes.
struct FlashNeed {
    std::uint64_t file = 0;
    std::uint64_t data = 0;  ///< of it, constants, payloads and data by name: copied where it is not mapped
};
[[nodiscard]] FlashNeed flashOf(const program::Program& program);

}  // namespace et::inspector
