#pragma once

#include "backends/lowering/method_emission.h"
#include "backends/lowering/weight_store.h"
#include "backends/xnnpack/lower/constants.h"
#include "backends/xnnpack/lower/part_graph.h"
#include "backends/xnnpack/lower/payload_draft.h"
#include "backends/xnnpack/lower/quantized_weights.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Constants that a part reads: weights, stored with the payload for nodes that pack them, and arguments of
/// the delegate, which nodes read in each run.
class PartConstants {
  public:
    /// All must outlive it.
    PartConstants(const PartGraph& of, Constants& known, lowering::WeightStore& weightStore,
                  PayloadDraft& payload)
        : graph(of), constants(known), store(weightStore), draft(payload) {}

    /// Row-major float32, converted from any float dtype of the record. Errors: those of Constants::get();
    /// Unsupported.
    [[nodiscard]] core::Result<std::vector<float>> floats(std::string_view value);
    /// Weights of the payload, for nodes such as convolutions and products: ExecuTorch's delegate frees their
    /// source. `hint`: base of its name.
    [[nodiscard]] ValueIndex weights(std::span<const float> elements, std::vector<std::uint32_t> sizes,
                                     std::string_view hint, Datatype datatype = Datatype::Fp32);

    /// Integer weights of a product; nothing if it has none that the library supports. Errors: those of
    /// Constants::get().
    [[nodiscard]] core::Result<std::optional<QuantizedWeight>> integerWeight(std::string_view value,
                                                                             std::size_t outputDim);
    /// Weights of a product in the payload: `order` of their dimensions; outputs are dimension `outputDim` of
    /// the result.
    [[nodiscard]] core::Result<ValueIndex> integerFilter(const QuantizedWeight& weight,
                                                         std::span<const std::uint8_t> order,
                                                         std::uint32_t outputDim);
    /// A bias for int8 products, with scales derived from those of both operands.
    [[nodiscard]] ValueIndex integerBias(std::span<const float> bias, float inputScale,
                                         std::span<const float> weightScales, std::string_view hint);

    /// An argument in a layout. Errors: those of Constants::get(); Unsupported.
    [[nodiscard]] core::Result<ValueIndex> argument(std::string_view value, Layout layout);
    /// An argument with an element for each channel (dimension 1) of an operand of this rank and layout, or
    /// one for all. Errors: as for argument().
    [[nodiscard]] core::Result<ValueIndex> perChannel(std::string_view value, std::size_t rank,
                                                      Layout layout);
    /// An argument with one element.
    [[nodiscard]] ValueIndex number(float number, Datatype datatype);

    /// Makes the arguments the payload's next inputs and returns them. Call once.
    [[nodiscard]] std::vector<lowering::PartConstant> takeArguments();

  private:
    core::Result<reference::ReferenceTensor> tensor(std::string_view value);
    ValueIndex addArgument(DraftValue value, lowering::PartConstant constant);

    const PartGraph& graph;
    Constants& constants;
    lowering::WeightStore& store;
    PayloadDraft& draft;
    std::vector<lowering::PartConstant> arguments;
    std::vector<ValueIndex> inputs;  ///< by argument
};

}  // namespace et::backends::xnnpack
