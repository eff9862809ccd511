// Tests that what cannot be lowered or quantized is reported with its node, the rule and the line of Python.
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/optimize_run.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/sensitivity_run.h"
#include "etrecord/writer.h"
#include "tests/backends/reference/graph_builder.h"
#include "tests/support/damaged_records.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"
#include "tests/tasks/made_up_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using test::graphArgument;
using test::GraphBuilder;
using test::intArgument;
using test::tensorArgument;
using testing::ContainsRegex;
using testing::HasSubstr;

/// Sets the source line of the last node to a line of a user's model.
void placeAt(etrecord::ExportedGraph& graph, int line) {
    graph.nodes.back().stackTrace = "File \"/home/someone/model.py\", line " + std::to_string(line) +
                                    ", in forward\n    return self.layer(x)\n";
}

GraphBuilder graphOf(const char* op, std::vector<etrecord::Argument> arguments) {
    GraphBuilder graph;
    graph.input("x", {1, 4}).tensor("the_node", {1, 4});
    graph.node("the_node", op, std::move(arguments)).output("the_node");
    placeAt(graph.graph(), 12);
    return graph;
}

std::string errorOfLowering(const etrecord::ExportedGraph& graph) {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", graph);
    auto record = test::parseBytes<etrecord::Record>(writer.finish().value());
    if (!record) {
        return record.error().toString();
    }
    const auto lowered = lowerOpened(*record, {.record = "model.etrecord", .output = {}});
    return lowered ? std::string() : lowered.error().toString();
}

struct RefusedGraph {
    const char* what;
    std::function<etrecord::ExportedGraph()> graph;
    const char* named;
    const char* rule;
    const char* line = "model.py:12";
};

void PrintTo(const RefusedGraph& refused, std::ostream* out) {
    *out << refused.what;
}

class RefusedGraphs : public testing::TestWithParam<RefusedGraph> {};

TEST_P(RefusedGraphs, AreNamedWithRuleAndLine) {
    const RefusedGraph& refused = GetParam();
    const std::string message = errorOfLowering(refused.graph());
    EXPECT_THAT(message, HasSubstr(refused.named));
    EXPECT_THAT(message, HasSubstr(refused.rule));
    EXPECT_THAT(message, HasSubstr(refused.line));
}

const auto relu = [] { return graphOf("aten.relu.default", {tensorArgument("self", "x")}); };

const RefusedGraph refusedGraphs[] = {
    {.what = "NoKernel",
     .graph = [] { return graphOf("mine.op.default", {tensorArgument("self", "x")}).graph(); },
     .named = "node the_node (",
     .rule = "no kernel"},
    {.what = "UnknownArgument",
     .graph =
         [] {
             return graphOf("aten.relu.default", {tensorArgument("self", "x"), intArgument("more", 1)})
                 .graph();
         },
     .named = "node the_node (",
     .rule = "its argument \"more\" is not known"},
    {.what = "MissingArgument",
     .graph = [] { return graphOf("aten.clone.default", {}).graph(); },
     .named = "node the_node (",
     .rule = "missing"},
    {.what = "UnknownValue",
     .graph = [] { return graphOf("aten.relu.default", {tensorArgument("self", "elsewhere")}).graph(); },
     .named = "node the_node (",
     .rule = "produces the value \"elsewhere\""},
    {.what = "InputOfNoType",
     .graph =
         [] {
             auto graph = relu().graph();
             graph.tensors.erase("x");
             return graph;
         },
     .named = "the_node",
     .rule = "\"x\""},
    {.what = "ResultOfNoType",
     .graph =
         [] {
             auto graph = relu().graph();
             graph.tensors.erase("the_node");
             return graph;
         },
     .named = "the_node",
     .rule = "has no metadata for tensor \"the_node\""},
    {.what = "NegativeSize",
     .graph =
         [] {
             auto graph = relu().graph();
             graph.tensors.at("x").sizes.front().value = -3;
             return graph;
         },
     .named = "the_node",
     .rule = "has a size of -3"},
    {.what = "TwoMakeOneValue",
     .graph =
         [] {
             auto graph = relu().graph();
             graph.nodes.push_back(graph.nodes.back());
             return graph;
         },
     .named = "node the_node",
     .rule = "two nodes produce its value"},
    {.what = "InBranch",
     .graph =
         [] {
             GraphBuilder body = graphOf("mine.op.default", {tensorArgument("self", "x")});
             GraphBuilder graph;
             graph.input("x", {1, 4}).input("p", {}).tensor("all", {1, 4});
             graph.node("all", "higher_order.while_loop",
                        {graphArgument(body.graph()), tensorArgument({}, "x")});
             placeAt(graph.graph(), 40);
             return graph.output("all").graph();
         },
     .named = "node all (",
     .rule = "no kernel here computes it",
     .line = "model.py:40"},
};

