#pragma once

#include "backends/reference/reference_value.h"
#include "backends/xnnpack/quantize/exported_operators.h"
#include "backends/xnnpack/quantize/model_draft.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <string>

namespace et::backends::xnnpack {

/// Other elements for a constant that an operator reads. Who else reads it keeps what there was.
struct ConstantChange {
    std::size_t op = 0;   ///< in ExportedOperators
    std::string value{};  ///< of the graph; empty: the bias that a convolution or linear does not have
    reference::ReferenceTensor tensor{};  ///< float32, of the value's sizes
};

/// The value that a convolution or product adds to each channel, if it is a constant of its own; else empty.
[[nodiscard]] std::string_view biasOf(const lowering::EdgeMethod& method, const ExportedOperator& op);
/// Whether an operator has a bias or could take one.
[[nodiscard]] bool takesBias(const lowering::EdgeMethod& method, const ExportedOperator& op);

/// Puts the changes into a draft whose nodes are those of the method.
void changeConstants(const lowering::EdgeMethod& method, const ExportedOperators& operators,
                     std::span<const ConstantChange> changes, ModelDraft& draft);

}  // namespace et::backends::xnnpack
