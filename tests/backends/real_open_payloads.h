#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

/// Calls `take` with the graph that describes each delegate of `backend` in the real programs, and with the
/// names of its operators in their order as ExecuTorch's own reader gave them. Counts the delegates.
std::size_t forEachRealDelegate(
    std::string_view backend, const std::function<void(const std::filesystem::path&, const core::ModelGraph&,
                                                       const std::vector<std::string>& operators)>& take);

}  // namespace et::test
