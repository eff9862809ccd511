#include "backends/xnnpack/custom_kernels/custom_block_product.h"

#include "backends/xnnpack/custom_kernels/custom_image_convolution.h"
#include "runtime/kernels/quantized/byte_filter.h"
#include "runtime/kernels/quantized/row_bytes.h"

#include <algorithm>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using kernels::quantized::BlockProduct;
using kernels::quantized::BlockProductShape;

/// The node that dynamically quantizes a value by row from fp32, if the value is only used in this graph;
/// null: none.
const PayloadNode* rowQuantization(const Payload& payload, ValueIndex value) {
    const PayloadValue& quantized = payload.value(value);
    const auto* const rows = std::get_if<PerTokenQuantization>(&quantized.quantization);
    if (quantized.datatype != Datatype::QDInt8 || rows == nullptr || rows->nonbatchDims != 1 ||
        quantized.isInput || quantized.isOutput || quantized.constant != 0) {
        return nullptr;
    }
    const auto writer = std::ranges::find_if(
        payload.nodes, [value](const PayloadNode& node) { return node.outputs[0] == value; });
    const bool isQuantization = writer != payload.nodes.end() && writer->traits->kind == NodeKind::Convert &&
                                writer->flags == 0 &&
                                payload.value(writer->inputs[0]).datatype == Datatype::Fp32 &&
                                payload.value(writer->inputs[0]).constant == 0;
    return isQuantization ? &*writer : nullptr;
}

BlockProductShape productShape(const PayloadValue& weights) {
    return {.outputs = weights.sizes[0],
            .depth = weights.sizes[1],
            .block = std::get_if<BlockwiseQuantization>(&weights.quantization)->blockSize};
}

bool areBlockWeights(const PayloadValue& value) {
    constexpr std::size_t blockUnit = 32;
    constexpr std::size_t maxDepth = std::size_t{1} << 24U;
    const auto* const blocks = std::get_if<BlockwiseQuantization>(&value.quantization);
    if (value.datatype != Datatype::QBInt4 || value.constant == 0 || value.sizes.size() != 2 ||
        blocks == nullptr || blocks->channelDim != 0 || blocks->blockSize == 0) {
        return false;
    }
    const BlockProductShape shape = productShape(value);
    return shape.outputs > 0 && shape.depth > 0 && shape.depth < maxDepth && shape.block % blockUnit == 0 &&
           shape.depth % shape.block == 0;
}

}  // namespace

bool isBlockProduct(const Payload& payload, const PayloadNode& node) {
    if (node.traits->form() != NodeForm::FullyConnected || node.flags != 0 ||
        !kernels::quantized::hasFastByteConvolution() || !areBlockWeights(payload.value(node.inputs[1])) ||
        payload.value(node.outputs[0]).datatype != Datatype::Fp32) {
        return false;
    }
    const ValueIndex bias = node.inputs[2];
    return (bias == noValue ||
            (payload.value(bias).datatype == Datatype::Fp32 && payload.value(bias).constant != 0)) &&
           rowQuantization(payload, node.inputs[0]) != nullptr;
}

core::Result<std::unique_ptr<CustomBlockProduct>> CustomBlockProduct::make(const Source& source,
                                                                           const PayloadNode& node) {
    std::unique_ptr<CustomBlockProduct> made(new CustomBlockProduct(source, node));
    ET_TRY(made->pack(source, node));
    return made;
}

CustomBlockProduct::CustomBlockProduct(const Source& source, const PayloadNode& node)
    : threads(source.threads),
      input(rowQuantization(source.payload, node.inputs[0])->inputs[0]),
      output(node.outputs[0]),
      shape(productShape(source.payload.value(node.inputs[1]))) {
}

core::Result<> CustomBlockProduct::pack(const Source& source, const PayloadNode& node) {
    const ValueIndex weights = node.inputs[1];
    const kernels::quantized::BlockWeights from{
        .shape = shape,
        .pairs = static_cast<const std::byte*>(source.constants.data(weights)),
        .scales = source.constants.blockScales(weights).data(),
        .bias = constantFloats(source, node.inputs[2])};
    ET_ASSIGN(const std::byte* const packed,
              packedWeights.pack(source, PackedWeights::Form::Blocks, from.pairs, from.bias,
                                 BlockProduct::packedBytes(shape),
                                 [&](std::byte* to) { BlockProduct::pack(from, to); }));
    const OutputRange range = node.range.value_or(OutputRange{});
    product.emplace(shape, packed, range.min, range.max);
    return {};
}

std::string CustomBlockProduct::name() const {
    return "Fully Connected (NC, QD8, F32, QB4W) GEMM";
}

void CustomBlockProduct::reshape(const Shapes& shapes) {
    rows = elementsOf(shapes[input]) / shape.depth;
    bytes.resize(rows * shape.depth);
    scales.resize(rows);
    zeroPoints.resize(rows);
}

void CustomBlockProduct::run(std::span<void* const> places) {
    /// Fewer are not worth another thread.
    constexpr std::size_t numbersPerThread = std::size_t{1} << 15U;
    constexpr std::size_t productsPerThread = std::size_t{1} << 19U;
    const auto* const from = static_cast<const float*>(places[input]);
    auto* const to = static_cast<float*>(places[output]);
    threads.parallelFor(rows, numbersPerThread / shape.depth + 1,
                        [&](std::size_t begin, std::size_t end) { quantize(from, begin, end); });
    const kernels::quantized::QuantizedRows quantized{
        .bytes = bytes.data(), .scales = scales.data(), .zeroPoints = zeroPoints.data(), .count = rows};
    const std::size_t pieces = product->pieces(rows);
    const std::size_t pieceProducts = pieces == 0 ? 1 : rows * shape.depth * shape.outputs / pieces;
    threads.parallelFor(
        pieces, productsPerThread / std::max<std::size_t>(pieceProducts, 1) + 1,
        [&](std::size_t begin, std::size_t end) { product->compute(quantized, begin, end, to); });
}

void CustomBlockProduct::quantize(const float* from, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
        const float* const numbers = from + row * shape.depth;
        const kernels::quantized::NumberRange range = kernels::quantized::rangeOfRow(numbers, shape.depth);
        const DynamicParameters by =
            chooseParameters(range.min, range.max, Datatype::Fp32, NodePath::Library);
        kernels::quantized::quantizeRow(numbers, shape.depth, by.inverse, by.zeroPoint,
                                        bytes.data() + row * shape.depth);
        scales[row] = by.scale;
        zeroPoints[row] = by.zeroPoint;
    }
}

}  // namespace et::backends::xnnpack
