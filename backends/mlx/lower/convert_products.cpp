#include "backends/mlx/lower/graph_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Matrix products, convolutions, normalization and attention.
namespace et::backends::mlx {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using etrecord::Argument;

Result<MadeTensor> addmm(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor left, tensorOf(maker, node, "mat1"));
    ET_ASSIGN(MadeTensor right, tensorOf(maker, node, "mat2"));
    ET_ASSIGN(auto bias, optionalOf(maker, node, "bias"));
    ScalarType dtype = floatingOf(promoted(left.dtype, right.dtype));
    dtype = bias ? promoted(dtype, bias->dtype) : dtype;
    left = maker.cast(left, dtype);
    right = maker.cast(right, dtype);
    MadeTensor product =
        maker.put("aten.matmul.default", {tensorArgument(left.name), tensorArgument(right.name)}, dtype);
    if (!bias) {
        return product;  // MLX ignores alpha then
    }
    MadeTensor addend = maker.cast(*bias, dtype);
    const double alpha = realIn(node, "alpha");
    const double beta = realIn(node, "beta");
    if (beta != 1) {
        addend = maker.put("aten.mul.Scalar", {tensorArgument(addend.name), realArgument(beta)}, dtype);
    }
    if (alpha != 1) {
        product = maker.put("aten.mul.Scalar", {tensorArgument(product.name), realArgument(alpha)}, dtype);
    }
    return maker.put("aten.add.Tensor", {tensorArgument(product.name), tensorArgument(addend.name)}, dtype);
}

/// Weights of a quantized node, dequantized to `dtype`.
Result<MadeTensor> dequantizedWeights(GraphMaker& maker, const Node& node, ScalarType dtype) {
    ET_ASSIGN(const MadeTensor words, tensorOf(maker, node, "w"));
    ET_ASSIGN(const MadeTensor scales, tensorOf(maker, node, "scales"));
    ET_ASSIGN(Argument biases, optionalArgument(maker, node, "biases"));
    ET_ASSIGN(Argument global, optionalArgument(maker, node, "global_scale"));
    return maker.put("mlx_node.dequantize.default",
                     {tensorArgument(words.name), tensorArgument(scales.name), std::move(biases),
                      wholeArgument(wholeIn(node, "group_size")), wholeArgument(wholeIn(node, "bits")),
                      textArgument(textIn(node, "mode")), std::move(global)},
                     dtype);
}

Result<MadeTensor> dequantize(GraphMaker& maker, const Node& node) {
    const auto stated = itemsIn(node, "dtype");
    ScalarType dtype = ScalarType::BFloat16;
    if (!stated.empty()) {
        dtype = static_cast<ScalarType>(stated[0].whole);
    } else if (textIn(node, "mode") == "affine") {
        ET_ASSIGN(const MadeTensor scales, tensorOf(maker, node, "scales"));
        dtype = scales.dtype;
    }
    return dequantizedWeights(maker, node, carriedType(dtype));
}

Result<MadeTensor> transposedLast(GraphMaker& maker, const MadeTensor& x) {
    return maker.put("aten.transpose_copy.int",
                     {tensorArgument(x.name), wholeArgument(-2), wholeArgument(-1)}, x.dtype);
}

Result<MadeTensor> weightsOf(GraphMaker& maker, const Node& node, ScalarType dtype) {
    ET_ASSIGN(MadeTensor weights, dequantizedWeights(maker, node, dtype));
    return wholeIn(node, "transpose") != 0 ? transposedLast(maker, weights)
                                           : Result<MadeTensor>(std::move(weights));
}

Result<MadeTensor> quantizedProduct(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(const MadeTensor weights, weightsOf(maker, node, x.dtype));
    return maker.put("aten.matmul.default", {tensorArgument(x.name), tensorArgument(weights.name)}, x.dtype);
}

Result<MadeTensor> gatheredProduct(GraphMaker& maker, const Node& node, const MadeTensor& left,
                                   const MadeTensor& right) {
    ET_ASSIGN(Argument rows, optionalArgument(maker, node, "lhs_indices"));
    ET_ASSIGN(Argument columns, optionalArgument(maker, node, "rhs_indices"));
    return maker.put(
        "mlx_node.gather_mm.default",
        {tensorArgument(left.name), tensorArgument(right.name), std::move(rows), std::move(columns)},
        left.dtype);
}

Result<MadeTensor> gatherMm(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor a, tensorOf(maker, node, "a"));
    ET_ASSIGN(const MadeTensor b, tensorOf(maker, node, "b"));
    return gatheredProduct(maker, node, a, b);
}

