// Tests joining a program's delegates with an ETRecord and a trace.
#include "inspector/delegates/delegates.h"

#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "inspector/delegates/instruction_placement.h"
#include "tests/inspector/join_support.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace et::test {
namespace {

using inspector::DelegateReport;
using inspector::DelegateSources;
using inspector::DelegationReport;
using inspector::MethodDelegates;
using inspector::OperatorPlacement;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using ProgramPtr = std::shared_ptr<const program::Program>;

/// add -> delegate -> mul: values 0 and 1 are inputs, 2 is the sum, 3 the delegate's result, 4 the product.
ProgramSpec sandwich(std::string backend = "DemoBackend") {
    MethodSpec method;
    for (std::uint64_t i = 0; i < 5; ++i) {
        method.values.emplace_back(TensorSpec{.allocation = AllocationSpec{.arena = 1, .offset = 32 * i}});
    }
    method.inputs = {0, 1};
    method.outputs = {4};
    method.arenas = {0, 160};
    method.operators = {{"aten::add", "out"}, {"aten::mul", "out"}};
    method.delegates = {DelegateSpec{.backend = std::move(backend), .compileSpecs = {{"mode", "fast"}}}};
    method.instructions = {KernelSpec{.op = 0, .args = {0, 1, 2}},
                           DelegateCallSpec{.delegate = 0, .args = {0, 2, 3}},
                           KernelSpec{.op = 1, .args = {3, 1, 4}}};
    return {.methods = {method}, .inlinePayloads = {"a payload of our own"}};
}

ProgramPtr programOf(const ProgramSpec& spec) {
    auto parsed = parseBytes<program::Program>(writeProgram(spec));
    EXPECT_TRUE(parsed) << parsed.error().toString();
    return parsed ? *parsed : nullptr;
}

/// The ETRecord of sandwich(): handles 1 to 3, and a node without instruction.
Record recordOfSandwich(std::string_view backend = "DemoBackend", std::int32_t at = 1) {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph({"aten.add.Tensor", "aten.sin.default", "aten.mul.Tensor",
                                              "aten.mul.Tensor", "getitem"}));
    etrecord::MethodMaps maps = plainMaps(3);
    maps.delegates[core::InstructionId(at)] = {.backend = std::string(backend), .identifiers = {}};
    writer.setMaps("forward", maps);
    return recordOf(writer);
}

Blocks traceOfSandwich(std::int32_t delegateAt = 1) {
    etdump::TraceWriter writer;
    for (int run = 0; run < 2; ++run) {
        writer.beginRun("Execute");
        writeKernel(writer, 0, "native_call_add.out");
        writeDelegateCall(writer, delegateAt);
        writer.profile("inside", delegated(delegateAt, "inside"), 0, 60);
        writeKernel(writer, 2, "native_call_mul.out");
        writeExecute(writer);
    }
    return join(traceOf(writer), nullptr, {.target = inspector::TimeScale::Nanoseconds});
}

DelegationReport report(const DelegateSources& sources) {
    auto joined = inspector::delegatesOf(sources);
    EXPECT_TRUE(joined) << joined.error().toString();
    return joined ? std::move(*joined) : DelegationReport{};
}

std::vector<std::string> names(const std::vector<OperatorPlacement>& operators) {
    std::vector<std::string> out;
    for (const OperatorPlacement& each : operators) {
        out.push_back(each.name);
    }
    return out;
}

TEST(DelegatesTest, ACallHasItsInputsAndOutputs) {
    const ProgramPtr program = programOf(sandwich());
    const DelegationReport joined = report({.program = *program});
    ASSERT_EQ(joined.methods.size(), 1U);
    const MethodDelegates& method = joined.methods[0];
    ASSERT_EQ(method.delegates.size(), 1U);
    const DelegateReport& delegate = method.delegates[0];
    EXPECT_EQ(delegate.format.text, "text");
    EXPECT_FALSE(delegate.graph);
    EXPECT_THAT(delegate.unknown, HasSubstr("does not support"));
    ASSERT_EQ(delegate.calls.size(), 1U);
    EXPECT_EQ(delegate.calls[0].instruction.value, 1);
    EXPECT_THAT(delegate.calls[0].inputs, ElementsAre(program::ValueId(0), program::ValueId(2)));
    EXPECT_THAT(delegate.calls[0].outputs, ElementsAre(program::ValueId(3)));
    EXPECT_THAT(delegate.calls[0].handles, IsEmpty());
    EXPECT_THAT(joined.warnings, IsEmpty());
}

