#include "backends/mlx/lower/graph_maker.h"

#include <utility>

// Elementwise nodes.
namespace et::backends::mlx {
namespace {

using core::Result;
using core::ScalarType;

/// Kinds with the ATen operator that computes them.
struct Twin {
    std::string_view kind;
    std::string_view target;
};

constexpr Twin sameTwins[] = {
    {"FloorNode", "aten.floor.default"},
    {"CeilNode", "aten.ceil.default"},
    {"SquareNode", "aten.square.default"},
    {"AbsNode", "aten.abs.default"},
    {"NegNode", "aten.neg.default"},
    {"SignNode", "aten.sign.default"},
    {"BitwiseInvertNode", "aten.bitwise_not.default"},
};

constexpr Twin floatingTwins[] = {
    {"SiluNode", "aten.silu.default"},     {"SigmoidNode", "aten.sigmoid.default"},
    {"TanhNode", "aten.tanh.default"},     {"RsqrtNode", "aten.rsqrt.default"},
    {"LogNode", "aten.log.default"},       {"ExpNode", "aten.exp.default"},
    {"SinNode", "aten.sin.default"},       {"CosNode", "aten.cos.default"},
    {"TanNode", "aten.tan.default"},       {"ArcsinNode", "aten.asin.default"},
    {"ArccosNode", "aten.acos.default"},   {"ArctanNode", "aten.atan.default"},
    {"SinhNode", "aten.sinh.default"},     {"CoshNode", "aten.cosh.default"},
    {"ArcsinhNode", "aten.asinh.default"}, {"ArccoshNode", "aten.acosh.default"},
    {"ArctanhNode", "aten.atanh.default"}, {"Log2Node", "aten.log2.default"},
    {"Log10Node", "aten.log10.default"},   {"Log1pNode", "aten.log1p.default"},
    {"ErfNode", "aten.erf.default"},       {"Expm1Node", "aten.expm1.default"},
    {"SqrtNode", "aten.sqrt.default"},     {"ReciprocalNode", "aten.reciprocal.default"},
};

constexpr Twin pairTwins[] = {
    {"AddNode", "aten.add.Tensor"},
    {"MultiplyNode", "aten.mul.Tensor"},
    {"SubtractNode", "aten.sub.Tensor"},
    {"MaximumNode", "aten.maximum.default"},
    {"MinimumNode", "aten.minimum.default"},
    {"FloorDivideNode", "aten.floor_divide.default"},
    {"RemainderNode", "aten.remainder.Tensor"},
    {"PowerNode", "aten.pow.Tensor_Tensor"},
    {"BitwiseAndNode", "aten.bitwise_and.Tensor"},
    {"BitwiseOrNode", "aten.bitwise_or.Tensor"},
    {"BitwiseXorNode", "aten.bitwise_xor.Tensor"},
};

constexpr Twin floatingPairTwins[] = {
    {"DivideNode", "aten.div.Tensor"},
    {"Atan2Node", "aten.atan2.default"},
    {"LogAddExpNode", "aten.logaddexp.default"},
};

constexpr Twin truthTwins[] = {
    {"LessNode", "aten.lt.Tensor"},
    {"LessEqualNode", "aten.le.Tensor"},
    {"GreaterNode", "aten.gt.Tensor"},
    {"GreaterEqualNode", "aten.ge.Tensor"},
    {"EqualNode", "aten.eq.Tensor"},
    {"NotEqualNode", "aten.ne.Tensor"},
    {"LogicalAndNode", "aten.logical_and.default"},
    {"LogicalOrNode", "aten.logical_or.default"},
};

template <std::size_t count>
std::string_view twinOf(const Twin (&twins)[count], const Node& node) {
    for (const Twin& twin : twins) {
        if (twin.kind == node.kind->name) {
            return twin.target;
        }
    }
    return {};
}

Result<MadeTensor> same(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.put(twinOf(sameTwins, node), {tensorArgument(x.name)}, x.dtype);
}

/// The tensor, converted to a floating-point dtype.
Result<MadeTensor> floatingInput(GraphMaker& maker, const Node& node, std::string_view field) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, field));
    return maker.cast(x, floatingOf(x.dtype));
}

Result<MadeTensor> floating(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, floatingInput(maker, node, "x"));
    return maker.put(twinOf(floatingTwins, node), {tensorArgument(x.name)}, x.dtype);
}

Result<MadeTensor> gelu(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, floatingInput(maker, node, "x"));
    const std::string_view form = textIn(node, "approximate") == "tanh" ? "tanh" : "none";
    return maker.put("aten.gelu.default", {tensorArgument(x.name), textArgument(form)}, x.dtype);
}

struct Pair {
    MadeTensor a;
    MadeTensor b;
};