Result<MadeTensor> gatherQmm(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(const MadeTensor weights, weightsOf(maker, node, x.dtype));
    return gatheredProduct(maker, node, x, weights);
}

/// The size of the last dimension, as an argument for the sizes of normalization.
Result<Argument> lastSize(GraphMaker& maker, const Node& node, const MadeTensor& x) {
    const auto type = typeOf(maker, node, "x");
    if (type && !type->sizes.empty() && type->sizes.back() >= 0) {
        return wholesArgument({type->sizes.back()});
    }
    const std::string name =
        maker.putNumber("aten.sym_size.int", {tensorArgument(x.name), wholeArgument(-1)});
    return Argument{.name = {},
                    .kind = "as_sym_ints",
                    .value = std::vector<etrecord::SymInt>{{.value = 0, .expression = name}}};
}

Result<MadeTensor> rmsNorm(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(Argument sizes, lastSize(maker, node, x));
    ET_ASSIGN(Argument weight, optionalArgument(maker, node, "weight"));
    return maker.put(
        "aten.rms_norm.default",
        {tensorArgument(x.name), std::move(sizes), std::move(weight), realArgument(realIn(node, "eps"))},
        x.dtype);
}

Result<MadeTensor> layerNorm(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(Argument sizes, lastSize(maker, node, x));
    ET_ASSIGN(Argument weight, optionalArgument(maker, node, "weight"));
    ET_ASSIGN(Argument bias, optionalArgument(maker, node, "bias"));
    return maker.put("aten.layer_norm.default",
                     {tensorArgument(x.name), std::move(sizes), std::move(weight), std::move(bias),
                      realArgument(realIn(node, "eps"))},
                     x.dtype);
}

Result<MadeTensor> rope(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    const auto offset = itemsIn(node, "offset");
    if (offset.empty()) {
        return core::fail(ErrorCode::Format, "its offset is missing");
    }
    Argument start;
    if (offset[0].kind == Item::Kind::Tensor) {
        ET_ASSIGN(const MadeTensor positions, maker.tensor(offset[0].number));
        start = tensorArgument(positions.name);
    } else {
        ET_ASSIGN(start, maker.numberArgument(offset[0]));
    }
    ET_ASSIGN(Argument freqs, optionalArgument(maker, node, "freqs"));
    return maker.put("mlx_node.rope.default",
                     {tensorArgument(x.name), wholeArgument(wholeIn(node, "dims")), std::move(start),
                      std::move(freqs), truthArgument(wholeIn(node, "traditional") != 0),
                      realArgument(realIn(node, "base")), realArgument(realIn(node, "scale"))},
                     x.dtype);
}

Result<MadeTensor> sdpa(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor q, tensorOf(maker, node, "q"));
    ET_ASSIGN(const MadeTensor k, tensorOf(maker, node, "k"));
    ET_ASSIGN(const MadeTensor v, tensorOf(maker, node, "v"));
    ET_ASSIGN(Argument mask, optionalArgument(maker, node, "mask"));
    return maker.put("mlx_node.sdpa.default",
                     {tensorArgument(q.name), tensorArgument(k.name), tensorArgument(v.name), std::move(mask),
                      realArgument(realIn(node, "scale")), truthArgument(wholeIn(node, "causal") != 0)},
                     q.dtype);
}

/// The host's cache computes the attention.
Result<MadeTensor> updateAndAttend(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor q, tensorOf(maker, node, "q"));
    ET_ASSIGN(const MadeTensor k, tensorOf(maker, node, "k"));
    ET_ASSIGN(const MadeTensor v, tensorOf(maker, node, "v"));
    ET_ASSIGN(const MadeTensor position, tensorOf(maker, node, "position"));
    if (itemsIn(node, "layer_id").empty() || itemsIn(node, "scale").empty()) {
        return core::fail(ErrorCode::Format, "its layer or its scale is missing");
    }
    const auto stated = itemsIn(node, "out_dtype");
    const ScalarType dtype = stated.empty() ? q.dtype : static_cast<ScalarType>(stated[0].whole);
    return maker.put("kvcache.update_and_attend.default",
                     {tensorArgument(q.name), tensorArgument(k.name), tensorArgument(v.name),
                      tensorArgument(position.name), wholeArgument(wholeIn(node, "layer_id")),
                      realArgument(realIn(node, "scale")), wholeArgument(static_cast<std::int64_t>(dtype))},
                     dtype);
}

/// Numbers of a convolution's dimensions: "stride_h", "stride_w".
std::vector<std::int64_t> alongWindow(const Node& node, std::string_view field, std::size_t dimensions) {
    constexpr std::string_view endings[][3] = {{""}, {"_h", "_w"}, {"_d", "_h", "_w"}};
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < dimensions; ++i) {
        numbers.push_back(wholeIn(node, fmt::format("{}{}", field, endings[dimensions - 1][i])));
    }
    return numbers;
}