core::Bytes bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// Trace of an Edge operator, a transpose added by the exporter, and an unknown operator.
Blocks traceWithOperators() {
    etdump::TraceWriter writer;
    for (int run = 0; run < 2; ++run) {
        writer.beginRun("Execute");
        writeKernel(writer, 0, "native_call_add.out");
        writer.profile("DELEGATE_CALL", at(1), 0, 100);
        const auto ran = [&writer](const char* name, std::uint64_t start, std::uint64_t end,
                                   std::string_view metadata) {
            writer.profile(name, delegated(1, name), start, end, bytesOf(metadata));
        };
        ran("Multiply (ND) #1", 0, 60, R"({"debug_handles":[2]})");
        ran("Transpose (ND, X32) #1", 60, 75, R"({"debug_handles":[]})");
        ran("Odd #1", 75, 80, "");
        writeKernel(writer, 2, "native_call_mul.out");
        writeExecute(writer);
    }
    return join(traceOf(writer), nullptr, {.target = inspector::TimeScale::Nanoseconds});
}

TEST(DelegatesTest, CallTimeIsItsOperatorsPlusOverhead) {
    const ProgramPtr program = programOf(sandwich("XnnpackBackend"));
    const Blocks blocks = traceWithOperators();
    const DelegationReport joined =
        report({.program = *program, .backends = backends::describable(), .blocks = blocks.get()});
    const inspector::DelegateCallSite& call = joined.methods[0].delegates[0].calls[0];
    ASSERT_TRUE(call.parts);
    EXPECT_EQ(call.parts->whole, 100);
    EXPECT_EQ(call.parts->operators, 60);
    EXPECT_EQ(call.parts->layout, 15);
    EXPECT_EQ(call.parts->unknown, 5);
    EXPECT_EQ(call.parts->unexplained(), 20);
    ASSERT_EQ(call.operators.size(), 3U);
    EXPECT_EQ(call.operators[0].name, "Multiply (ND) #1");
    EXPECT_THAT(call.operators[0].handles, ElementsAre(core::DebugHandle(2)));
    EXPECT_EQ(call.operators[2].is, inspector::TimedOperator::Is::Unknown);
}

TEST(DelegatesTest, AnOperatorOfACallWithOneNodeIsThatNodes) {
    const ProgramPtr program = programOf(sandwich("XnnpackBackend"));
    const Blocks blocks = traceWithOperators();
    const Record record = recordOfSandwich("XnnpackBackend");
    const DelegationReport joined = report({.program = *program,
                                            .backends = backends::describable(),
                                            .record = record.get(),
                                            .blocks = blocks.get()});
    const inspector::DelegateCallSite& call = joined.methods[0].delegates[0].calls[0];
    ASSERT_TRUE(call.parts);
    EXPECT_EQ(call.parts->operators, 65);
    EXPECT_EQ(call.parts->layout, 15);
    ASSERT_EQ(call.operators.size(), 3U);
    ASSERT_EQ(call.operators[2].nodes.size(), 1U);
    EXPECT_EQ(call.operators[2].nodes[0]->op, "aten.sin.default");
}

