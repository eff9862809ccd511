#include "tests/tasks/unseen_blocks.h"

#include "tests/tasks/net_layers.h"

#include <array>
#include <limits>

namespace et::test {
namespace {

using core::ScalarType;

std::string pointwise(NetDraft& net, const std::string& x, std::int64_t channels, std::int64_t groups = 1) {
    return convolution(net, x, {.channels = channels, .kernel = 1, .padding = 0, .groups = groups});
}

std::string silu(NetDraft& net, const std::string& x) {
    net.from("aten.silu.default");
    const std::string gate = net.add("aten.sigmoid.default", {tensorArgument("self", x)}, net.sizesOf(x));
    return net.add("aten.mul.Tensor", {tensorArgument("self", x), tensorArgument("other", gate)},
                   net.sizesOf(x));
}

/// Rotates a dimension: the first `shift` elements go to the end.
std::string rollNodes(NetDraft& net, const std::string& x, std::int64_t dim, std::int64_t shift) {
    const std::int64_t size = net.sizesOf(x)[static_cast<std::size_t>(dim)];
    const std::string end = sliceNode(net, x, dim, shift, size);
    const std::string start = sliceNode(net, x, dim, 0, shift);
    return catNode(net, {end, start}, dim);
}

/// Queries, keys and values of [1, length, width], as [heads, length, width / heads].
std::array<std::string, 3> projections(NetDraft& net, const std::string& x, std::int64_t heads) {
    const Sizes sizes = net.sizesOf(x);
    std::array<std::string, 3> made;
    constexpr std::array names{"q", "k", "v"};
    for (std::size_t i = 0; i < made.size(); ++i) {
        net.at(std::string("attn.") + names[i], 12);
        const std::string projected = linear(net, x, sizes[2]);
        net.at("attn", 13);
        made[i] = transpose(net, view(net, projected, {sizes[1], heads, sizes[2] / heads}), 0, 1);
    }
    return made;
}

}  // namespace

std::string channelShuffleNet(NetDraft& net) {
    net.at("branch.0", 10);
    std::string x = relu(net, batchNorm(net, pointwise(net, "x", 8, 2)));
    net.at("branch", 11);
    net.from("aten.channel_shuffle.default");
    x = viewNode(net, x, {1, 2, 4, 8, 8});
    x = contiguousNode(net, permuteNode(net, x, {0, 2, 1, 3, 4}));
    x = viewNode(net, x, {1, 8, 8, 8});
    net.at("branch.1", 12);
    x = batchNorm(net, convolution(net, x, {.channels = 8, .groups = 8}));
    net.at("branch.2", 13);
    x = relu(net, pointwise(net, x, 8, 2));
    net.at("head", 14);
    return linear(net, mean(net, x, 2, false), 5);
}

std::string pixelShuffleNet(NetDraft& net) {
    net.at("body", 10);
    const std::string features = relu(net, convolution(net, "x", {.channels = 8}));
    net.at("up", 11);
    std::string x = convolution(net, features, {.channels = 16});
    net.from("aten.pixel_shuffle.default");
    x = viewNode(net, x, {1, 4, 2, 2, 8, 8});
    x = contiguousNode(net, permuteNode(net, x, {0, 1, 4, 2, 5, 3}));
    x = viewNode(net, x, {1, 4, 16, 16});
    net.at("tail", 12);
    return convolution(net, x, {.channels = 3});
}

std::string einsumAttention(NetDraft& net) {
    constexpr std::int64_t length = 6;
    constexpr std::int64_t heads = 2;
    constexpr std::int64_t depth = 6;
    std::array<std::string, 3> parts;
    constexpr std::array names{"q", "k", "v"};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        net.at(std::string("attn.") + names[i], 10);
        parts[i] = view(net, linear(net, "x", heads * depth), {1, length, heads, depth});
    }
    // "bihd,bjhd->bhij" and "bhij,bjhd->bihd", as ATen decomposes them.
    const auto product = [&](const std::string& left, const Sizes& leftDims, const std::string& right,
                             const Sizes& rightDims, std::int64_t inner, std::int64_t columns) {
        net.from("aten.einsum.default");
        const std::string a = viewNode(net, permuteNode(net, left, leftDims), {heads, length, inner});
        const std::string b = viewNode(net, permuteNode(net, right, rightDims), {heads, inner, columns});
        const std::string made =
            net.add("aten.bmm.default", {tensorArgument("self", a), tensorArgument("mat2", b)},
                    {heads, length, columns});
        return viewNode(net, made, {1, heads, length, columns});
    };
    net.at("attn", 11);
    const std::string scores = product(parts[0], {0, 2, 1, 3}, parts[1], {0, 2, 3, 1}, depth, length);
    const std::string weights = softmax(net, mulNumber(net, scores, 0.4));
    std::string x = product(weights, {0, 1, 2, 3}, parts[2], {0, 2, 1, 3}, length, depth);
    x = permuteNode(net, x, {0, 2, 1, 3});
    x = view(net, x, {1, length, heads * depth});
    net.at("head", 12);
    return linear(net, x, 5);
}

