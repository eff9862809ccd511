// Tests that sites in kinds of nets without measured conversions follow the rules of XNNPACKQuantizer.
#include "app/tasks/lab/case_runs.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/program_outputs.h"
#include "app/tasks/lab/quantize_run.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/thread_pool.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"
#include "tests/tasks/net_layers.h"
#include "tests/tasks/unseen_nets.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

class UnseenSites : public testing::Test {
  protected:
    QuantizeResult quantized(const test::UnseenNet& net, SchemeRequest wish = {}) {
        writeCases(net, folder.path() / "inputs.npy");
        auto result = quantizeOpened(*net.record, {.record = "net.etrecord",
                                                   .calibration = folder.path() / "inputs.npy",
                                                   .sites = std::move(wish)});
        EXPECT_TRUE(result) << result.error().toString();
        return result ? *std::move(result) : QuantizeResult();
    }
    QuantizeResult quantized(const char* name, SchemeRequest wish = {}) {
        return quantized(test::makeUnseenNet(name), std::move(wish));
    }
    /// "up1 conv_transpose2d of 2 nodes": module, name and number of nodes; with the rule, if there is one.
    static std::vector<std::string> sitesOf(const QuantizeResult& result) {
        std::vector<std::string> sites;
        for (const auto& [site, output, scales] : result.sites) {
            sites.push_back(fmt::format("{} {} {}{}{}", site.module, site.name, site.nodes.size(),
                                        site.rule.empty() ? "" : ": ", site.rule));
        }
        return sites;
    }
    /// Values that share a scale, by their names in the exported program.
    static std::vector<std::string> scalesOf(const QuantizeResult& result) {
        std::vector<std::string> scales;
        for (const ScaleReport& scale : result.scales) {
            scales.push_back(fmt::format("{}", fmt::join(scale.exported, "+")));
        }
        return scales;
    }

    test::ScratchFolder folder;
};

TEST_F(UnseenSites, OfAUNet) {
    const QuantizeResult result = quantized("unet");
    EXPECT_THAT(sitesOf(result),
                ElementsAre("down0 conv2d 3", "down1 conv2d_1 3", "middle conv2d_2 2",
                            "up1 conv_transpose2d 2", " cat 1", "dec1 conv2d_3 3", "up0 conv_transpose2d_1 2",
                            "gate conv2d_4 1", " mul 1", " cat_1 1", "head conv2d_5 1"));
    EXPECT_THAT(scalesOf(result),
                ElementsAre("x", "relu+max_pool2d", "relu_1+max_pool2d_1+relu_3+cat", "relu_2", "relu_4",
                            "conv_transpose2d_1+mul+cat_1", "conv2d_4", "sigmoid", "conv2d_5"));
    // One scale per output channel, which is the second dimension of such a weight.
    EXPECT_EQ(result.sites[3].weightScales.size(), 12U);
    EXPECT_EQ(result.sites[6].weightScales.size(), 8U);
}

/// A concatenation can be kept in float by name like other sites; its inputs then share no scale.
TEST_F(UnseenSites, ConcatenationsStayInFloatByName) {
    EXPECT_THAT(scalesOf(quantized("unet", {.keep = {"cat"}})),
                ElementsAre("x", "relu+max_pool2d", "relu_1+max_pool2d_1", "relu_2", "relu_3", "cat",
                            "relu_4", "conv_transpose2d_1+mul+cat_1", "conv2d_4", "sigmoid", "conv2d_5"));
}

TEST_F(UnseenSites, OfSqueezeAndExcite) {
    const QuantizeResult result = quantized("excite");
    EXPECT_THAT(
        sitesOf(result),
        ElementsAre("stem conv2d 2", "depthwise conv2d_1 2", "se adaptive_avg_pool2d 1", "se.fc1 conv2d_2 2",
                    "se.fc2 conv2d_3 1", "se mul 1", "project conv2d_4 2", " add 2", "head linear 1"));
    // Hard swish is not fused, and the quantizer ignores the operators it decomposes to.
    EXPECT_THAT(scalesOf(result),
                ElementsAre("x", "conv2d", "hardswish", "conv2d_1", "hardswish_1+adaptive_avg_pool2d", "relu",
                            "conv2d_3", "hardsigmoid", "mul", "conv2d_4", "relu_1+mean", "linear"));
}