TEST(DelegatesTest, APayloadThatIsSharedKeepsItsOwnersApart) {
    ProgramSpec spec = sandwich();
    spec.methods.push_back(spec.methods[0]);
    spec.methods[1].name = "other";
    spec.methods[1].delegates[0].compileSpecs = {{"mode", "slow"}};
    const ProgramPtr program = programOf(spec);
    const DelegationReport joined = report({.program = *program});
    ASSERT_EQ(joined.methods.size(), 2U);
    for (const MethodDelegates& method : joined.methods) {
        EXPECT_EQ(method.delegates[0].delegate, &method.method->delegates[0]);
        EXPECT_EQ(method.delegates[0].calls.size(), 1U);
        EXPECT_EQ(method.delegates[0].format.text, "text");
    }
}

TEST(DelegatesTest, WithoutARecordKernelCallsAreCounted) {
    const ProgramPtr program = programOf(sandwich());
    const MethodDelegates method = report({.program = *program}).methods[0];
    EXPECT_EQ(method.operatorSource, inspector::PlacementSource::Instructions);
    EXPECT_THAT(names(method.operators), ElementsAre("aten::add.out", "aten::mul.out"));
    EXPECT_EQ(method.operators[0].undelegated, 1U);
    EXPECT_EQ(method.operators[0].delegated, 0U);
}

TEST(DelegatesTest, ARecordNamesEdgeNodesAndWhereTheyRun) {
    const ProgramPtr program = programOf(sandwich());
    const Record record = recordOfSandwich();
    const DelegationReport joined = report({.program = *program, .record = record.get()});
    const MethodDelegates& method = joined.methods[0];
    const inspector::DelegateCallSite& call = method.delegates[0].calls[0];
    EXPECT_THAT(call.handles, ElementsAre(core::DebugHandle(2)));
    ASSERT_EQ(call.nodes.size(), 1U);
    EXPECT_EQ(call.nodes[0]->op, "aten.sin.default");
    EXPECT_THAT(names(method.operators),
                ElementsAre("aten.mul.Tensor", "aten.add.Tensor", "aten.sin.default"));
    EXPECT_EQ(method.operators[0].undelegated, 1U);
    EXPECT_EQ(method.operators[0].absent, 1U);
    EXPECT_EQ(method.operators[2].delegated, 1U);
    EXPECT_THAT(joined.warnings, IsEmpty());
}

/// sandwich() preceded by two views and a cache, which the ETRecord maps to no handle.
ProgramSpec sandwichWithViews() {
    ProgramSpec spec = sandwich();
    MethodSpec& method = spec.methods[0];
    method.operators.emplace_back("executorch_prim::et_view", "default");
    method.operators.emplace_back("llama::update_cache", "out");
    method.instructions.insert(method.instructions.end(), {KernelSpec{.op = 2, .args = {0, 1, 2}},
                                                           KernelSpec{.op = 3, .args = {0, 1, 2}}});
    return spec;
}

TEST(InstructionPlacementTest, ReportsBackendOrReasonForFallback) {
    const ProgramPtr program = programOf(sandwich());
    const Record record = recordOfSandwich();
    const DelegationReport known = report({.program = *program, .record = record.get()});
    const MethodDelegates& method = known.methods.front();
    const auto at = [&](std::int32_t instruction) {
        return inspector::findPlacement(method, core::InstructionId(instruction));
    };
    const auto call = at(1);
    ASSERT_TRUE(call);
    EXPECT_EQ(call->backend, "DemoBackend");
    EXPECT_EQ(call->delegate, 0U);
    EXPECT_EQ(call->why, "");
    const auto kernel = at(2);
    ASSERT_TRUE(kernel);
    EXPECT_EQ(kernel->op, "mul");
    EXPECT_FALSE(kernel->delegate);
    EXPECT_THAT(kernel->why, HasSubstr("selected none of the 1 `mul`"));
    EXPECT_FALSE(kernel->splits) << "no delegate comes after it";
    EXPECT_FALSE(at(3));
    EXPECT_FALSE(at(-1));
}