std::string deformableSampling(NetDraft& net) {
    net.at("offsets", 10);
    const std::string offsets = convolution(net, "x", {.channels = 2});
    net.at("", 11);
    std::vector<float> base;
    for (int i = 0; i < 64; ++i) {
        base.push_back(static_cast<float>(i % 8 * 2 + 1) / 8 - 1);
        base.push_back(static_cast<float>(i / 8 * 2 + 1) / 8 - 1);
    }
    const std::string grid = add(net, mulNumber(net, permute(net, offsets, {0, 2, 3, 1}), 0.1),
                                 net.parameter("grid", {1, 8, 8, 2}, base));
    net.from("aten.grid_sampler.default");
    const std::string sampled = net.add(
        "aten.grid_sampler_2d.default",
        {tensorArgument("input", "x"), tensorArgument("grid", grid), intArgument("interpolation_mode", 0),
         intArgument("padding_mode", 0), boolArgument("align_corners", false)},
        net.sizesOf("x"));
    net.at("conv", 12);
    const std::string x = relu(net, convolution(net, sampled, {.channels = 8}));
    net.at("head", 13);
    return linear(net, mean(net, x, 2, false), 5);
}

std::string windowedAttention(NetDraft& net) {
    constexpr std::int64_t heads = 2;
    net.at("norm", 10);
    std::string x = layerNorm(net, "x");
    net.at("", 11);
    x = view(net, x, {1, 4, 4, 8});
    net.from("aten.roll.default");
    x = rollNodes(net, rollNodes(net, x, 1, 1), 2, 1);
    x = permute(net, view(net, x, {2, 2, 2, 2, 8}), {0, 2, 1, 3, 4});
    net.from("aten.reshape.default");
    x = viewNode(net, contiguousNode(net, x), {1, 16, 8});
    const auto [queries, keys, values] = projections(net, x, heads);
    const std::string scores = add(net, mulNumber(net, matmul(net, queries, transpose(net, keys, 1, 2)), 0.5),
                                   net.parameter("relative", {heads, 16, 16}, 0.3F));
    const std::string mixed = transpose(net, matmul(net, softmax(net, scores), values), 0, 1);
    net.at("attn.o", 14);
    x = linear(net, view(net, mixed, {1, 16, 8}), 8);
    net.at("", 15);
    x = permute(net, view(net, x, {2, 2, 2, 2, 8}), {0, 2, 1, 3, 4});
    net.from("aten.reshape.default");
    x = viewNode(net, contiguousNode(net, x), {1, 4, 4, 8});
    net.from("aten.roll.default");
    x = rollNodes(net, rollNodes(net, x, 1, 3), 2, 3);
    x = add(net, view(net, x, {1, 16, 8}), "x");
    net.at("head", 16);
    return linear(net, x, 5);
}