/// Python integers that a node converts to float32.
TEST_F(UnseenSites, OfAttentionWithNumbers) {
    const QuantizeResult result = quantized("attention");
    EXPECT_THAT(sitesOf(result),
                ElementsAre(" mul 1", "attn.q linear 1", "attn.k linear_1 1", "attn.v linear_2 1",
                            "attn mul_1 1", "attn.o linear_3 1", " add 1", "fc1 linear_4 1", "fc2 linear_5 1",
                            " add_1 1", "head linear_6 1"));
    EXPECT_THAT(result.sites[0].site.nodes, ElementsAre("aten_mul_tensor"));
    const auto scales = scalesOf(result);
    EXPECT_THAT(scales, Contains("_tensor_constant_0"));
    EXPECT_THAT(scales, Contains("_tensor_constant_1"));
    EXPECT_THAT(scales, Contains("linear_1+view_1+transpose_1+transpose_3"));
    EXPECT_THAT(scales, Contains("add_1+slice"));
    EXPECT_THAT(scales, Not(Contains(StartsWith("softmax"))));
    // The scalar is the end of its range, and exact.
    for (const ScaleReport& scale : result.scales) {
        if (scale.exported.front() == "_tensor_constant_0") {
            EXPECT_FLOAT_EQ(scale.numbers.scale * 255, 2);
            EXPECT_EQ(scale.numbers.zeroPoint, -128);
        }
    }
}

TEST_F(UnseenSites, ClampsShareTheScaleBeforeThem) {
    EXPECT_THAT(scalesOf(quantized("relu6s")),
                ElementsAre("x", "conv2d+hardtanh", "conv2d_1+hardtanh_1", "conv2d_2",
                            "add+hardtanh_2+adaptive_avg_pool2d+view", "linear"));
}

TEST_F(UnseenSites, OfRowsGatesAndTokens) {
    EXPECT_THAT(sitesOf(quantized("rows")),
                ElementsAre("c0 conv1d 3", "c1 conv1d_1 1", " add 2", "head linear 1"));
    // Unused results are not sites of the exporter, which drops them.
    EXPECT_THAT(sitesOf(quantized("gates")),
                ElementsAre("cell linear 1", "cell mul 1", "cell mul_1 1", "cell linear_1 1",
                            "cell linear_2 1", "cell add 1", "cell mul_2 1", "cell mul_3 1", "cell add_1 1",
                            "cell mul_4 1", "head linear_3 1"));
    EXPECT_THAT(scalesOf(quantized("tokens")), ElementsAre("position", "_tensor_constant_0", "embedding",
                                                           "add", "relu", "mul+mean", "linear_1"));
}

/// Operators that export preserves for the partitioner, and a batch norm after a linear layer.
TEST_F(UnseenSites, OfPoolingAndOfNormsGoIntoOneDelegate) {
    for (const char* name : {"unet", "outliers", "relu6s"}) {
        const auto lowered = lowerOpened(test::makeUnseenNet(name).record, {.record = "net", .output = {}});
        ASSERT_TRUE(lowered) << lowered.error().toString();
        const auto& method = lowered->lowered.methods.front();
        for (std::size_t i = 0; i < method.partition.decisions.size(); ++i) {
            EXPECT_EQ(method.partition.decisions[i].part, std::optional<std::size_t>(0))
                << name << ": " << method.graph->nodes[i].name << ": " << method.partition.decisions[i].rule;
        }
    }
}

/// uint8 weights, which XNNPACK stores as floats.
TEST_F(UnseenSites, OfUnsignedWeightsAreLowered) {
    ET_NEEDS_SHARED_DATA();
    kernels::ThreadPool threads(1);
    const auto at = test::sharedData() / "programs/backends/example";
    for (const std::string name : {"conv_example_q8", "mlp_example_q8"}) {
        const auto lowered = lower({.record = at / (name + ".etrecord"), .output = {}});
        ASSERT_TRUE(lowered) << lowered.error().toString();
        const auto method = backends::lowering::EdgeMethod::open(*lowered->record, "forward").value();
        const auto cases = readCases(at / (name + ".bpte"), "forward", method.graph(), 2).value();
        const auto graph = runCases(*lowered->record, "forward", cases,
                                    {.kernels = kernels::builtin(), .threads = threads}, 1);
        const auto outputs = programOutputs(*lowered, "forward", cases);
        ASSERT_TRUE(graph && outputs) << name;
        EXPECT_GT(measureOutputError(*graph, *outputs).sqnrDecibels.value_or(200), 30) << name;
    }
}

/// Float removes the outlier error only if both neighbouring sites are in float.
TEST_F(UnseenSites, OutliersNeedTwoNeighbours) {
    const test::UnseenNet net = test::makeUnseenNet("outliers", 16);
    writeCases(net, folder.path() / "inputs.npy");
    const auto decibels = [&](std::vector<std::string> keep) {
        const auto result = quantizeOpened(*net.record, {.record = "net.etrecord",
                                                         .calibration = folder.path() / "inputs.npy",
                                                         .sites = {.keep = std::move(keep)}});
        return *programCloseness(*net.record, "forward", result->lowered, folder.path() / "inputs.npy", 16)
                    ->sqnrDecibels;
    };
    const double all = decibels({});
    EXPECT_LT(decibels({"linear_1"}), all + 2);
    EXPECT_LT(decibels({"linear_2"}), all + 2);
    EXPECT_GT(decibels({"linear_1", "linear_2"}), all + 12);
}

