#include "backends/xnnpack/custom_kernels/faster_nodes.h"

#include "backends/xnnpack/custom_kernels/custom_block_product.h"
#include "backends/xnnpack/custom_kernels/custom_byte_convolution.h"
#include "backends/xnnpack/custom_kernels/custom_float_depthwise.h"
#include "backends/xnnpack/custom_kernels/custom_interleave.h"
#include "backends/xnnpack/custom_kernels/custom_multiply.h"
#include "backends/xnnpack/custom_kernels/custom_narrow_convolution.h"
#include "backends/xnnpack/custom_kernels/custom_sum.h"
#include "backends/xnnpack/custom_kernels/custom_table.h"
#include "backends/xnnpack/custom_kernels/custom_up_convolution.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <array>

namespace et::backends::xnnpack {
namespace {

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
            return std::make_unique<CustomMultiply>(source, node);
        case NodeKind::Add:
        case NodeKind::Subtract:
            return std::make_unique<CustomSum>(source, node);
        default:
            return CustomTable::make(source, std::array{&node});
    }
}

}  // namespace et::backends::xnnpack
