#include "tests/tasks/unseen_nets.h"

#include "inspector/tensor_files/npy.h"
#include "tests/tasks/net_layers.h"
#include "tests/tasks/unseen_blocks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <span>
#include <utility>

namespace et::test {
namespace {

UnseenNet finish(NetDraft& net, const std::vector<std::string>& outputs, int calls,
                 std::int64_t vocabulary = 1) {
    return {.record = net.record(outputs), .cases = net.cases(calls, vocabulary)};
}

std::string convNormRelu(NetDraft& net, const std::string& module, int line, const std::string& x,
                         const ConvolutionSpec& spec) {
    net.at(module, line);
    return relu(net, batchNorm(net, convolution(net, x, spec)));
}

/// U-Net (Ronneberger), with up-convolutions of 2x2 and of 3x3 with output padding, and a gate on the last
/// skip connection.
UnseenNet unet(int calls) {
    NetDraft net({{.name = "x", .sizes = {1, 3, 16, 16}}});
    const std::string first = convNormRelu(net, "down0", 10, "x", {.channels = 8});
    const std::string second = convNormRelu(net, "down1", 11, maxPool(net, first), {.channels = 12});
    std::string x = maxPool(net, second, true);
    net.at("middle", 12);
    x = relu(net, convolution(net, x, {.channels = 16}));
    net.at("up1", 13);
    x = relu(net, convolution(net, x,
                              {.channels = 12, .kernel = 2, .stride = 2, .padding = 0, .transposed = true}));
    net.at("", 14);
    x = cat(net, {x, second}, 1);
    x = convNormRelu(net, "dec1", 15, x, {.channels = 12});
    net.at("up0", 16);
    x = batchNorm(
        net,
        convolution(net, x,
                    {.channels = 8, .stride = 2, .transposed = true, .outputPadding = 1, .bias = false}));
    net.at("gate", 17);
    const std::string gate = sigmoid(net, convolution(net, x, {.channels = 8, .kernel = 1, .padding = 0}));
    net.at("", 18);
    x = cat(net, {x, mul(net, first, gate)}, 1);
    net.at("head", 19);
    const std::string output = convolution(net, x, {.channels = 3, .kernel = 1, .padding = 0});
    return finish(net, {output}, calls);
}

/// A layer enlarges 2 of 24 channels to sixty times the range of the others, and the next one scales them
/// down.
UnseenNet outliers(int calls) {
    constexpr std::int64_t width = 24;
    constexpr float factor = 60;
    NetDraft net({{.name = "x", .sizes = {1, width}}});
    const auto scaled = [&](bool rows) {
        std::vector<float> weight(width * width);
        for (std::int64_t i = 0; i < width * width; ++i) {
            const std::int64_t channel = rows ? i / width : i % width;
            const float plain = static_cast<float>((i * 37 + 11) % 101 - 50) / 200;
            const bool outlier = channel == 3 || channel == 17;
            weight[static_cast<std::size_t>(i)] = outlier ? (rows ? plain * factor : plain / factor) : plain;
        }
        return weight;
    };
    net.at("fc0", 10);
    std::string x = relu(net, batchNorm(net, linear(net, "x", width)));
    net.at("fc1", 11);
    x = product(net, x, net.parameter("weight", {width, width}, scaled(true)),
                net.parameter("bias", {width}, 0.1F));
    net.at("fc2", 12);
    x = relu(net, product(net, x, net.parameter("weight", {width, width}, scaled(false)),
                          net.parameter("bias", {width}, 0.1F)));
    net.at("head", 13);
    const std::string output = linear(net, x, 10);
    return finish(net, {output}, calls);
}

/// A block of MobileNetV3: hard swish, depthwise, squeeze and excite with a hard sigmoid.
UnseenNet excite(int calls) {
    NetDraft net({{.name = "x", .sizes = {1, 3, 16, 16}}});
    net.at("stem", 10);
    const std::string stem =
        hardswish(net, batchNorm(net, convolution(net, "x", {.channels = 8, .stride = 2})));
    net.at("depthwise", 11);
    std::string x = hardswish(
        net, batchNorm(net, convolution(net, stem, {.channels = 8, .groups = 8, .bias = false})), true);
    net.at("se", 12);
    std::string factors = averagePool(net, x);
    net.at("se.fc1", 13);
    factors = relu(net, convolution(net, factors, {.channels = 4, .kernel = 1, .padding = 0}));
    net.at("se.fc2", 14);
    factors = hardsigmoid(net, convolution(net, factors, {.channels = 8, .kernel = 1, .padding = 0}));
    net.at("se", 15);
    x = mul(net, x, factors);
    net.at("project", 16);
    x = batchNorm(net, convolution(net, x, {.channels = 8, .kernel = 1, .padding = 0}));
    net.at("", 17);
    x = relu(net, add(net, x, stem));
    x = mean(net, x, 2, false);
    net.at("head", 18);
    const std::string output = linear(net, x, 5);
    return finish(net, {output}, calls);
}

/// A two-head transformer block that divides explicitly.
UnseenNet attention(int calls) {
    constexpr std::int64_t length = 6;
    constexpr std::int64_t width = 32;
    constexpr std::int64_t heads = 2;
    NetDraft net({{.name = "x", .sizes = {1, length, width}}});
    net.at("", 10);
    const std::string scaledUp = mulNumber(net, "x", std::int64_t{2});
    net.at("norm1", 11);
    const std::string normed = layerNorm(net, scaledUp);
    std::vector<std::string> parts;
    for (const char* name : {"q", "k", "v"}) {
        net.at(std::string("attn.") + name, 12);
        const std::string projected = linear(net, normed, width);
        net.at("attn", 13);
        const std::string split = view(net, projected, {length, heads, width / heads});
        parts.push_back(transpose(net, split, 0, 1));
    }
    const std::string queries = mulNumber(net, parts[0], 0.25);
    const std::string weights = softmax(net, matmul(net, queries, transpose(net, parts[1], 1, 2)));
    const std::string mixed = transpose(net, matmul(net, weights, parts[2]), 0, 1);
    const std::string joined = view(net, mixed, {1, length, width});
    net.at("attn.o", 14);
    const std::string attended = linear(net, joined, width);
    net.at("", 15);
    const std::string residual = add(net, scaledUp, attended);
    net.at("norm2", 16);
    const std::string again = layerNorm(net, residual);
    net.at("fc1", 17);
    const std::string wide = unary(net, "aten.gelu.default", linear(net, again, 2 * width));
    net.at("fc2", 18);
    const std::string narrow = linear(net, wide, width, false);
    net.at("", 19);
    const std::string output = slice(net, add(net, residual, narrow), 1, 0, 3);
    net.at("head", 20);
    const std::string logits = linear(net, output, 7);
    return finish(net, {logits}, calls);
}

/// A MobileNetV2 inverted residual, whose clamps share the scale of the preceding operator.
UnseenNet relu6s(int calls) {
    NetDraft net({{.name = "x", .sizes = {1, 3, 16, 16}}});
    net.at("stem", 10);
    const std::string stem =
        relu6(net, batchNorm(net, convolution(net, "x", {.channels = 8, .stride = 2, .bias = false})));
    net.at("dw", 11);
    std::string x = relu6(net, batchNorm(net, convolution(net, stem, {.channels = 8, .groups = 8})));
    net.at("project", 12);
    x = batchNorm(net, convolution(net, x, {.channels = 8, .kernel = 1, .padding = 0}));
    net.at("", 13);
    x = relu6(net, add(net, x, stem));
    x = averagePool(net, x);
    x = view(net, x, {1, 8});
    net.at("head", 14);
    const std::string output = linear(net, x, 5);
    return finish(net, {output}, calls);
}

/// 1-D convolutions.
UnseenNet rows(int calls) {
    NetDraft net({{.name = "x", .sizes = {1, 4, 32}}});
    net.at("c0", 10);
    std::string x = relu(net, batchNorm(net, convolution(net, "x", {.channels = 8, .stride = 2})));
    net.at("c1", 11);
    const std::string skip = x;
    x = convolution(net, x, {.channels = 8, .groups = 8});
    net.at("", 12);
    x = mean(net, relu(net, add(net, x, skip)), 1, false);
    net.at("head", 13);
    const std::string output = linear(net, x, 5);
    return finish(net, {output}, calls);
}

/// Two unrolled steps of an LSTM, with one matrix for both.
UnseenNet gates(int calls) {
    constexpr std::int64_t width = 16;
    NetDraft net({{.name = "x", .sizes = {1, 2, width}}});
    net.at("cell", 10);
    const std::string ofInput = net.parameter("weight_ih", {4 * width, width}, 0.3F);
    const std::string ofState = net.parameter("weight_hh", {4 * width, width}, 0.3F);
    const std::string bias = net.parameter("bias_ih", {4 * width}, 0.1F);
    std::string hidden;
    std::string cell;
    for (std::int64_t step = 0; step < 2; ++step) {
        net.at("cell", 11);
        const std::string given = view(net, slice(net, "x", 1, step, step + 1), {1, width});
        std::string all = product(net, given, ofInput, bias);
        if (!hidden.empty()) {
            all = add(net, all, product(net, hidden, ofState, {}));
        }
        const auto gate = [&](std::int64_t index, const char* op) {
            return unary(net, op, slice(net, all, 1, index * width, (index + 1) * width));
        };
        const std::string input = mul(net, gate(0, "aten.sigmoid.default"), gate(2, "aten.tanh.default"));
        const std::string forget = gate(1, "aten.sigmoid.default");
        cell = cell.empty() ? input : add(net, mul(net, forget, cell), input);
        hidden = mul(net, gate(3, "aten.sigmoid.default"), unary(net, "aten.tanh.default", cell));
    }
    net.at("head", 12);
    const std::string output = linear(net, hidden, 5);
    return finish(net, {output, hidden}, calls);
}

/// Convolutions with weight norm, slopes per channel, and numbers.
UnseenNet normed(int calls) {
    NetDraft net({{.name = "x", .sizes = {1, 3, 16, 16}}});
    net.at("c0", 10);
    std::string x = prelu(net, convolution(net, "x", {.channels = 8, .normed = true}));
    net.at("pool", 11);
    x = maxPool(net, x);
    net.at("c1", 12);
    x = prelu(net, convolution(net, x, {.channels = 8, .normed = true}), true);
    net.at("", 13);
    x = mulNumber(net, mulNumber(net, x, 0.5), std::int64_t{3});
    x = mean(net, x, 2, false);
    net.at("head", 14);
    const std::string output = linear(net, x, 5);
    return finish(net, {output}, calls);
}

/// A scan that exchanges two carried values and returns one of them as a row.
UnseenNet scanned(int calls) {
    constexpr std::int64_t steps = 5;
    constexpr std::int64_t width = 8;
    const Sizes state{1, width};
    NetDraft net({{.name = "x", .sizes = {1, steps, width}}});
    GraphBuilder body;
    body.input("a", state).input("b", state).input("row", state).input("w", {width, width});
    const std::string edge = "executorch.exir.dialects.edge.ops.";
    body.node("product", edge + "aten.mm.default",
              {tensorArgument("self", "a"), tensorArgument("mat2", "w")});
    body.node("sum", edge + "aten.add.Tensor",
              {tensorArgument("self", "product"), tensorArgument("other", "row")});
    body.node("next", edge + "aten.tanh.default", {tensorArgument("self", "sum")});
    for (const char* const name : {"product", "sum", "next"}) {
        body.tensor(name, state);
    }
    body.output("b").output("next").output("a");
    net.at("cell", 10);
    const std::string weight = net.parameter("weight", {width, width}, 0.4F);
    const std::string first = net.parameter("first", state, 0.5F);
    const std::string second = net.parameter("second", state, 0.5F);
    const std::string rows = view(net, "x", {steps, 1, width});
    net.from("higher_order.scan");
    const std::vector<std::string> results =
        net.addMany("higher_order.scan",
                    {graphArgument(body.graph()), tensorsArgument({}, {first, second}),
                     tensorsArgument({}, {rows}), tensorsArgument({}, {weight})},
                    {state, state, {steps, 1, width}});
    net.at("", 11);
    const std::string all = view(net, results[2], {steps, width});
    net.at("head", 12);
    const std::string output = linear(net, add(net, all, add(net, results[0], results[1])), 5);
    return finish(net, {output}, calls);
}

UnseenNet tokens(int calls) {
    constexpr std::int64_t vocabulary = 20;
    constexpr std::int64_t length = 5;
    NetDraft net({{.name = "tokens", .sizes = {1, length}, .dtype = core::ScalarType::Long}});
    net.at("embedding", 10);
    const std::string table = net.parameter("weight", {vocabulary, 32}, 1);
    net.from("aten.embedding.default");
    std::string x =
        net.add("aten.embedding.default",
                {tensorArgument("weight", table), tensorArgument("indices", "tokens")}, {1, length, 32});
    net.at("", 11);
    x = add(net, x, net.parameter("position", {length, 32}, 0.5F));
    net.at("fc", 12);
    x = relu(net, linear(net, x, 32));
    net.at("", 13);
    x = mulNumber(net, x, 0.5);
    net.from("aten.mean.dim");
    x = net.add("aten.mean.dim", {tensorArgument("self", x), intsArgument("dim", {1})}, {1, 32});
    net.at("head", 14);
    const std::string output = linear(net, x, 6);
    return finish(net, {output}, calls, vocabulary);
}

using Block = std::string (*)(NetDraft&);

/// A net of one block with the input "x" of these sizes.
template <Block block, std::int64_t... sizes>
UnseenNet blockNet(int calls) {
    NetDraft net({{.name = "x", .sizes = {sizes...}}});
    return finish(net, {block(net)}, calls);
}

}  // namespace

UnseenNet makeUnseenNet(std::string_view name, int calls) {
    constexpr std::array makers{unet,
                                outliers,
                                excite,
                                attention,
                                relu6s,
                                rows,
                                gates,
                                tokens,
                                normed,
                                scanned,
                                blockNet<channelShuffleNet, 1, 4, 8, 8>,
                                blockNet<pixelShuffleNet, 1, 3, 8, 8>,
                                blockNet<einsumAttention, 1, 6, 12>,
                                blockNet<deformableSampling, 1, 4, 8, 8>,
                                blockNet<windowedAttention, 1, 16, 8>,
                                blockNet<gatedCells, 1, 3, 48>,
                                blockNet<groupNormBlock, 1, 4, 8, 8>,
                                blockNet<transposedRows, 1, 4, 16>,
                                blockNet<maskedAttention, 1, 6, 8>,
                                blockNet<spectrumFrontEnd, 1, 4, 16>,
                                blockNet<messagePassing, 1, 5, 12>,
                                blockNet<topHeads, 1, 16>};
    static_assert(makers.size() == unseenNets.size());
    for (std::size_t i = 0; i < makers.size(); ++i) {
        if (name == unseenNets[i]) {
            return makers[i](calls);
        }
    }
    ADD_FAILURE() << "no net is called " << name;
    return {};
}

void writeCases(const UnseenNet& net, const std::filesystem::path& file) {
    using backends::reference::ReferenceTensor;
    const core::Tensor& first = net.cases.front().front().as<ReferenceTensor>()->view;
    std::vector<std::byte> elements;
    for (const tasks::CalibrationCase& each : net.cases) {
        const core::Tensor& view = each.front().as<ReferenceTensor>()->view;
        const std::span bytes(view.rawBytes());
        elements.insert(elements.end(), bytes.begin(), bytes.end());
    }
    Sizes sizes(first.sizes().begin(), first.sizes().end());
    sizes.front() = static_cast<std::int64_t>(net.cases.size());
    const auto all = core::Tensor::make(first.dtype(), sizes, elements.data()).value();
    const auto bytes = inspector::writeNpy(all).value();
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace et::test
