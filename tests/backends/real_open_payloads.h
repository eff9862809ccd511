#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

/// Calls `take` for each delegate of `backend` in the real programs, with the graph that describes it and the
/// names of its operators in order, as returned by ExecuTorch's own reader. Returns the number of delegates.
std::size_t forEachRealDelegate(
    std::string_view backend, const std::function<void(const std::filesystem::path&, const core::ModelGraph&,
                                                       const std::vector<std::string>& operators)>& take);

}  // namespace et::test