std::string gatedCells(NetDraft& net) {
    constexpr std::int64_t width = 48;
    net.at("cell", 10);
    const std::string ofInput = net.parameter("weight_ih", {3 * width, width}, 0.15F);
    const std::string ofState = net.parameter("weight_hh", {3 * width, width}, 0.15F);
    const std::string bias = net.parameter("bias_ih", {3 * width}, 0.1F);
    const auto gates = [&](const std::string& all) {
        net.from("aten.chunk.default");
        return net.addList("aten.split_with_sizes_copy.default",
                           {tensorArgument("self", all), intsArgument("split_sizes", {width, width, width}),
                            intArgument("dim", 1)},
                           {{1, width}, {1, width}, {1, width}});
    };
    std::string hidden = view(net, slice(net, "x", 1, 0, 1), {1, width});
    for (std::int64_t step = 1; step < 3; ++step) {
        net.at("cell", 11);
        const std::string given = view(net, slice(net, "x", 1, step, step + 1), {1, width});
        const auto fresh = gates(product(net, given, ofInput, bias));
        const auto kept = gates(product(net, hidden, ofState, {}));
        const std::string reset = sigmoid(net, add(net, fresh[0], kept[0]));
        const std::string update = sigmoid(net, add(net, fresh[1], kept[1]));
        const std::string proposed =
            unary(net, "aten.tanh.default", add(net, fresh[2], mul(net, reset, kept[2])));
        net.from("aten.sub.Tensor");
        const std::string change =
            net.add("aten.sub.Tensor", {tensorArgument("self", hidden), tensorArgument("other", proposed)},
                    {1, width});
        hidden = add(net, proposed, mul(net, update, change));
    }
    net.at("head", 12);
    return linear(net, hidden, 5);
}

std::string groupNormBlock(NetDraft& net) {
    net.at("stem", 10);
    const std::string stem = convolution(net, "x", {.channels = 8});
    net.at("norm", 11);
    const std::string weight = net.parameter("weight", {8}, 0.1F, 1);
    const std::string bias = net.parameter("bias", {8}, 0.1F);
    net.from("aten.group_norm.default");
    std::string x = net.addMany("aten.native_group_norm.default",
                                {tensorArgument("input", stem), tensorArgument("weight", weight),
                                 tensorArgument("bias", bias), intArgument("N", 1), intArgument("C", 8),
                                 intArgument("HxW", 64), intArgument("group", 2), floatArgument("eps", 1e-5)},
                                {{1, 8, 8, 8}, {1, 2}, {1, 2}})
                        .front();
    x = silu(net, x);
    net.at("conv", 12);
    x = add(net, convolution(net, x, {.channels = 8}), stem);
    net.at("head", 13);
    return convolution(net, x, {.channels = 3});
}

std::string transposedRows(NetDraft& net) {
    const auto leaky = [&](const std::string& x) {
        net.from("aten.leaky_relu.default");
        return net.add("aten.leaky_relu.default",
                       {tensorArgument("self", x), floatArgument("negative_slope", 0.1)}, net.sizesOf(x));
    };
    net.at("pre", 10);
    std::string x = convolution(net, "x", {.channels = 12});
    net.at("ups.0", 11);
    x = convolution(net, leaky(x), {.channels = 8, .kernel = 4, .stride = 2, .transposed = true});
    net.at("resblocks.0", 12);
    x = add(net, convolution(net, leaky(x), {.channels = 8}), x);
    net.at("post", 13);
    return unary(net, "aten.tanh.default", convolution(net, leaky(x), {.channels = 1}));
}

std::string maskedAttention(NetDraft& net) {
    constexpr std::int64_t length = 6;
    net.at("norm", 10);
    const auto [queries, keys, values] = projections(net, layerNorm(net, "x"), 2);
    const std::string scores = mulNumber(net, matmul(net, queries, transpose(net, keys, 1, 2)), 0.5);
    std::vector<std::int64_t> causal;
    for (std::int64_t i = 0; i < length * length; ++i) {
        causal.push_back(i % length <= i / length ? 1 : 0);
    }
    const std::string mask = net.buffer("mask", {length, length}, causal, ScalarType::Bool);
    net.from("aten.masked_fill.Scalar");
    const std::string none = net.number(-std::numeric_limits<double>::infinity());
    const std::string masked = net.add(
        "aten.where.self",
        {tensorArgument("condition", mask), tensorArgument("self", scores), tensorArgument("other", none)},
        net.sizesOf(scores));
    const std::string mixed = transpose(net, matmul(net, softmax(net, masked), values), 0, 1);
    net.at("attn.o", 14);
    const std::string x = add(net, linear(net, view(net, mixed, {1, length, 8}), 8), "x");
    net.at("head", 15);
    return linear(net, x, 5);
}

