#pragma once

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/library/weights_cache.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/own/node_path.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"
#include "runtime/kernels/thread_pool.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace et::backends::xnnpack {

/// A node that we compute, because the library does not compute it as PyTorch does, or takes much longer.
/// Values lie in memory as computedAs() says; a dynamically quantized one as the fp32 numbers that its
/// quantized ones stand for.
class OwnNode {
  public:
    /// What all nodes are made of; outlives them.
    struct Source {
        const Payload& payload;
        const ConstantData& constants;
        const kernels::ThreadPool& threads;
        bool widenHalf;
        WeightsCache* weights = nullptr;  ///< that may be packed into, and lives as long; null: none
    };

    OwnNode() = default;
    OwnNode(const OwnNode&) = delete;
    OwnNode& operator=(const OwnNode&) = delete;
    virtual ~OwnNode() = default;

    /// As the library would call the operator: "Convert (NC, F16, QD8)".
    [[nodiscard]] virtual std::string name() const = 0;
    /// Weights that it keeps in a form of its own, without their padding.
    [[nodiscard]] virtual std::uint64_t packedBytes() const { return 0; }
    /// Takes memory for inputs of these shapes.
    virtual void reshape(const Shapes& shapes) = 0;
    /// Reads and writes the values at these addresses, by ValueIndex. Takes no memory.
    virtual void run(std::span<void* const> places) = 0;
};

/// `node` is one whose path isOwn(), or one that quantizes dynamically in the library: that is computed as
/// the library does. Errors: Unsupported (datatypes).
[[nodiscard]] core::Result<std::unique_ptr<OwnNode>> makeOwnNode(const OwnNode::Source& source,
                                                                 std::size_t node, NodePath path);

/// How floats become 8 bits.
struct DynamicParameters {
    float scale = 1;
    float inverse = 1;
    float zeroPoint = 0;
};

/// Those that are chosen for numbers from `min` (at most 0) to `max` (at least 0) of `type`: Fp32,
/// Fp16 or BFloat16. Own: as torchao::choose_qparams_affine, all of it in `type`. OwnWhole: as
/// quantized_decomposed::choose_qparams with the least scale of PyTorch's XNNPACK recipe, 2^-12, in fp32 but
/// for the scale. Library: as the library does, in fp32.
[[nodiscard]] DynamicParameters chooseParameters(float min, float max, Datatype type, NodePath path);

/// Rounds numbers to what `type` holds: Fp32, Fp16 or BFloat16.
void roundNumbers(Datatype type, std::span<float> numbers);

}  // namespace et::backends::xnnpack
