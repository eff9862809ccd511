#pragma once

#include <cstddef>
#include <string>

// How programs describe the Python arguments and results of a method: torch.utils._pytree as JSON.
namespace et::builder::detail {

/// (args, kwargs) with `count` arguments and no keywords.
[[nodiscard]] std::string flatInputTree(std::size_t count);
/// One result as it is, several as a tuple.
[[nodiscard]] std::string flatOutputTree(std::size_t count);

}  // namespace et::builder::detail
