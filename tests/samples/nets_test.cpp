// Tests of the sample nets before they run: operators, shapes, modules, Python lines.
#include "app/samples/nets/nets.h"

#include "app/samples/net_program.h"
#include "app/samples/net_record.h"
#include "app/samples/net_run.h"
#include "bundled_program/bundle.h"
#include "etrecord/record.h"
#include "runtime/program/program.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace et::samples {
namespace {

using program::Program;
using testing::ElementsAre;
using testing::SizeIs;

constexpr MobileNetSpec small{.width = 0.35, .size = 96, .classes = 10};

std::shared_ptr<const Program> programOf(const Net& net) {
    const auto bytes = makeProgram(net);
    EXPECT_TRUE(bytes) << bytes.error().toString();
    return test::parseBytes<Program>(*bytes).value();
}

/// An argument without its memory location: what the operator computes with.
struct ArgumentText {
    const program::Method& method;

    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(const program::TensorInfo& tensor) const {
        return fmt::format("{}{}{}", tensor.scalarType, tensor.sizes, tensor.data.empty() ? "" : "c");
    }
    std::string operator()(const program::IntList& list) const {
        std::string text = "ints";
        for (const program::ValueId id : list.items) {
            text += fmt::format(" {}", *method.value(id).as<std::int64_t>());
        }
        return text;
    }
    std::string operator()(const program::TensorList& list) const {
        return fmt::format("{} tensors", list.items.size());
    }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{:.1e}", number); }
    std::string operator()(bool truth) const { return truth ? "True" : "False"; }
    std::string operator()(const auto&) const { return "?"; }
};

/// Returns "aten::relu.out(6[1, 8, 16, 16], …)" for each instruction.
std::vector<std::string> callsOf(const Program& program) {
    const program::Method& method = program.methods.front();
    std::vector<std::string> calls;
    for (const program::Instruction& instruction : method.chains.front().instructions) {
        const auto& call = std::get<program::KernelCall>(instruction);
        std::string text = method.op(call.op).fullName();
        for (const program::ValueId id : call.args) {
            text += " " + method.value(id).visit(ArgumentText{method});
        }
        calls.push_back(std::move(text));
    }
    return calls;
}

std::vector<std::string> kindsOf(const Program& program) {
    std::vector<std::string> kinds;
    for (const program::Value& value : program.methods.front().values) {
        kinds.emplace_back(program::valueTypeName(value));
    }
    return kinds;
}

std::shared_ptr<const Program> realProgram(const std::filesystem::path& path) {
    const auto bundle = bundled_program::Bundle::open(test::sharedData() / path).value();
    return Program::parse(bundle->file, bundle->program).value();
}

/// The real exporter creates the same instructions and values from torchvision's MobileNetV2.
TEST(MobileNetV2, MatchesTheExportedProgram) {
    ET_NEEDS_SHARED_DATA();
    const auto real = realProgram("programs/mobilenet_v2_small/portable.bpte");
    const auto ours = programOf(mobileNetV2(small));
    EXPECT_EQ(callsOf(*ours), callsOf(*real));
    EXPECT_EQ(kindsOf(*ours), kindsOf(*real));
    EXPECT_EQ(ours->methods[0].inputs, real->methods[0].inputs);
    EXPECT_EQ(ours->methods[0].outputs, real->methods[0].outputs);
    EXPECT_LE(ours->methods[0].plannedBytes(), real->methods[0].plannedBytes());
}

TEST(AddMul, MatchesTheExportedProgram) {
    ET_NEEDS_SHARED_DATA();
    const auto real = Program::open(test::sharedData() / "programs/add_mul/portable.pte").value();
    const auto ours = programOf(addMulNet());
    EXPECT_EQ(callsOf(*ours), callsOf(*real));
    EXPECT_EQ(kindsOf(*ours), kindsOf(*real));
    EXPECT_EQ(ours->methods[0].plannedBytes(), real->methods[0].plannedBytes());
    EXPECT_EQ(ours->methods[0].inputTree, real->methods[0].inputTree);
    EXPECT_EQ(ours->methods[0].outputTree, real->methods[0].outputTree);
}

TEST(MobileNetV2, HasThePublishedParameterCount) {
    const Net net = mobileNetV2({});
    std::size_t parameters = 0;
    for (const Attribute& attribute : net.attributes) {
        parameters += attribute.parameter ? attribute.data.size() / sizeof(float) : 0;
    }
    EXPECT_EQ(parameters, 3'504'872U);  // torchvision's mobilenet_v2
    EXPECT_THAT(net.tensor(net.outputs[0]).sizes, ElementsAre(1, 1000));
    EXPECT_EQ(net.attributes[0].target, "features.0.0.weight");
}

const etrecord::Node& nodeOf(const etrecord::ExportedGraph& graph, std::string_view name) {
    return *std::ranges::find(graph.nodes, name, &etrecord::Node::name);
}

/// Names, debug handles and history match the real ETRecord.
TEST(MobileNetV2, HasTheNodesOfTheRealRecord) {
    ET_NEEDS_SHARED_DATA();
    const auto real =
        etrecord::Record::open(test::sharedData() / "programs/mobilenet_v2_small/portable.etrecord").value();
    const auto ours = test::parseBytes<etrecord::Record>(makeRecord(mobileNetV2(small)).value()).value();
    const auto& realNodes = real->edgeGraph("forward")->nodes;
    const auto& ourNodes = ours->edgeGraph("forward")->nodes;
    ASSERT_EQ(ourNodes.size(), realNodes.size());
    for (std::size_t i = 0; i < realNodes.size(); ++i) {
        EXPECT_EQ(ourNodes[i].name, realNodes[i].name);
        EXPECT_EQ(ourNodes[i].target, realNodes[i].target);
        EXPECT_EQ(ourNodes[i].debugHandles, realNodes[i].debugHandles) << realNodes[i].name;
        EXPECT_EQ(ourNodes[i].inputs, realNodes[i].inputs) << realNodes[i].name;
        EXPECT_EQ(ourNodes[i].outputs, realNodes[i].outputs) << realNodes[i].name;
        EXPECT_EQ(ourNodes[i].moduleStack.back().fqn, realNodes[i].moduleStack.back().fqn);
    }
    EXPECT_EQ(ours->edgeGraph("forward")->inputSpecs, real->edgeGraph("forward")->inputSpecs);
    EXPECT_EQ(ours->maps("forward")->debugHandles, real->maps("forward")->debugHandles);
}

/// Checks that tensors that share memory do not overwrite each other.
TEST(Nets, TheMemoryPlanDoesNotChangeWhatTheyCompute) {
    constexpr RunOptions quietly{.cases = 1, .executions = 0, .debugLevel = core::DebugLevel::None};
    for (const Net& net : {addMulNet(), convNet(), mobileNetV2(small)}) {
        const auto shared = makeProgram(net, builder::PlanStrategy::Greedy).value();
        const auto apart = makeProgram(net, builder::PlanStrategy::Naive).value();
        const auto sharedRun = runNet(net, shared, quietly);
        const auto apartRun = runNet(net, apart, quietly);
        ASSERT_TRUE(sharedRun) << sharedRun.error().toString();
        ASSERT_TRUE(apartRun) << apartRun.error().toString();
        EXPECT_EQ(sharedRun->cases[0].outputs, apartRun->cases[0].outputs);
    }
}

TEST(Nets, StackTracesAndModulesFollowThePython) {
    const auto record = test::parseBytes<etrecord::Record>(makeRecord(mobileNetV2(small)).value()).value();
    const etrecord::ExportedGraph& graph = *record->edgeGraph("forward");
    const etrecord::Node& residual = nodeOf(graph, "aten_add_tensor");
    EXPECT_EQ(residual.stackTrace,
              "File \"mobilenet_v2.py\", line 66, in forward\n    x = self.features(x)\n"
              "  File \"mobilenet_v2.py\", line 30, in forward\n    return x + y if self.residual else y");
    ASSERT_THAT(residual.moduleStack, SizeIs(3));
    EXPECT_EQ(residual.moduleStack[2].fqn, "features.3");
    EXPECT_EQ(residual.moduleStack[2].type, "mobilenet_v2.InvertedResidual");
    EXPECT_EQ(residual.history().at(0).target, "aten.add.Tensor");
}

}  // namespace
}  // namespace et::samples
