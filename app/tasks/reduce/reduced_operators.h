#pragma once

#include "app/tasks/surgery/part_maker.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// One instruction or operator that is left.
struct ReducedOperator {
    std::size_t instruction = 0;
    std::optional<std::size_t> node;  ///< of the delegate that it calls
    std::string name;                 ///< "aten::convolution.out", "XNNConv2d"
    std::vector<std::string> edgeNodes;
    std::string source;  ///< "model.py:12 in forward", the innermost that is not PyTorch's; empty: not known
};

/// What a part of a method consists of. `record`: an ETRecord that says where operators come from; may be
/// empty. Errors: those of the record and of the delegate's payload.
[[nodiscard]] core::Result<std::vector<ReducedOperator>> operatorsOf(const program::Method& method,
                                                                     const PartChoice& part,
                                                                     const std::filesystem::path& record);

}  // namespace et::app
