#pragma once

#include "app/tasks/rewrite/part_maker.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// An instruction or operator that remains.
struct ReducedOperator {
    std::size_t instruction = 0;
    std::optional<std::size_t> node;  ///< of the delegate that the instruction calls
    std::string name;                 ///< "aten::convolution.out", "XNNConv2d"
    std::vector<std::string> edgeNodes;
    std::string source;  ///< "model.py:12 in forward", the innermost frame outside PyTorch; empty: unknown
};

/// Lists the instructions and operators of a part of a method. `record`: an ETRecord with the source
/// locations; may be empty. Errors: those of the record and of the delegate's payload.
[[nodiscard]] core::Result<std::vector<ReducedOperator>> operatorsOf(const program::Method& method,
                                                                     const PartChoice& part,
                                                                     const std::filesystem::path& record);

}  // namespace et::tasks