/// Order that moves the last dimension to position `to`.
std::vector<std::int64_t> lastMovedTo(std::size_t rank, std::size_t to) {
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i + 1 < rank; ++i) {
        order.push_back(static_cast<std::int64_t>(i));
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), static_cast<std::int64_t>(rank) - 1);
    return order;
}

MadeTensor permuted(GraphMaker& maker, const MadeTensor& x, const std::vector<std::int64_t>& order) {
    return maker.put("aten.permute_copy.default", {tensorArgument(x.name), wholesArgument(order)}, x.dtype);
}

/// Weights [out, spatial, in / groups] as ATen's [in, out / groups, spatial] of a transposed convolution.
Result<MadeTensor> transposedWeights(GraphMaker& maker, const Node& node, const MadeTensor& w,
                                     std::int64_t groups) {
    ET_ASSIGN(const TensorType type, typeOf(maker, node, "w"));
    const std::size_t rank = type.sizes.size();
    if (groups == 1) {
        return permuted(maker, w, lastMovedTo(rank, 0));
    }
    if (groups < 1 ||
        std::ranges::any_of(
            type.sizes, [](std::int64_t size) { return size < 0; }) ||
        type.sizes[0] % groups != 0) {
        return core::fail(ErrorCode::Unsupported,
                          fmt::format("weights {} in {} groups", typeText(type), groups));
    }
    std::vector<std::int64_t> split = type.sizes;
    split[0] /= groups;
    split.insert(split.begin(), groups);
    MadeTensor parts =
        maker.put("aten.view_copy.default", {tensorArgument(w.name), wholesArgument(split)}, w.dtype);
    parts = permuted(maker, parts, lastMovedTo(rank + 1, 1));
    std::vector<std::int64_t> whole(type.sizes.begin() + 1, type.sizes.end() - 1);
    whole.insert(whole.begin(), {type.sizes.back() * groups, type.sizes[0] / groups});
    return maker.put("aten.view_copy.default", {tensorArgument(parts.name), wholesArgument(whole)}, w.dtype);
}

/// MLX computes with channels last, ATen with channels first.
template <std::size_t dimensions, bool isTransposed>
Result<MadeTensor> convolution(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(MadeTensor w, tensorOf(maker, node, "w"));
    const ScalarType dtype = promoted(x.dtype, w.dtype);
    constexpr std::size_t rank = dimensions + 2;
    const std::int64_t groups = wholeIn(node, "groups");
    x = permuted(maker, maker.cast(x, dtype), lastMovedTo(rank, 1));
    w = maker.cast(w, dtype);
    if (isTransposed) {
        ET_ASSIGN(w, transposedWeights(maker, node, w, groups));
    } else {
        w = permuted(maker, w, lastMovedTo(rank, 1));
    }
    const auto along = [&](std::string_view field) {
        return wholesArgument(alongWindow(node, field, dimensions));
    };
    const MadeTensor made = maker.put(
        "aten.convolution.default",
        {tensorArgument(x.name), tensorArgument(w.name), noArgument(), along("stride"), along("padding"),
         along("dilation"), truthArgument(isTransposed),
         isTransposed ? along("output_padding") : wholesArgument(std::vector<std::int64_t>(dimensions, 0)),
         wholeArgument(groups)},
        dtype);
    std::vector<std::int64_t> back{0};
    for (std::size_t i = 2; i < rank; ++i) {
        back.push_back(static_cast<std::int64_t>(i));
    }
    back.push_back(1);
    return permuted(maker, made, back);
}

}  // namespace

void addProducts(Conversions& to) {
    to.insert({{"AddmmNode", addmm},
               {"DequantizeNode", dequantize},
               {"QuantizedMatmulNode", quantizedProduct},
               {"GatherMmNode", gatherMm},
               {"GatherQmmNode", gatherQmm},
               {"RMSNormNode", rmsNorm},
               {"LayerNormNode", layerNorm},
               {"RopeNode", rope},
               {"SdpaNode", sdpa},
               {"UpdateAndAttendNode", updateAndAttend},
               {"Conv1DNode", convolution<1, false>},
               {"Conv2DNode", convolution<2, false>},
               {"Conv3DNode", convolution<3, false>},
               {"ConvTranspose1DNode", convolution<1, true>},
               {"ConvTranspose2DNode", convolution<2, true>},
               {"ConvTranspose3DNode", convolution<3, true>}});
}

}  // namespace et::backends::mlx
