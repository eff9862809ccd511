#pragma once

#include <cstddef>
#include <cstdint>

namespace et::tasks {

/// Number of bytes that the processor instruction at `code` reads or writes in memory; 0: unknown.
[[nodiscard]] std::uint32_t accessSize(const std::byte* code);

}  // namespace et::tasks
