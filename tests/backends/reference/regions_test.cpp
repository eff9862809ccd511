// Tests of delegates in programs with control flow, whose ETRecords have no debug handles.

#include "backends/reference/emulated_delegate.h"
#include "backends/reference/region_match.h"
#include "etrecord/torch_writer.h"
#include "etrecord/writer.h"
#include "runtime/builder/program_builder.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "tests/backends/reference/graph_builder.h"

#include <gmock/gmock.h>

#include <array>

namespace et::test {
namespace {

using backends::reference::makeRegions;
using backends::reference::Region;
using builder::MethodBuilder;
using builder::TensorSpec;
using program::ValueId;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view elsewhere = "ElsewhereBackend";

const TensorSpec row{.dtype = core::ScalarType::Float, .sizes = {2}};
const TensorSpec truth{.dtype = core::ScalarType::Bool, .sizes = {}};

/// Input x and two branches: if positive, a delegate computes (x + w) * x; otherwise -x. The condition sum(x)
/// > 0 is also computed by a delegate.
std::vector<std::byte> branchesProgram() {
    builder::ProgramBuilder program;
    MethodBuilder& method = program.method("forward");
    const ValueId x = method.input(row);
    const ValueId condition = method.intermediate(truth);
    const ValueId result = method.intermediate(row);
    const ValueId product = method.intermediate(row);
    const ValueId negative = method.intermediate(row);
    const auto asked = method.delegate(elsewhere, std::as_bytes(std::span("a", 1)));
    const auto made = method.delegate(elsewhere, std::as_bytes(std::span("b", 1)));
    method.callDelegate(asked, {x, condition});
    const auto over = method.jumpFalse(condition);
    method.callDelegate(made, {x, product});
    method.move(product, result);
    const auto end = method.jumpFalse(method.boolean(false));
    method.setDestination(over, method.nextInstruction());
    method.call("aten::neg.out", {x}, {negative});
    method.move(negative, result);
    method.setDestination(end, method.nextInstruction());
    method.output(result);
    return program.finish().value();
}

std::string edgeName(const std::string& op) {
    return "executorch.exir.dialects.edge.ops." + op;
}

etrecord::ExportedGraph branchesGraph() {
    GraphBuilder positive;
    positive.input("x", {2}).input("w", {2});
    positive.node("sum", edgeName("aten.add.Tensor"),
                  {tensorArgument("self", "x"), tensorArgument("other", "w")});
    positive.node("product", edgeName("aten.mul.Tensor"),
                  {tensorArgument("self", "sum"), tensorArgument("other", "x")});
    positive.tensor("sum", {2}).tensor("product", {2}).output("product");
    positive.graph().inputSpecs.clear();
    positive.graph().outputSpecs.clear();
    GraphBuilder other;
    other.input("x", {2}).input("w", {2});
    other.node("negative", edgeName("aten.neg.default"), {tensorArgument("self", "x")});
    other.tensor("negative", {2}).output("negative");
    other.graph().inputSpecs.clear();
    other.graph().outputSpecs.clear();

    GraphBuilder outer;
    outer.input("w", {2}).input("x", {2});
    outer.node("total", edgeName("aten.sum.dim_IntList"),
               {tensorArgument("self", "x"), intsArgument("dim", {0})});
    outer.node("positive", edgeName("aten.gt.Scalar"),
               {tensorArgument("self", "total"), intArgument("other", 0)});
    outer.tensor("total", {}).tensor("positive", {}, static_cast<std::int8_t>(core::ScalarType::Bool));
    outer.node("result", "torch.ops.higher_order.cond",
               {tensorArgument("", "positive"), graphArgument(positive.graph()), graphArgument(other.graph()),
                tensorsArgument("", {"x", "w"})});
    outer.tensor("result", {2}).output("result");
    etrecord::ExportedGraph graph = outer.graph();
    graph.inputSpecs.front().kind = "parameter";
    graph.inputSpecs.front().target = "layer.w";
    return graph;
}

/// Returns an ETRecord as the exporter writes it for such a program: without debug handles.
std::shared_ptr<const etrecord::Record> branchesRecord(const std::array<float, 2>& weight) {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", branchesGraph());
    writer.setMaps("forward", {});
    auto state = etrecord::writeTorchArchive({etrecord::ArchiveValue::Dict{
        {"layer.w",
         {etrecord::TensorToArchive{core::ScalarType::Float, {2}, std::as_bytes(std::span(weight))}}}}});
    EXPECT_TRUE(state);
    writer.addArchive("edge_dialect_exported_program/forward_state_dict", *std::move(state));
    auto bytes = writer.finish();
    EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().toString());
    return etrecord::Record::parse(core::MappedFile::fromMemory(*std::move(bytes), "branches.etrecord"))
        .value_or(nullptr);
}

std::vector<float> runBranches(const std::array<float, 2>& x) {
    const auto program =
        program::Program::parse(core::MappedFile::fromMemory(branchesProgram(), "branches.pte")).value();
    const auto record = branchesRecord({10, 20});
    const backends::reference::EmulatedBackend backend(std::string(elsewhere), program, record,
                                                       kernels::builtin());
    const std::array<const executor::Backend*, 1> all{&backend};
    const kernels::ThreadPool threads;
    executor::Module module(program, {.kernels = kernels::builtin(), .backends = all, .threads = threads});
    const auto method = module.load("forward");
    EXPECT_TRUE(method) << (method ? "" : method.error().toString());
    if (!method) {
        return {};
    }
    const std::array<std::int64_t, 1> sizes{2};
    EXPECT_TRUE((*method)->setInput(
        0, executor::TensorInput{
               .dtype = core::ScalarType::Float, .sizes = sizes, .data = std::as_bytes(std::span(x))}));
    const auto done = (*method)->execute();
    EXPECT_TRUE(done) << (done ? "" : done.error().toString());
    const auto* out = (*method)->output(0).as<core::Tensor>();
    return {out->data<float>(), out->data<float>() + 2};
}

TEST(RegionEmulation, DelegatesInBranchesAndBesideThemAreComputed) {
    EXPECT_THAT(runBranches({1, 2}), ElementsAre(11, 44)) << "by the delegate in the branch";
    EXPECT_THAT(runBranches({-3, 2}), ElementsAre(3, -2)) << "by the other branch";
}

TEST(Regions, BranchesAndLoopsAreFound) {
    builder::ProgramBuilder program;
    MethodBuilder& method = program.method("forward");
    const ValueId x = method.input(row);
    const ValueId condition = method.input(truth);
    const ValueId y = method.intermediate(row);
    method.call("aten::neg.out", {x}, {y});  // 0
    const auto start = method.nextInstruction();
    method.call("aten::abs.out", {x}, {y});         // 1: a loop of 1 to 5
    const auto over = method.jumpFalse(condition);  // 2
    method.call("aten::exp.out", {x}, {y});         // 3
    method.setDestination(over, method.nextInstruction());
    method.call("aten::log.out", {x}, {y});         // 4
    const auto back = method.jumpFalse(condition);  // 5
    method.setDestination(back, start);
    method.call("aten::sin.out", {x}, {y});  // 6
    method.output(y);
    const auto parsed =
        program::Program::parse(core::MappedFile::fromMemory(program.finish().value(), "loop.pte")).value();
    const Region all = makeRegions(parsed->methods.front().chains.front());
    EXPECT_THAT(all.instructions, ElementsAre(0, 6));
    ASSERT_EQ(all.inner.size(), 1U);
    EXPECT_EQ(all.inner.front().kind, Region::Kind::Loop);
    ASSERT_EQ(all.inner.front().parts.size(), 1U);
    const Region& body = all.inner.front().parts.front();
    EXPECT_THAT(body.instructions, ElementsAre(1, 4));
    ASSERT_EQ(body.inner.size(), 1U);
    EXPECT_EQ(body.inner.front().kind, Region::Kind::Branches);
    ASSERT_EQ(body.inner.front().parts.size(), 1U);
    EXPECT_THAT(body.inner.front().parts.front().instructions, ElementsAre(3));
}

TEST(Regions, IgnoresInvalidJumps) {
    builder::ProgramBuilder program;
    MethodBuilder& method = program.method("forward");
    const ValueId condition = method.input(truth);
    const auto jump = method.jumpFalse(condition);
    method.setDestination(jump, method.nextInstruction());
    method.output(condition);
    const auto parsed =
        program::Program::parse(core::MappedFile::fromMemory(program.finish().value(), "jump.pte")).value();
    const Region all = makeRegions(parsed->methods.front().chains.front());
    EXPECT_THAT(all.instructions, IsEmpty());
}

}  // namespace
}  // namespace et::test