TEST(InstructionPlacementTest, NamesTheOperatorThatSplitsPartitions) {
    ProgramSpec spec = sandwich();
    spec.methods[0].instructions.insert(spec.methods[0].instructions.begin(),
                                        DelegateCallSpec{.delegate = 0, .args = {0, 1, 2}});
    const ProgramPtr program = programOf(spec);
    const DelegationReport known = report({.program = *program});
    const auto add = inspector::findPlacement(known.methods.front(), core::InstructionId(1));
    ASSERT_TRUE(add);
    ASSERT_TRUE(add->splits);
    EXPECT_EQ(add->splits->backend, "DemoBackend");
    EXPECT_EQ(add->splits->before, core::InstructionId(0));
    EXPECT_EQ(add->splits->after, core::InstructionId(2));
    EXPECT_THAT(add->why, HasSubstr("open the ETRecord"));
    spec.methods[0].delegates.clear();
    spec.methods[0].instructions = {KernelSpec{.op = 0, .args = {0, 1, 2}}};
    spec.methods[0].outputs = {2};
    const ProgramPtr plain = programOf(spec);
    const DelegationReport none = report({.program = *plain});
    EXPECT_THAT(inspector::findPlacement(none.methods.front(), core::InstructionId(0))->why,
                HasSubstr("the method has no delegate"));
}

TEST(DelegatesTest, NodesWithoutAnInstructionRunWhereSuchAKernelIsLeft) {
    const ProgramPtr program = programOf(sandwichWithViews());
    etrecord::RecordWriter writer;
    etrecord::ExportedGraph graph =
        edgeGraph({"aten.add.Tensor", "aten.sin.default", "aten.mul.Tensor", "aten.view_copy.default",
                   "aten.view_copy.default", "higher_order.auto_functionalized_v2"});
    graph.nodes.back().inputs = {
        {.name = "", .kind = "as_operator", .value = std::string("torch.ops.llama.update_cache.default")}};
    writer.addEdgeGraph("forward", graph);
    etrecord::MethodMaps maps = plainMaps(3);
    maps.delegates[core::InstructionId(1)] = {.backend = "DemoBackend", .identifiers = {}};
    writer.setMaps("forward", maps);
    const Record record = recordOf(writer);
    const MethodDelegates method = report({.program = *program, .record = record.get()}).methods[0];
    const auto of = [&](std::string_view name) {
        const auto found = std::ranges::find(method.operators, name, &OperatorPlacement::name);
        return found == method.operators.end() ? OperatorPlacement() : *found;
    };
    EXPECT_EQ(of("aten.view_copy.default").undelegated, 1U);  // one of two is executed, the other is folded
    EXPECT_EQ(of("aten.view_copy.default").absent, 1U);
    EXPECT_EQ(of("llama.update_cache.default").undelegated, 1U);
    EXPECT_EQ(of("higher_order.auto_functionalized_v2").total(), 0U);
}

TEST(DelegatesTest, WarnsOfForeignRecord) {
    const ProgramPtr program = programOf(sandwich());
    const Record elsewhere = recordOfSandwich("DemoBackend", 2);
    EXPECT_THAT(report({.program = *program, .record = elsewhere.get()}).warnings,
                ElementsAre(HasSubstr("instruction 2")));
    const Record other = recordOfSandwich("OtherBackend");
    EXPECT_THAT(report({.program = *program, .record = other.get()}).warnings,
                ElementsAre(HasSubstr("OtherBackend")));
}

TEST(DelegatesTest, TimesAddUp) {
    const ProgramPtr program = programOf(sandwich());
    const Blocks blocks = traceOfSandwich();
    const DelegationReport joined = report({.program = *program, .blocks = blocks.get()});
    const MethodDelegates& method = joined.methods[0];
    ASSERT_TRUE(method.times);
    EXPECT_EQ(method.times->runs, 2U);
    EXPECT_DOUBLE_EQ(method.times->total, 1000);
    EXPECT_DOUBLE_EQ(method.times->delegated, 100);
    EXPECT_DOUBLE_EQ(method.times->undelegated, 22);
    EXPECT_DOUBLE_EQ(method.times->other(), 878);
    EXPECT_DOUBLE_EQ(method.delegates[0].calls[0].time.value_or(0), 100);
    EXPECT_THAT(joined.warnings, IsEmpty());
}

