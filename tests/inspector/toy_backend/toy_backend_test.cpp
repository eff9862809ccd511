// Tests that a new backend is described, traced and joined with only its own folder and one list.
#include "tests/inspector/toy_backend/toy_backend.h"

#include "inspector/comparison/alignment.h"
#include "inspector/delegates/delegates.h"
#include "inspector/numeric_gap/delegate_layout.h"
#include "tests/inspector/join_support.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"

#include <gmock/gmock.h>

#include <array>
#include <string>

namespace et::test {
namespace {

using inspector::EventBlocks;
using inspector::HandleSource;
using inspector::TimedOperator;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The list of backends.
std::span<const executor::Backend* const> backendsWithToy() {
    static const std::array<const executor::Backend*, 1> all{&toyBackend()};
    return all;
}

std::shared_ptr<const program::Program> toyProgram() {
    MethodSpec method;
    for (std::uint64_t i = 0; i < 3; ++i) {
        method.values.emplace_back(TensorSpec{.allocation = AllocationSpec{.arena = 1, .offset = 32 * i}});
    }
    method.inputs = {0, 1};
    method.outputs = {2};
    method.arenas = {0, 96};
    method.delegates = {DelegateSpec{.backend = "ToyBackend"}};
    method.instructions = {DelegateCallSpec{.delegate = 0, .args = {0, 1, 2}}};
    auto parsed = parseBytes<program::Program>(
        writeProgram({.methods = {method}, .inlinePayloads = {"matmul 1\nshuffle 0\nplus 2\n"}}));
    EXPECT_TRUE(parsed) << parsed.error().toString();
    return parsed ? *parsed : nullptr;
}

/// The delegate map contains none of the delegate's operators.
Record toyRecord(const std::vector<std::string>& operators) {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph(operators));
    etrecord::MethodMaps maps;
    etrecord::HandleEntry& entry = maps.debugHandles[core::InstructionId(0)];
    entry.list = true;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        entry.handles.emplace_back(static_cast<std::int64_t>(i + 1));
    }
    maps.delegates[core::InstructionId(0)] = {.backend = "ToyBackend", .identifiers = {}};
    writer.setMaps("forward", maps);
    return recordOf(writer);
}

Trace toyTrace(const std::vector<std::string>& operators) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    std::uint64_t start = 0;
    for (const std::string& name : operators) {
        writer.profile("", delegated(0, name), start, start + 10);
        start += 10;
    }
    writeDelegateCall(writer, 0);
    writeExecute(writer);
    return traceOf(writer);
}

const std::vector<std::string> ran{"toy:matmul@scalar/0", "toy:shuffle@scalar/1", "toy:plus@scalar/2"};
const std::vector<std::string> exported{"aten.mm.default", "aten.add.Tensor"};

Blocks joined(const Record& record, const program::Program* program,
              std::span<const executor::Backend* const> backends) {
    auto blocks =
        EventBlocks::build(toyTrace(ran), record, nullptr,
                           {.target = inspector::TimeScale::Nanoseconds, .backends = backends}, program);
    EXPECT_TRUE(blocks) << blocks.error().toString();
    return blocks ? *blocks : nullptr;
}

TEST(ToyBackendTest, ItsEventsAreJoinedWithItsNodes) {
    const auto program = toyProgram();
    const Blocks blocks = joined(toyRecord(exported), program.get(), backendsWithToy());
    EXPECT_THAT(blocks->warnings(), IsEmpty());
    const inspector::Block& block = blocks->blocks()[0];
    const inspector::Event& sum = eventNamed(block, "toy:plus@scalar/2");
    EXPECT_EQ(sum.handleSource, HandleSource::DelegatePayload);
    EXPECT_THAT(handlesOf(sum), ElementsAre(2));
    EXPECT_THAT(inspector::opTypes(block, sum), ElementsAre("aten.add.Tensor"));
    EXPECT_THAT(handlesOf(eventNamed(block, "toy:shuffle@scalar/1")), IsEmpty());
}

TEST(ToyBackendTest, NothingIsKnownWithoutItsDescription) {
    const auto program = toyProgram();
    const Blocks blocks = joined(toyRecord(exported), program.get(), {});
    const inspector::Event& sum = eventNamed(blocks->blocks()[0], "toy:plus@scalar/2");
    EXPECT_EQ(sum.handleSource, HandleSource::UnmappedDelegate);
    EXPECT_THAT(handlesOf(sum), IsEmpty());
}

TEST(ToyBackendTest, WarnsOfContradictingRecord) {
    const Blocks blocks = joined(toyRecord({"aten.add.Tensor"}), nullptr, backendsWithToy());
    ASSERT_TRUE(blocks->recordContradiction());
    EXPECT_THAT(*blocks->recordContradiction(),
                HasSubstr("1 toy products in ToyBackend, but the record has 0"));
}

TEST(ToyBackendTest, ItIsDescribedAndItsTimeIsExplained) {
    const auto program = toyProgram();
    const Record record = toyRecord(exported);
    const Blocks blocks = joined(record, nullptr, backendsWithToy());
    const auto report = inspector::delegatesOf(
        {.program = *program, .backends = backendsWithToy(), .record = record.get(), .blocks = blocks.get()});
    ASSERT_TRUE(report) << report.error().toString();
    const inspector::DelegateReport& delegate = report->methods[0].delegates[0];
    ASSERT_TRUE(delegate.graph) << delegate.unknown;
    EXPECT_EQ(delegate.graph->nodes().size(), 3U);
    const auto& operators = delegate.calls[0].operators;
    ASSERT_EQ(operators.size(), 3U);
    EXPECT_EQ(operators[0].is, TimedOperator::Is::EdgeNodes);
    EXPECT_EQ(operators[1].is, TimedOperator::Is::Layout);
    EXPECT_EQ(operators[2].nodes[0]->op, "aten.add.Tensor");
}

TEST(ToyBackendTest, ValuesHaveTheirLayout) {
    const auto program = toyProgram();
    const program::Method& method = program->methods[0];
    const auto& call = std::get<program::DelegateCall>(method.chains[0].instructions[0]);
    const auto layout = inspector::readLayout(toyBackend(), method, call);
    ASSERT_TRUE(layout) << layout.error().toString();
    const executor::InnerValue* value = layout->find(1);
    ASSERT_NE(value, nullptr);
    EXPECT_THAT(value->order, ElementsAre(1, 0));
    EXPECT_EQ(inspector::parametersOf(*value)->scale, 0.5);
}

TEST(ToyBackendTest, OtherKernelsOfItAreTheSameOperators) {
    inspector::OperatorTimes a{.name = "toy:matmul@scalar/0",
                               .kind = inspector::OperatorKind::DelegatedOperator,
                               .backend = "ToyBackend"};
    inspector::OperatorTimes b = a;
    b.name = "toy:matmul@wide/0";
    const auto pairs = inspector::alignOperators(std::span(&a, 1), std::span(&b, 1), backendsWithToy());
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_TRUE(pairs[0].a && pairs[0].b);
}

}  // namespace
}  // namespace et::test
