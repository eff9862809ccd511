#pragma once

#include <cstddef>
#include <vector>

namespace et::test {

/// A program whose `count` tensors each live for forty instructions, in places that take turns.
[[nodiscard]] std::vector<std::byte> longProgram(std::size_t count);

}  // namespace et::test
