#pragma once

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/library/weights_cache.h"
#include "backends/xnnpack/nodes/node_path.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"
#include "runtime/kernels/thread_pool.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace et::backends::xnnpack {

/// A node computed by a custom kernel, because the library's result differs from PyTorch's or takes much
/// longer. Values in memory have the type computedAs(); dynamically quantized values are stored as
/// dequantized fp32 numbers.
class CustomNode {
  public:
    /// Inputs for creating nodes; must outlive them.
    struct Source {
        const Payload& payload;
        const ConstantData& constants;
        const kernels::ThreadPool& threads;
        bool widenHalf;
        WeightsCache* weights = nullptr;  ///< cache for packed weights, which must outlive the node; null:
                                          ///< none
    };

    CustomNode() = default;
    CustomNode(const CustomNode&) = delete;
    CustomNode& operator=(const CustomNode&) = delete;
    virtual ~CustomNode() = default;

    /// Operator name in the library's style: "Convert (NC, F16, QD8)".
    [[nodiscard]] virtual std::string name() const = 0;
    /// Bytes of weights packed for this kernel, without padding.
    [[nodiscard]] virtual std::uint64_t packedBytes() const { return 0; }
    /// Allocates memory for inputs of these shapes.
    virtual void reshape(const Shapes& shapes) = 0;
    /// Reads and writes the values at these addresses, by ValueIndex. Does not allocate.
    virtual void run(std::span<void* const> places) = 0;
};

/// `node`: one whose path isOwn(), or one that quantizes dynamically in the library, which is computed like
/// the library. Errors: Unsupported (datatypes).
[[nodiscard]] core::Result<std::unique_ptr<CustomNode>> makeOwnNode(const CustomNode::Source& source,
                                                                    std::size_t node, NodePath path);

/// Parameters for quantizing floats to 8 bits.
struct DynamicParameters {
    float scale = 1;
    float inverse = 1;
    float zeroPoint = 0;
};

/// Chooses parameters for numbers from `min` (at most 0) to `max` (at least 0) of `type`: Fp32, Fp16 or
/// BFloat16. Own: like torchao::choose_qparams_affine, computed in `type`. CustomWhole: like
/// quantized_decomposed::choose_qparams with the minimum scale of PyTorch's XNNPACK recipe, 2^-12, in fp32
/// except for the scale. Library: like the library, in fp32.
[[nodiscard]] DynamicParameters chooseParameters(float min, float max, Datatype type, NodePath path);

/// Rounds numbers to `type`: Fp32, Fp16 or BFloat16.
void roundNumbers(Datatype type, std::span<float> numbers);

}  // namespace et::backends::xnnpack