/// Both operands in the dtype to which MLX promotes them.
Result<Pair> operands(GraphMaker& maker, const Node& node, bool isFloating) {
    Pair pair;
    ET_ASSIGN(pair.a, tensorOf(maker, node, "a"));
    ET_ASSIGN(pair.b, tensorOf(maker, node, "b"));
    ScalarType dtype = promoted(pair.a.dtype, pair.b.dtype);
    dtype = isFloating ? floatingOf(dtype) : dtype;
    pair.a = maker.cast(pair.a, dtype);
    pair.b = maker.cast(pair.b, dtype);
    return pair;
}

Result<MadeTensor> ofPair(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const Pair pair, operands(maker, node, false));
    return maker.put(twinOf(pairTwins, node), {tensorArgument(pair.a.name), tensorArgument(pair.b.name)},
                     pair.a.dtype);
}

Result<MadeTensor> floatingPair(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const Pair pair, operands(maker, node, true));
    return maker.put(twinOf(floatingPairTwins, node),
                     {tensorArgument(pair.a.name), tensorArgument(pair.b.name)}, pair.a.dtype);
}

Result<MadeTensor> truth(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const Pair pair, operands(maker, node, false));
    return maker.put(twinOf(truthTwins, node), {tensorArgument(pair.a.name), tensorArgument(pair.b.name)},
                     ScalarType::Bool);
}

Result<MadeTensor> logicalNot(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.put("aten.logical_not.default", {tensorArgument(x.name)}, ScalarType::Bool);
}

Result<MadeTensor> convert(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.cast(x, carriedType(static_cast<ScalarType>(wholeIn(node, "scalar_type"))));
}

/// Tensors are immutable in the exported graph.
Result<MadeTensor> alias(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.put("aten.alias_copy.default", {tensorArgument(x.name)}, x.dtype);
}

Result<MadeTensor> round(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    const std::int64_t decimals = wholeIn(node, "decimals");
    if (decimals == 0 || floatingOf(x.dtype) != x.dtype) {
        return maker.put("aten.round.default", {tensorArgument(x.name)}, x.dtype);
    }
    double factor = 1;
    for (std::int64_t i = 0; i < (decimals < 0 ? -decimals : decimals) && i < 64; ++i) {
        factor *= 10;
    }
    factor = decimals < 0 ? 1 / factor : factor;
    const MadeTensor larger =
        maker.put("aten.mul.Scalar", {tensorArgument(x.name), realArgument(factor)}, x.dtype);
    const MadeTensor rounded = maker.put("aten.round.default", {tensorArgument(larger.name)}, x.dtype);
    return maker.put("aten.div.Scalar", {tensorArgument(rounded.name), realArgument(factor)}, x.dtype);
}

Result<MadeTensor> select(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor condition, tensorOf(maker, node, "condition"));
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(MadeTensor y, tensorOf(maker, node, "y"));
    const ScalarType dtype = promoted(x.dtype, y.dtype);
    condition = maker.cast(condition, ScalarType::Bool);
    x = maker.cast(x, dtype);
    y = maker.cast(y, dtype);
    return maker.put("aten.where.self",
                     {tensorArgument(condition.name), tensorArgument(x.name), tensorArgument(y.name)}, dtype);
}

Result<MadeTensor> clip(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(auto low, optionalOf(maker, node, "a_min"));
    ET_ASSIGN(auto high, optionalOf(maker, node, "a_max"));
    ScalarType dtype = low ? promoted(x.dtype, low->dtype) : x.dtype;
    dtype = high ? promoted(dtype, high->dtype) : dtype;
    x = maker.cast(x, dtype);
    if (low) {
        const MadeTensor bound = maker.cast(*low, dtype);
        x = maker.put("aten.maximum.default", {tensorArgument(x.name), tensorArgument(bound.name)}, dtype);
    }
    if (high) {
        const MadeTensor bound = maker.cast(*high, dtype);
        x = maker.put("aten.minimum.default", {tensorArgument(x.name), tensorArgument(bound.name)}, dtype);
    }
    return x;
}

template <std::size_t count>
void addTwins(Conversions& to, const Twin (&twins)[count], ConvertNode convert) {
    for (const Twin& twin : twins) {
        to.emplace(twin.kind, convert);
    }
}

}  // namespace

void addElementwise(Conversions& to) {
    addTwins(to, sameTwins, same);
    addTwins(to, pairTwins, ofPair);
    addTwins(to, floatingPairTwins, floatingPair);
    addTwins(to, truthTwins, truth);
    addTwins(to, floatingTwins, floating);
    to.insert({{"GeluNode", gelu},
               {"LogicalNotNode", logicalNot},
               {"AsTypeNode", convert},
               {"IdCopyNode", alias},
               {"ContiguousNode", alias},
               {"RoundNode", round},
               {"WhereNode", select},
               {"ClipNode", clip}});
}

}  // namespace et::backends::mlx