INSTANTIATE_TEST_SUITE_P(Lowering, RefusedGraphs, testing::ValuesIn(refusedGraphs),
                         [](const auto& each) { return std::string(each.param.what); });

/// A record with a single fault is reported with cause and location, whatever the fault.
class RefusedRecords : public testing::TestWithParam<const char*> {};

TEST_P(RefusedRecords, NameALine) {
    ET_NEEDS_SHARED_DATA();
    test::DamagedRecords damaged(test::sharedData() / "quant" / GetParam() / "float.etrecord");
    std::size_t refused = 0;
    for (int i = 0; i < 60; ++i) {
        const auto record = damaged.next();
        const auto result = lowerOpened(record, {.record = "model.etrecord", .output = {}});
        if (!result) {
            ++refused;
            EXPECT_THAT(result.error().toString(), ContainsRegex("[a-z_0-9]+[.]py:[0-9]+"));
        }
    }
    EXPECT_GT(refused, 5U);
}

INSTANTIATE_TEST_SUITE_P(Shared, RefusedRecords, testing::Values("resnet8", "encoder2"));

/// Error of each command for an unsuitable record.
TEST(Refusals, OfQuantizeSensitivityAndOptimizeHaveTheLine) {
    ET_NEEDS_SHARED_DATA();
    const fs::path at = test::sharedData() / "quant/resnet8";
    const fs::path quantized = at / "q8.etrecord";
    const fs::path inputs = at / "calibration.npz";
    const auto first = quantize({.record = quantized, .calibration = inputs});
    ASSERT_FALSE(first);
    EXPECT_THAT(first.error().toString(), ContainsRegex("node \"[a-z_0-9]+\".*[(][a-z]+[.]py:[0-9]+[)]"));
    EXPECT_THAT(first.error().toString(), HasSubstr("already quantized"));

    const VariantSettings of{.record = test::sharedData() / "quant/encoder2/qd8.etrecord",
                             .calibration = {},
                             .evaluation = test::sharedData() / "quant/encoder2/evaluation.npz"};
    const auto second = measureSensitivity(of);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().toString(), ContainsRegex("node \"[a-z_0-9]+\".*[(][a-z]+[.]py:[0-9]+[)]"));
    const auto third = optimizeSites({.what = of});
    ASSERT_FALSE(third);
    EXPECT_THAT(third.error().toString(), ContainsRegex("node \"[a-z_0-9]+\".*[(][a-z]+[.]py:[0-9]+[)]"));
}

/// Everything that stays in float or outside of delegates has all three.
TEST(Refusals, OfListsHaveNodeRuleAndLine) {
    ET_NEEDS_SHARED_DATA();
    for (const char* model : {"resnet8", "mbv2_025", "encoder2"}) {
        const fs::path at = test::sharedData() / "quant" / model;
        for (const auto scheme :
             {backends::xnnpack::SchemeKind::Static8, backends::xnnpack::SchemeKind::Dynamic8,
              backends::xnnpack::SchemeKind::Half}) {
            const auto result = quantize({.record = at / "float.etrecord",
                                          .calibration = at / "calibration.npz",
                                          .sites = {.scheme = {.kind = scheme}},
                                          .maxCases = 1});
            ASSERT_TRUE(result) << result.error().toString();
            for (const QuantizedSite& each : result->sites) {
                EXPECT_TRUE(each.site.rule.empty() || !each.site.line.empty()) << each.site.name;
                EXPECT_FALSE(each.site.nodes.empty()) << each.site.name;
            }
        }
        const auto lowered = lower({.record = at / "portable.etrecord", .output = {}});
        ASSERT_TRUE(lowered) << lowered.error().toString();
        const auto& method = lowered->lowered.methods.front();
        for (std::size_t i = 0; i < method.partition.decisions.size(); ++i) {
            const auto& decision = method.partition.decisions[i];
            if (!decision.part && method.graph->nodes[i].op != "getitem") {
                EXPECT_FALSE(decision.rule.empty()) << method.graph->nodes[i].name;
                EXPECT_FALSE(pythonLine(method.graph->nodes[i]).empty()) << method.graph->nodes[i].name;
            }
        }
    }
}

}  // namespace
}  // namespace et::tasks