TEST(DelegatesTest, WarnsOfForeignTraceAndIgnoresItsTimes) {
    const ProgramPtr program = programOf(sandwich());
    const Blocks blocks = traceOfSandwich(0);
    const DelegationReport joined = report({.program = *program, .blocks = blocks.get()});
    EXPECT_FALSE(joined.methods[0].times);
    EXPECT_THAT(joined.warnings, ElementsAre(HasSubstr("where the program has")));
}

TEST(DelegatesTest, ReportsOnlyTheRequestedMethod) {
    const ProgramPtr program = programOf(sandwich());
    EXPECT_EQ(report({.program = *program, .method = "forward"}).methods.size(), 1U);
    const auto none = inspector::delegatesOf({.program = *program, .method = "backward"});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, core::ErrorCode::NotFound);
}

ProgramPtr realProgram(const std::string& name) {
    auto bundle = bundled_program::Bundle::open(sharedData() / ("programs/" + name + ".bpte"));
    EXPECT_TRUE(bundle) << bundle.error().toString();
    auto parsed = program::Program::parse((*bundle)->file, (*bundle)->program);
    EXPECT_TRUE(parsed) << parsed.error().toString();
    return *parsed;
}

/// Checks that the handle that XNNPACK's compiler wrote for a node is one of the delegate instruction's
/// handles, and belongs to a node of the Edge graph.
TEST(DelegatesTest, HandlesInPayloadsAreThoseOfTheRecord) {
    ET_NEEDS_SHARED_DATA();
    for (const char* name :
         {"mobilenet_v2_small/xnnpack", "mobilenet_v2_small/xnnpack_q8", "bert_tiny/xnnpack"}) {
        SCOPED_TRACE(name);
        const ProgramPtr program = realProgram(name);
        const auto record =
            etrecord::Record::open(sharedData() / ("programs/" + std::string(name) + ".etrecord"));
        ASSERT_TRUE(record) << record.error().toString();
        const DelegationReport joined =
            report({.program = *program, .backends = backends::describable(), .record = record->get()});
        EXPECT_THAT(joined.warnings, IsEmpty());
        std::size_t handles = 0;
        for (const DelegateReport& delegate : joined.methods[0].delegates) {
            ASSERT_TRUE(delegate.graph) << delegate.unknown;
            for (const core::GraphNode& node : delegate.graph->nodes()) {
                for (const core::DebugHandle handle : node.debugHandles) {
                    EXPECT_TRUE(std::ranges::contains(delegate.calls[0].handles, handle)) << node.name;
                    EXPECT_FALSE((*record)->edgeGraph("forward")->nodesOf(handle).empty()) << node.name;
                    ++handles;
                }
            }
        }
        EXPECT_GT(handles, 10U);
    }
}

TEST(DelegatesTest, RealTimesAddUp) {
    ET_NEEDS_SHARED_DATA();
    const ProgramPtr program = realProgram("mobilenet_v2_small/xnnpack_q8");
    const auto trace = etdump::Trace::open(sharedData() / "traces/mobilenet_v2_small_xnnpack_q8/trace.etdp");
    ASSERT_TRUE(trace) << trace.error().toString();
    const Blocks blocks = join(*trace);
    const DelegationReport joined =
        report({.program = *program, .backends = backends::describable(), .blocks = blocks.get()});
    EXPECT_THAT(joined.warnings, IsEmpty());
    const MethodDelegates& method = joined.methods[0];
    ASSERT_TRUE(method.times);
    double sum = 0;
    for (const DelegateReport& delegate : method.delegates) {
        sum += delegate.calls[0].time.value_or(0);
    }
    EXPECT_NEAR(sum, method.times->delegated, 1e-9);
    EXPECT_GT(method.times->delegated, 0.5 * method.times->total);
    EXPECT_GE(method.times->other(), 0);
}

}  // namespace
}  // namespace et::test
