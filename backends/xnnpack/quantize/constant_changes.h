#pragma once

#include "backends/reference/reference_value.h"
#include "backends/xnnpack/quantize/exported_operators.h"
#include "backends/xnnpack/quantize/model_draft.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <string>

namespace et::backends::xnnpack {

/// New elements for a constant read by one operator. Other readers keep the old constant.
struct ConstantChange {
    std::size_t op = 0;   ///< in ExportedOperators
    std::string value{};  ///< value of the graph; empty: the missing bias of a convolution or linear
    reference::ReferenceTensor tensor{};  ///< float32, with the value's sizes
};

/// The constant that a convolution or product adds to each channel; empty if there is none.
[[nodiscard]] std::string_view biasOf(const lowering::EdgeMethod& method, const ExportedOperator& op);
/// Whether an operator has a bias or supports one.
[[nodiscard]] bool takesBias(const lowering::EdgeMethod& method, const ExportedOperator& op);

/// Applies the changes to a draft with the same nodes as the method.
void changeConstants(const lowering::EdgeMethod& method, const ExportedOperators& operators,
                     std::span<const ConstantChange> changes, ModelDraft& draft);

}  // namespace et::backends::xnnpack
