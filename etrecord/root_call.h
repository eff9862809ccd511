#pragma once

#include <cstddef>
#include <string>

namespace et::etrecord {

/// The calling convention of the root module: positional arguments, one tensor each, and one or several
/// results.
[[nodiscard]] std::string rootCall(std::size_t inputs, std::size_t outputs);

}  // namespace et::etrecord
