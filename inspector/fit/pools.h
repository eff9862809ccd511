#pragma once

#include "runtime/program/program.h"

#include <cstdint>
#include <optional>
#include <vector>

// Memory requirements of a program on a device, by pool.
namespace et::inspector {

/// An arena of a method's memory plan.
struct ArenaNeed {
    std::uint64_t planned = 0;   ///< bytes requested by the program
    std::uint64_t smallest = 0;  ///< end of its last tensor: loading fails with any less
};

/// Allocations of ExecuTorch's runtime while loading a method, for a given pointer size. A model that
/// excludes the backends' own allocations.
struct LoadNeed {
    std::uint64_t method = 0;     ///< pool for values, tensors, instructions and delegates, in bytes
    std::uint64_t temporary = 0;  ///< temporary pool during operator lookup
};

struct PoolNeeds {
    std::vector<ArenaNeed> arenas{};    ///< by arena id, starting at 1
    std::uint64_t inputsOutputs = 0;    ///< tensors provided by the caller, at their maximum sizes, in bytes
    std::uint64_t unplanned = 0;        ///< other tensors with memory in neither the plan nor the file
    std::size_t unbounded = 0;          ///< tensors without a size bound; not counted above
    std::uint64_t constants = 0;        ///< in the file, without duplicates
    std::uint64_t delegateScratch = 0;  ///< largest temporary memory of a delegate call, in bytes
    LoadNeed load64{};
    LoadNeed load32{};

    [[nodiscard]] std::uint64_t planned() const;
    [[nodiscard]] std::uint64_t smallestPlanned() const;
};

[[nodiscard]] PoolNeeds computePools(const program::Method& method);

/// Allocations while loading it, for pointers of 4 or 8 bytes.
[[nodiscard]] LoadNeed loadNeed(const program::Method& method, unsigned pointerBytes);

/// Alignments of data in a program, in bytes; empty: there is no such data, or only at offset 0.
struct Alignments {
    std::optional<std::uint64_t> constants{};
    std::optional<std::uint64_t> payloads{};  ///< of delegates, and named data
    std::optional<std::uint64_t> planned{};   ///< tensors within their arena
};
/// File offsets are relative to the program's start.
[[nodiscard]] Alignments collectAlignments(const program::Program& program, const program::Method& method);

/// Storage requirements of a program, in bytes.
struct FlashNeed {
    std::uint64_t file = 0;
    std::uint64_t data = 0;  ///< portion for constants, payloads and named data: copied unless it is mapped
};
[[nodiscard]] FlashNeed computeFlash(const program::Program& program);

}  // namespace et::inspector
