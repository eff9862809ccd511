#pragma once

#include "app/tasks/sanitize/poison.h"
#include "runtime/core/scalar_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace et::tasks {

/// Bytes of a result, one copy per world.
struct WorldBytes {
    std::array<std::span<const std::byte>, worldCount> copies{};
    core::ScalarType dtype = core::ScalarType::Byte;
};

/// Bytes of a result that are unwritten, or differ between the worlds.
struct ResultDifference {
    std::uint64_t unwritten = 0;     ///< number of bytes that have the poison of both worlds
    std::size_t firstUnwritten = 0;  ///< in bytes from the start
    std::uint64_t differing = 0;     ///< number of other bytes that differ
    std::size_t firstDiffering = 0;
};

/// Compares a result. `isPoisoned`: it was filled with poison before the call. Different NaN values are
/// equal.
[[nodiscard]] ResultDifference compareWorlds(const WorldBytes& result, bool isPoisoned);

/// The first byte that is not `expected`, and the number of those; offsets from the start of `bytes`.
struct ChangedBytes {
    std::size_t first = 0;
    std::uint64_t count = 0;
};
[[nodiscard]] ChangedBytes changedBytes(std::span<const std::byte> bytes, std::byte expected);

}  // namespace et::tasks