/// Strict export also records Python calls; sites are operators nevertheless.
TEST_F(UnseenSites, OfStrictExporting) {
    test::NetDraft net({{.name = "x", .sizes = {1, 4}}});
    net.strictly().at("fc", 3);
    const std::string wide = test::relu(net, linear(net, "x", 8));
    net.at("", 4);
    const std::string output = mulNumber(net, wide, std::int64_t{3});
    const test::UnseenNet made{.record = net.record({output}), .cases = net.cases(4)};
    const QuantizeResult result = quantized(made);
    EXPECT_THAT(sitesOf(result), ElementsAre("fc linear 2", " mul 1"));
    EXPECT_THAT(scalesOf(result), ElementsAre("_tensor_constant_0", "x", "relu", "mul"));
}

/// `x *= 2` keeps its scalar, which the exporter lifts only for `x * 2`; scalars beyond the range of a
/// histogram are not quantized.
TEST_F(UnseenSites, OfNumbersInPlaceAndOfLargeOnes) {
    test::NetDraft net({{.name = "x", .sizes = {1, 4}}});
    net.at("", 4).from("aten.mul_.Tensor");
    const std::string number = net.number(std::int64_t{2});
    const std::string doubled =
        net.add("aten.mul.Tensor", {test::tensorArgument("self", "x"), test::tensorArgument("other", number)},
                {1, 4});
    const std::string large = mulNumber(net, doubled, 1e16);
    const QuantizeResult result =
        quantized(test::UnseenNet{.record = net.record({large}), .cases = net.cases(4)});
    EXPECT_THAT(sitesOf(result),
                ElementsAre(" mul_ 2", " mul 1: its value _tensor_constant_0 is too large for a histogram"));
    EXPECT_THAT(result.sites.front().site.nodes.front(), "aten_mul_tensor");
    EXPECT_THAT(scalesOf(result), ElementsAre("x", "mul_"));
}

/// Weights of HiFi-GAN's convolutions, which weight norm computes: stored, quantized and delegated.
TEST_F(UnseenSites, OfWeightNorms) {
    test::NetDraft net({{.name = "x", .sizes = {1, 4, 16}}});
    net.at("pre", 5);
    std::string x = test::relu(net, convolution(net, "x", {.channels = 8, .normed = true}));
    net.at("up", 6);
    x = convolution(net, x, {.channels = 6, .kernel = 4, .stride = 2, .transposed = true, .normed = true});
    net.at("post", 7);
    x = unary(net, "aten.tanh.default", convolution(net, x, {.channels = 2, .normed = true}));
    const test::UnseenNet made{.record = net.record({x}), .cases = net.cases(4)};
    const QuantizeResult result = quantized(made);
    EXPECT_THAT(sitesOf(result), ElementsAre("pre conv1d 2", "up conv_transpose1d 1", "post conv1d_1 1"));
    const std::vector<std::size_t> channels{8, 6, 2};
    for (std::size_t i = 0; i < result.sites.size(); ++i) {
        EXPECT_EQ(result.sites[i].weightScales.size(), channels.at(i));
    }
    const auto& method = result.lowered.lowered.methods.front();
    EXPECT_EQ(method.partition.parts.size(), 1U);
    for (const etrecord::Node& node : method.graph->nodes) {
        EXPECT_FALSE(node.op.contains("weight_norm")) << node.name;
    }
    const auto near =
        programCloseness(*made.record, "forward", result.lowered, folder.path() / "inputs.npy", 4);
    ASSERT_TRUE(near) << near.error().toString();
    EXPECT_GT(near->sqnrDecibels.value_or(200), 25);
}

/// The exporter annotates each weight once.
TEST_F(UnseenSites, OneWeightForTwo) {
    test::NetDraft net({{.name = "x", .sizes = {1, 4, 8, 8}}});
    net.at("shared", 5);
    const std::string weight = net.parameter("weight", {4, 4, 1, 1}, 0.5F);
    const auto convolved = [&](const std::string& x) {
        net.from("aten.conv2d.default");
        return net.add("aten.convolution.default",
                       {test::tensorArgument("input", x),
                        test::tensorArgument("weight", weight),
                        {.name = "bias", .kind = "as_none"},
                        test::intsArgument("stride", {1, 1}),
                        test::intsArgument("padding", {0, 0}),
                        test::intsArgument("dilation", {1, 1}),
                        {.name = "transposed", .kind = "as_bool", .value = false},
                        test::intsArgument("output_padding", {0, 0}),
                        test::intArgument("groups", 1)},
                       net.sizesOf(x));
    };
    const std::string first = test::relu(net, convolved("x"));
    const std::string second = convolved(first);
    const test::UnseenNet made{.record = net.record({second}), .cases = net.cases(4)};
    EXPECT_THAT(sitesOf(quantized(made)),
                ElementsAre("shared conv2d 2: the exporter quantizes a shared weight only once, for conv2d_1",
                            "shared conv2d_1 1"));
}

}  // namespace
}  // namespace et::tasks
