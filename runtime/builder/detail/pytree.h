#pragma once

#include <cstddef>
#include <string>

// Python arguments and results of a method in programs: torch.utils._pytree as JSON.
namespace et::builder::detail {

/// (args, kwargs) with `count` arguments and no keywords.
[[nodiscard]] std::string flatInputTree(std::size_t count);
/// A single result as is, several as a tuple.
[[nodiscard]] std::string flatOutputTree(std::size_t count);

}  // namespace et::builder::detail