std::string spectrumFrontEnd(NetDraft& net) {
    net.at("front", 10);
    const std::string window = net.parameter("window", {16}, 0.1F, 0.5F);
    std::string x = mul(net, "x", window);
    net.from("aten.fft_rfft.default");
    x = net.add("aten._fft_r2c.default",
                {tensorArgument("self", x), intsArgument("dim", {2}), intArgument("normalization", 0),
                 boolArgument("onesided", true)},
                {1, 4, 9}, ScalarType::ComplexFloat);
    net.from("aten.view_as_real.default");
    x = net.add("aten.view_as_real_copy.default", {tensorArgument("self", x)}, {1, 4, 9, 2});
    x = mul(net, x, x);
    net.from("aten.sum.dim_IntList");
    x = net.add("aten.sum.dim_IntList",
                {tensorArgument("self", x), intsArgument("dim", {-1}), boolArgument("keepdim", false)},
                {1, 4, 9});
    x = unary(net, "aten.log.default", add(net, x, net.number(1.0)));
    net.at("fc", 11);
    x = relu(net, linear(net, x, 12));
    net.at("head", 12);
    return linear(net, x, 5);
}

std::string messagePassing(NetDraft& net) {
    constexpr std::int64_t nodes = 5;
    constexpr std::int64_t edges = 7;
    constexpr std::int64_t width = 12;
    net.at("", 10);
    const std::string x = view(net, "x", {nodes, width});
    net.at("conv", 11);
    const std::string sources = net.buffer("sources", {edges}, {0, 1, 2, 3, 4, 0, 2});
    net.from("aten.index_select.default");
    const std::string gathered = net.add(
        "aten.index_select.default",
        {tensorArgument("self", x), intArgument("dim", 0), tensorArgument("index", sources)}, {edges, width});
    net.at("conv.message", 12);
    const std::string messages = relu(net, linear(net, gathered, width));
    net.at("conv", 13);
    const std::string targets = net.buffer("targets", {edges, 1}, {1, 2, 3, 4, 0, 2, 0});
    net.from("aten.scatter_add.default");
    const std::string ends = net.add("aten.expand_copy.default",
                                     {tensorArgument("self", targets), intsArgument("size", {edges, width})},
                                     {edges, width}, ScalarType::Long);
    const std::string zeros =
        net.add("aten.full.default", {intsArgument("size", {nodes, width}), floatArgument("fill_value", 0)},
                {nodes, width});
    const std::string sums = net.add("aten.scatter_add.default",
                                     {tensorArgument("self", zeros), intArgument("dim", 0),
                                      tensorArgument("index", ends), tensorArgument("src", messages)},
                                     {nodes, width});
    net.at("conv.update", 14);
    const std::string updated = relu(net, linear(net, cat(net, {x, sums}, 1), width));
    net.at("head", 15);
    return linear(net, view(net, updated, {1, nodes, width}), 3);
}

std::string topHeads(NetDraft& net) {
    net.at("fc", 10);
    const std::string hidden = relu(net, linear(net, "x", 16));
    net.at("head", 11);
    const std::string logits = linear(net, hidden, 12);
    net.at("", 12);
    net.from("aten.topk.default");
    const auto best = net.addMany(
        "aten.topk.default", {tensorArgument("self", logits), intArgument("k", 3), intArgument("dim", -1)},
        {{1, 3}, {1, 3}}, ScalarType::Long);
    net.from("aten.gather.default");
    const std::string again = net.add(
        "aten.gather.default",
        {tensorArgument("self", logits), intArgument("dim", 1), tensorArgument("index", best[1])}, {1, 3});
    return mul(net, softmax(net, best[0]), again);
}

}  // namespace et::test
