#pragma once

#include <cstddef>
#include <vector>

namespace et::test {

/// A program with `count` tensors that each live for forty instructions and reuse a rotating set of memory
/// locations.
[[nodiscard]] std::vector<std::byte> longProgram(std::size_t count);

}  // namespace et::test
