#include "backends/tosa/lower/graph_maker.h"

#include <algorithm>
#include <cstdint>

// Convolutions and matrix products. Integers are computed in float64, whose sums of products are exact here.
namespace et::backends::tosa {
namespace {

using core::Result;
using core::ScalarType;

/// Dtype in which products are added up.
ScalarType sumType(ScalarType dtype) {
    return core::isFloating(dtype) ? ScalarType::Float : ScalarType::Double;
}

/// The input without its zero point, in the dtype of the sums.
Result<MadeTensor> operand(GraphMaker& maker, const Operator& from, std::size_t index,
                           std::size_t zeroPoint) {
    ET_ASSIGN(MadeTensor x, maker.input(from, index));
    ET_ASSIGN(const std::int64_t zero, maker.integer(from, zeroPoint));
    const ScalarType sums = sumType(x.dtype);
    if (zero != 0) {
        x = maker.cast(x, ScalarType::Long);
        x = maker.pair("aten.sub.Tensor", x, maker.constant({zero}));
    }
    return maker.cast(x, sums);
}

struct Window {
    std::vector<std::int64_t> padding;  ///< top, bottom, left, right
    std::vector<std::int64_t> stride;
    std::vector<std::int64_t> dilation{1, 1};
};

MadeTensor padded(GraphMaker& maker, const MadeTensor& x, const Window& window) {
    if (std::ranges::all_of(window.padding, [](std::int64_t each) { return each == 0; })) {
        return x;
    }
    const auto& p = window.padding;
    return maker.put("aten.constant_pad_nd.default",
                     {tensorArgument(x.name), wholesArgument({p[2], p[3], p[0], p[1]}), realArgument(0)},
                     x.dtype);
}

/// The weights must have the layout of ATen: outputs, inputs of the group, height, width.
Result<MadeTensor> convolved(GraphMaker& maker, const Operator& from, const MadeTensor& weights,
                             std::int64_t groups) {
    Window window;
    ET_ASSIGN(window.padding, numbersField(from, "padding", 4));
    ET_ASSIGN(window.stride, numbersField(from, "stride", 2));
    ET_ASSIGN(window.dilation, numbersField(from, "dilation", 2));
    ET_ASSIGN(MadeTensor x, operand(maker, from, 0, 3));
    ET_ASSIGN(MadeTensor bias, maker.input(from, 2));
    ET_ASSIGN(const Tensor* const biasType, maker.inputType(from, 2));
    ET_ASSIGN(const Tensor* const out, maker.outputType(from));
    bias = maker.cast(bias, x.dtype);
    if (biasType->sizes.size() == 1 && biasType->sizes[0] == 1 && !out->sizes.empty() &&
        out->sizes.back() > 1) {
        bias = maker.put("aten.expand_copy.default",
                         {tensorArgument(bias.name), wholesArgument({out->sizes.back()})}, bias.dtype);
    }
    x = padded(maker, maker.permuted(x, channelsFirst), window);
    const MadeTensor result =
        maker.put("aten.convolution.default",
                  {tensorArgument(x.name), tensorArgument(weights.name), tensorArgument(bias.name),
                   wholesArgument(window.stride), wholesArgument({0, 0}), wholesArgument(window.dilation),
                   truthArgument(false), wholesArgument({0, 0}), wholeArgument(groups)},
                  x.dtype);
    return maker.permuted(result, channelsLast);
}

Result<MadeTensor> convolution(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor weights, operand(maker, from, 1, 4));
    return convolved(maker, from, maker.permuted(weights, channelsFirst), 1);
}

/// Weights are height, width, channels, multiplier.
Result<MadeTensor> depthwise(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const Tensor* const type, maker.inputType(from, 1));
    ET_ASSIGN(MadeTensor weights, operand(maker, from, 1, 4));
    const auto& sizes = type->sizes;
    if (sizes.size() != 4) {
        return core::fail(core::ErrorCode::Format, "expected weights with 4 dimensions");
    }
    weights = maker.permuted(weights, {2, 3, 0, 1});
    weights =
        maker.put("aten.view_copy.default",
                  {tensorArgument(weights.name), wholesArgument({-1, 1, sizes[0], sizes[1]})}, weights.dtype);
    return convolved(maker, from, weights, sizes[2]);
}

/// The output padding adds rows and columns of the bias, or removes some if it is negative.
Result<MadeTensor> transposedConvolution(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const auto padding, numbersField(from, "output padding", 4));
    ET_ASSIGN(const auto stride, numbersField(from, "stride", 2));
    ET_ASSIGN(const MadeTensor x, operand(maker, from, 0, 3));
    ET_ASSIGN(const MadeTensor weights, operand(maker, from, 1, 4));
    ET_ASSIGN(const MadeTensor bias, maker.input(from, 2));
    const MadeTensor image = maker.permuted(x, channelsFirst);
    const MadeTensor kernel = maker.permuted(weights, {3, 0, 1, 2});
    const MadeTensor result =
        maker.put("aten.convolution.default",
                  {tensorArgument(image.name), tensorArgument(kernel.name), noArgument(),
                   wholesArgument(stride), wholesArgument({0, 0}), wholesArgument({1, 1}),
                   truthArgument(true), wholesArgument({0, 0}), wholeArgument(1)},
                  x.dtype);
    const MadeTensor larger = padded(maker, result, {.padding = padding, .stride = stride});
    return maker.pair("aten.add.Tensor", maker.permuted(larger, channelsLast), maker.cast(bias, x.dtype));
}

Result<MadeTensor> product(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor a, operand(maker, from, 0, 2));
    ET_ASSIGN(const MadeTensor b, operand(maker, from, 1, 3));
    return maker.pair("aten.bmm.default", a, b);
}

}  // namespace

void addProducts(Conversions& to) {
    to["CONV2D"] = convolution;
    to["DEPTHWISE_CONV2D"] = depthwise;
    to["MATMUL"] = product;
    to["TRANSPOSE_CONV2D"] = transposedConvolution;
}

}  // namespace et::backends::tosa
