// Tests mutable buffers whose first values an export left out of the program.
#include "inspector/session/first_values.h"

#include "etrecord/torch_writer.h"
#include "etrecord/writer.h"
#include "inspector/findings/findings.h"
#include "tests/inspector/join_support.h"
#include "tests/support/program_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {
namespace {

using etrecord::Argument;
using testing::HasSubstr;

/// out = input + buffer; buffer = out. The buffer is value 1.
test::ProgramSpec accumulator() {
    test::ProgramSpec spec = test::addProgram();
    test::MethodSpec& method = spec.methods.front();
    const auto planned = [](std::uint64_t offset) {
        test::TensorSpec tensor;
        tensor.allocation = test::AllocationSpec{.arena = 1, .offset = offset};
        return tensor;
    };
    method.values = {planned(0), planned(32), planned(64)};
    method.inputs = {0};
    method.outputs = {2};
    method.operators = {{"aten::add", "out"}, {"aten::copy_", ""}};
    method.instructions = {test::KernelSpec{.op = 0, .args = {0, 1, 2, 2}},
                           test::KernelSpec{.op = 1, .args = {1, 2, 1}}};
    return spec;
}

std::shared_ptr<const program::Program> programOf(const test::ProgramSpec& spec) {
    return program::Program::parse(core::MappedFile::fromMemory(test::writeProgram(spec))).value();
}

Argument tensorArgument(const std::string& name) {
    return {.name = {}, .kind = "as_tensor", .value = etrecord::ValueRef{.name = name}};
}

/// A record of accumulator() whose buffer starts at `first`.
std::shared_ptr<const etrecord::Record> recordOf(float first) {
    etrecord::ExportedGraph graph = test::edgeGraph({"aten.add.Tensor"});
    etrecord::TensorMeta meta{.scalarType = 6};
    meta.sizes = {{.value = 2, .expression = {}}, {.value = 3, .expression = {}}};
    meta.strides = {{.value = 3, .expression = {}}, {.value = 1, .expression = {}}};
    for (const char* name : {"b_total", "x", "sum"}) {
        graph.tensors.emplace(name, meta);
    }
    graph.inputs = {tensorArgument("b_total"), tensorArgument("x")};
    graph.inputSpecs = {{.kind = "buffer", .value = "b_total", .target = "total"},
                        {.kind = "user_input", .value = "x", .target = {}, .argument = tensorArgument("x")}};
    graph.nodes.front().inputs = graph.inputs;
    graph.nodes.front().outputs = {tensorArgument("sum")};
    graph.outputs = {tensorArgument("sum"), tensorArgument("sum")};
    graph.outputSpecs = {
        {.kind = "buffer_mutation", .value = "sum", .target = "total", .argument = {}},
        {.kind = "user_output", .value = "sum", .target = {}, .argument = tensorArgument("sum")}};
    std::array<float, 6> values{};
    values.fill(first);
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", graph);
    writer.addArchive("edge_dialect_exported_program/forward_state_dict",
                      etrecord::writeTorchArchive(
                          {etrecord::ArchiveValue::Dict{
                              {"total",
                               {etrecord::TensorToArchive{.sizes = {2, 3},
                                                          .elements = std::as_bytes(std::span(values))}}}}})
                          .value());
    writer.setMaps("forward", test::plainMaps(1));
    return test::recordOf(writer);
}

constexpr std::uint64_t maxBytes = 1U << 20U;

TEST(FirstValues, ABufferReadBeforeAnythingWritesItStartsAtZero) {
    const auto program = programOf(accumulator());
    EXPECT_THAT(stateStartingAtZero(program->methods.front()), testing::ElementsAre(program::ValueId(1)));
    EXPECT_THAT(stateStartingAtZero(programOf(test::addProgram())->methods.front()), testing::IsEmpty());
}

TEST(FirstValues, ABufferThatIsOverwrittenFirstNeedsNone) {
    test::ProgramSpec spec = accumulator();
    auto& instructions = spec.methods.front().instructions;
    instructions = {test::KernelSpec{.op = 1, .args = {1, 0, 1}},
                    test::KernelSpec{.op = 0, .args = {0, 1, 2, 2}}};
    EXPECT_THAT(stateStartingAtZero(programOf(spec)->methods.front()), testing::IsEmpty());
}

TEST(FirstValues, AViewOfAnotherValueIsNoState) {
    test::ProgramSpec spec = accumulator();
    test::MethodSpec& method = spec.methods.front();
    std::get<test::TensorSpec>(method.values[1]).allocation = test::AllocationSpec{.arena = 1, .offset = 0};
    method.instructions = {test::KernelSpec{.op = 0, .args = {0, 1, 2, 2}}};
    EXPECT_THAT(stateStartingAtZero(programOf(spec)->methods.front()), testing::IsEmpty());
}

TEST(FirstValues, LostIfTheRecordHasOthersThanZero) {
    const auto program = programOf(accumulator());
    const auto lost = findLostFirstValues(*recordOf(10), program->methods.front(), maxBytes);
    ASSERT_TRUE(lost) << lost.error().toString();
    ASSERT_EQ(lost->size(), 1U);
    EXPECT_EQ(lost->front().buffer, "total");
    EXPECT_EQ(lost->front().input, "b_total");
    EXPECT_EQ(lost->front().value, program::ValueId(1));
    EXPECT_THAT(findLostFirstValues(*recordOf(0), program->methods.front(), maxBytes).value(),
                testing::IsEmpty());
}

/// The findings of the rule about first values.
std::vector<Finding> findingsOf(std::shared_ptr<const etrecord::Record> record) {
    Session session;
    session.program = programOf(accumulator());
    session.record = std::move(record);
    std::vector<Finding> all = deriveFindings(session);
    std::erase_if(all, [](const Finding& each) { return each.rule != "lost-first-values"; });
    return all;
}

TEST(FirstValues, AFindingNamesTheBuffer) {
    const auto found = findingsOf(recordOf(10));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found.front().title, HasSubstr("`total`"));
    EXPECT_THAT(found.front().explanation, HasSubstr("InitializedMutableBufferPass"));
    EXPECT_THAT(findingsOf(recordOf(0)), testing::IsEmpty());
}

TEST(FirstValues, WithoutARecordAFindingOnlyStatesThatItStartsAtZero) {
    const auto found = findingsOf(nullptr);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found.front().explanation, HasSubstr("starts at zero"));
    EXPECT_LT(found.front().share, 0.1);
}

}  // namespace
}  // namespace et::inspector
