#include "backends/mlx/result_rules.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>

// Types of products, convolutions and attention.
namespace et::backends::mlx {
namespace {

using core::ScalarType;

Type attention(const RuleInput& in) {
    const Type q = in.of("q");
    const Type v = in.of("v");
    Type type = q;
    if (type && v && !type->sizes.empty() && !v->sizes.empty()) {
        type->sizes.back() = v->sizes.back();
    }
    const Field* dtype = in.node.find("out_dtype");
    const auto* code = dtype == nullptr ? nullptr : std::get_if<Item>(dtype);
    return code == nullptr ? type : withDtype(type, static_cast<ScalarType>(code->whole));
}

Type matrixProduct(const Type& left, Sizes right, ScalarType rightType) {
    if (!left || left->sizes.size() < 2 || right.size() < 2) {
        return {};
    }
    Sizes batch(left->sizes.begin(), left->sizes.end() - 2);
    Sizes sizes = broadcast(batch, Sizes(right.begin(), right.end() - 2));
    sizes.push_back(left->sizes[left->sizes.size() - 2]);
    sizes.push_back(right.back());
    return TensorType{promoted(left->dtype, rightType), std::move(sizes)};
}

Type addmm(const RuleInput& in) {
    const Type right = in.of("mat2");
    return right ? matrixProduct(in.of("mat1"), right->sizes, right->dtype) : Type();
}

/// Sizes of dequantized weights.
Sizes unpacked(const Type& packed, const Type& scales, std::int64_t bits, std::int64_t group) {
    Sizes sizes = packed ? packed->sizes : Sizes();
    if (sizes.empty()) {
        return sizes;
    }
    if (sizes.back() >= 0 && bits > 0) {
        sizes.back() = sizes.back() * 32 / bits;
    } else if (scales && !scales->sizes.empty() && scales->sizes.back() >= 0) {
        sizes.back() = group < 0 ? unknownSize : product({scales->sizes.back(), group});
    }
    return sizes;
}

Type quantizedProduct(const RuleInput& in) {
    Sizes weight = unpacked(in.of("w"), in.of("scales"), in.whole("bits"), in.whole("group_size"));
    const Type x = in.of("x");
    if (!x || weight.size() < 2) {
        return {};
    }
    if (in.whole("transpose") != 0) {
        std::swap(weight[weight.size() - 1], weight[weight.size() - 2]);
    }
    return matrixProduct(x, weight, x->dtype);
}

Type dequantized(const RuleInput& in) {
    const Type scales = in.of("scales");
    Sizes sizes = unpacked(in.of("w"), scales, in.whole("bits"), in.whole("group_size"));
    const Field* dtype = in.node.find("dtype");
    const auto* code = std::get_if<Item>(dtype);
    const bool isAffine = textIn(in.node, "mode") == "affine";
    const ScalarType standard = isAffine && scales ? scales->dtype : ScalarType::BFloat16;
    return TensorType{code == nullptr ? standard : static_cast<ScalarType>(code->whole), std::move(sizes)};
}

/// Batch sizes of a product of gathered matrices.
Sizes gatheredBatch(const RuleInput& in, const Sizes& left, const Sizes& right) {
    const Type rows = in.of("lhs_indices");
    const Type columns = in.of("rhs_indices");
    const Sizes first = rows ? rows->sizes : Sizes(left.begin(), left.end() - 2);
    const Sizes second = columns ? columns->sizes : Sizes(right.begin(), right.end() - 2);
    return broadcast(first, second);
}

Type gatheredProduct(const RuleInput& in, const Type& left, Sizes right) {
    if (!left || left->sizes.size() < 2 || right.size() < 2) {
        return {};
    }
    Sizes sizes = gatheredBatch(in, left->sizes, right);
    sizes.push_back(left->sizes[left->sizes.size() - 2]);
    sizes.push_back(right.back());
    return TensorType{left->dtype, std::move(sizes)};
}

Type gatherMm(const RuleInput& in) {
    const Type right = in.of("b");
    return right ? gatheredProduct(in, in.of("a"), right->sizes) : Type();
}

Type gatherQmm(const RuleInput& in) {
    Sizes weight = unpacked(in.of("w"), in.of("scales"), in.whole("bits"), in.whole("group_size"));
    if (weight.size() >= 2 && in.whole("transpose") != 0) {
        std::swap(weight[weight.size() - 1], weight[weight.size() - 2]);
    }
    return gatheredProduct(in, in.of("x"), std::move(weight));
}

/// The dimension of a convolution's result.
std::int64_t windowed(const RuleInput& in, std::int64_t size, std::int64_t kernel,
                      const std::string& ending) {
    const auto of = [&](std::string_view name) { return in.whole(std::string(name) + ending); };
    const std::array numbers{size, kernel, of("stride"), of("padding"), of("dilation")};
    const auto [smallest, largest] = std::ranges::minmax(numbers);
    if (smallest < 0 || largest > largestWindow || of("stride") == 0) {
        return unknownSize;
    }
    if (in.node.kind->name.starts_with("ConvTranspose")) {
        return (size - 1) * of("stride") - 2 * of("padding") + of("dilation") * (kernel - 1) +
               of("output_padding") + 1;
    }
    const std::int64_t span = size + 2 * of("padding") - of("dilation") * (kernel - 1) - 1;
    return span < 0 ? 0 : span / of("stride") + 1;
}

constexpr std::string_view axisEndings[][3] = {{""}, {"_h", "_w"}, {"_d", "_h", "_w"}};

/// [batch, spatial, channels] and weights [out, spatial, in].
Type convolution(const RuleInput& in) {
    const Type x = in.of("x");
    const Type w = in.of("w");
    if (!x || !w || x->sizes.size() < 3 || x->sizes.size() > 5 || w->sizes.size() != x->sizes.size()) {
        return {};
    }
    const std::size_t spatial = x->sizes.size() - 2;
    TensorType type{promoted(x->dtype, w->dtype), x->sizes};
    for (std::size_t i = 0; i < spatial; ++i) {
        type.sizes[i + 1] =
            windowed(in, x->sizes[i + 1], w->sizes[i + 1], std::string(axisEndings[spatial - 1][i]));
    }
    type.sizes.back() = w->sizes.front();
    return type;
}

}  // namespace

void addProductRules(Rules& to) {
    to.insert({{"AddmmNode", addmm},
               {"SdpaNode", attention},
               {"UpdateAndAttendNode", attention},
               {"DequantizeNode", dequantized},
               {"QuantizedMatmulNode", quantizedProduct},
               {"GatherMmNode", gatherMm},
               {"GatherQmmNode", gatherQmm}});
    for (const std::string_view kind : {"Conv1DNode", "Conv2DNode", "Conv3DNode", "ConvTranspose1DNode",
                                        "ConvTranspose2DNode", "ConvTranspose3DNode"}) {
        to.emplace(kind, convolution);
    }
}

}  // namespace et::backends::mlx
