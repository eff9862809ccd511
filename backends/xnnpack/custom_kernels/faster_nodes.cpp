#include "backends/xnnpack/custom_kernels/faster_nodes.h"

#include "backends/xnnpack/custom_kernels/byte_rows.h"
#include "backends/xnnpack/custom_kernels/byte_values.h"
#include "backends/xnnpack/custom_kernels/custom_block_product.h"
#include "backends/xnnpack/custom_kernels/custom_byte_arithmetic.h"
#include "backends/xnnpack/custom_kernels/custom_byte_convolution.h"
#include "backends/xnnpack/custom_kernels/custom_float_convolution.h"
#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/custom_kernels/custom_table.h"
#include "backends/xnnpack/custom_kernels/custom_up_convolution.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"
#include "runtime/kernels/quantized/interleave.h"

#include <algorithm>
#include <array>
#include <variant>

namespace et::backends::xnnpack {
namespace {

/// Such a node. XNNPACK 20241108 transposes in blocks, which are mostly empty for three columns
/// (benchmarks/nodes_benchmark.cpp).
class CustomInterleave final : public CustomNode {
  public:
    explicit CustomInterleave(const PayloadNode& node) : input(node.inputs[0]), output(node.outputs[0]) {}

    [[nodiscard]] std::string name() const override { return "Transpose (ND, X8)"; }
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    ValueIndex input;
    ValueIndex output;
    std::size_t samples = 0;
    std::size_t planes = 0;
    std::size_t count = 0;  ///< bytes per plane
};

/// Whether a node interleaves two to four byte planes into pixels, and is large enough to matter: an image in
/// channels-first order.
bool isInterleave(const Payload& payload, const PayloadNode& node, const Shapes& shapes) {
    constexpr std::size_t leastBytes = std::size_t{1} << 12U;
    constexpr std::array<std::uint32_t, 4> order{0, 2, 3, 1};
    const auto* const fields = std::get_if<TransposeFields>(&node.fields);
    if (node.traits->form() != NodeForm::Transpose || fields == nullptr || node.flags != 0 || node.range ||
        !std::ranges::equal(fields->order, order) || !areBytesOfOneType(payload, node) ||
        payload.value(node.inputs[0]).constant != 0) {
        return false;
    }
    const ValueSizes& sizes = shapes[node.inputs[0]];
    return sizes[1] >= kernels::quantized::minInterleaved && sizes[1] <= kernels::quantized::maxInterleaved &&
           elementsOf(sizes) >= leastBytes;
}

void CustomInterleave::reshape(const Shapes& shapes) {
    const ValueSizes& sizes = shapes[input];
    samples = sizes[0];
    planes = sizes[1];
    count = sizes[2] * sizes[3];
}

void CustomInterleave::run(std::span<void* const> places) {
    const auto* from = static_cast<const std::uint8_t*>(places[input]);
    auto* to = static_cast<std::uint8_t*>(places[output]);
    for (std::size_t sample = 0; sample < samples; ++sample) {
        kernels::quantized::interleave(from, planes, count, to);
        from += planes * count;
        to += planes * count;
    }
}

/// Smaller results are not worth splitting the library's graph, see docs/explanation/performance.md.
constexpr std::size_t minBytes = 8192;
/// Result bytes computed without moving to another row of an input.
constexpr std::size_t minBlock = 2048;

bool isByteArithmetic(const Payload& payload, const PayloadNode& node, const Shapes& shapes) {
    if (!kernels::quantized::hasFastByteArithmetic() ||
        (!isByteMultiply(payload, node) && !isByteSum(payload, node))) {
        return false;
    }
    ByteRows rows;
    rows.reshape(shapes[node.inputs[0]], shapes[node.inputs[1]], shapes[node.outputs[0]]);
    return rows.blockBytes() >= minBlock;
}

}  // namespace

bool isFasterByUs(const Payload& payload, const PayloadNode& node, const Shapes& shapes,
                  std::size_t threads) {
    if (isUpConvolution(payload, node)) {
        return threads == 1;
    }
    if (isNarrowConvolution(payload, node, shapes) || isFloatDepthwise(payload, node, shapes) ||
        isFasterByteConvolution(payload, node, shapes) || isInterleave(payload, node, shapes) ||
        isBlockProduct(payload, node)) {
        return true;
    }
    return elementsOf(shapes[node.outputs[0]]) >= minBytes &&
           (isByteArithmetic(payload, node, shapes) ||
            (kernels::quantized::hasFastByteTable() && isByteTable(payload, node)));
}

core::Result<std::unique_ptr<CustomNode>> makeFasterNode(const CustomNode::Source& source,
                                                         const PayloadNode& node) {
    switch (node.traits->kind) {
        case NodeKind::TransposedConvolution:
            return CustomUpConvolution::make(source, node);
        case NodeKind::Convolution:
        case NodeKind::DepthwiseConvolution:
            if (source.payload.value(node.inputs[0]).datatype != Datatype::Fp32) {
                return makeFasterByteConvolution(source, node);
            }
            if (node.traits->kind == NodeKind::Convolution) {
                return makeNarrowConvolution(source, node);
            }
            return makeFloatDepthwise(source, node);
        case NodeKind::FullyConnected:
            return CustomBlockProduct::make(source, node);
        case NodeKind::Transpose:
            return std::make_unique<CustomInterleave>(node);
        case NodeKind::Multiply:
            return makeByteMultiply(source, node);
        case NodeKind::Add:
        case NodeKind::Subtract:
            return makeByteSum(source, node);
        default:
            return CustomTable::make(source, std::array{&node});
    }
}

}  // namespace et::backends::xnnpack
