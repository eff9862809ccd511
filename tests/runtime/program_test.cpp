#include "runtime/program/program.h"

#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace et::program {
namespace {

using test::parseBytes;
using test::ProgramSpec;

std::shared_ptr<const Program> parsed(const ProgramSpec& spec) {
    auto program = parseBytes<Program>(test::writeProgram(spec));
    EXPECT_TRUE(program) << program.error().toString();
    return program ? *program : std::make_shared<Program>();
}

std::string_view text(core::Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> toBytes(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

TEST(ProgramTest, ReadsAMethod) {
    const auto program = parsed(test::addProgram());
    ASSERT_EQ(program->methods.size(), 1U);
    const Method* method = program->findMethod("forward");
    ASSERT_NE(method, nullptr);
    EXPECT_EQ(method->inputTree, "(*, *)");
    EXPECT_EQ(method->outputTree, "*");
    EXPECT_EQ(method->inputs, (std::vector{ValueId(0), ValueId(1)}));
    EXPECT_EQ(method->outputs, std::vector{ValueId(2)});
    ASSERT_EQ(method->operators.size(), 1U);
    EXPECT_EQ(method->op(OperatorId(0)).fullName(), "aten::add.out");
    ASSERT_EQ(method->arenas.size(), 2U);
    EXPECT_EQ(method->plannedBytes(), 96U);
    ASSERT_EQ(method->chains.size(), 1U);
    ASSERT_EQ(method->chains[0].instructions.size(), 1U);
    const auto& call = std::get<KernelCall>(method->chains[0].instructions[0]);
    EXPECT_EQ(call.op, OperatorId(0));
    EXPECT_EQ(call.args, (std::vector{ValueId(0), ValueId(1), ValueId(3), ValueId(2), ValueId(2)}));
    EXPECT_EQ(program->findMethod("backward"), nullptr);
}

TEST(ProgramTest, ReadsFilesWithAndWithoutHeader) {
    ProgramSpec spec = test::addProgram();
    EXPECT_EQ(parsed(spec)->header->length, 32U);
    spec.header.kind = test::HeaderKind::Short;
    EXPECT_EQ(parsed(spec)->header->length, 24U);
    spec.header.kind = test::HeaderKind::None;
    EXPECT_FALSE(parsed(spec)->header);
    EXPECT_EQ(parsed(spec)->methods.size(), 1U);
}

TEST(ProgramTest, ReadsSeveralMethodsOfOneName) {
    ProgramSpec spec = test::addProgram();
    spec.methods.push_back(spec.methods[0]);
    spec.methods.push_back({.name = "empty", .arenas = {}});
    const auto program = parsed(spec);
    ASSERT_EQ(program->methods.size(), 3U);
    EXPECT_EQ(program->findMethod("forward"), program->methods.data());
    EXPECT_EQ(program->findMethod("empty")->plannedBytes(), 0U);
}

TEST(ProgramTest, FindsConstantsInASegment) {
    ProgramSpec spec = test::addProgram();
    spec.segmentData = toBytes("....constant");
    spec.segments = {{.offset = 4, .size = 8}};
    spec.constants = {.segment = 0, .offsets = {0, 0, 4}};
    spec.methods[0].values.emplace_back(
        test::TensorSpec{.scalarType = 0, .sizes = {4}, .dimOrder = {0}, .dataIndex = 2});
    const auto program = parsed(spec);
    const auto& tensor = *program->methods[0].value(ValueId(4)).as<TensorInfo>();
    EXPECT_EQ(tensor.initialData, InitialData::Program);
    EXPECT_FALSE(tensor.allocation);
    EXPECT_EQ(text(tensor.data), "tant");
    ASSERT_EQ(program->segments.size(), 1U);
    EXPECT_EQ(program->segments[0].use, SegmentUse::Constants);
    EXPECT_EQ(text(program->segments[0].data), "constant");
    const auto start = program->segments[0].data.data() - program->file->bytes().data();
    EXPECT_EQ(program->segments[0].offset, static_cast<std::uint64_t>(start));
}

TEST(ProgramTest, FindsConstantsInTheFlatbuffer) {
    ProgramSpec spec = test::addProgram();
    spec.header.kind = test::HeaderKind::None;
    spec.inlineConstants = {"", "old!"};
    spec.methods[0].values.emplace_back(
        test::TensorSpec{.scalarType = 0, .sizes = {4}, .dimOrder = {0}, .dataIndex = 1});
    const auto program = parsed(spec);
    EXPECT_EQ(text(program->methods[0].values[4].as<TensorInfo>()->data), "old!");
    EXPECT_EQ(program->inlineConstants.size(), 2U);
}

TEST(ProgramTest, FindsTheInitialValueOfMutableState) {
    ProgramSpec spec = test::addProgram();
    spec.segmentData = toBytes("state");
    spec.segments = {{.offset = 0, .size = 5}};
    spec.mutableState = {{.segment = 0, .offsets = {0, 1}}};
    spec.methods[0].values.emplace_back(test::TensorSpec{.scalarType = 0,
                                                         .sizes = {4},
                                                         .dimOrder = {0},
                                                         .dataIndex = 1,
                                                         .allocation = test::AllocationSpec{},
                                                         .extra = test::ExtraSpec{.name = "cache.k"}});
    const auto program = parsed(spec);
    const auto& tensor = *program->methods[0].values[4].as<TensorInfo>();
    EXPECT_EQ(text(tensor.data), "tate");
    EXPECT_EQ(tensor.name, "cache.k");
    EXPECT_TRUE(tensor.allocation);
    EXPECT_EQ(program->segments[0].use, SegmentUse::MutableState);
}

TEST(ProgramTest, ExternalTensorsHaveANameAndNoBytes) {
    ProgramSpec spec = test::addProgram();
    spec.methods[0].values.emplace_back(
        test::TensorSpec{.dataIndex = 1, .extra = test::ExtraSpec{.name = "linear.weight", .location = 1}});
    const auto program = parsed(spec);
    const auto& tensor = *program->methods[0].values[4].as<TensorInfo>();
    EXPECT_EQ(tensor.initialData, InitialData::External);
    EXPECT_EQ(tensor.name, "linear.weight");
    EXPECT_TRUE(tensor.data.empty());
}

TEST(ProgramTest, FindsDelegatePayloadsInlineAndInSegments) {
    ProgramSpec spec = test::addProgram();
    spec.segmentData = toBytes("payload");
    spec.segments = {{.offset = 0, .size = 7}};
    spec.inlinePayloads = {"inside"};
    spec.methods[0].delegates = {
        {.backend = "A", .location = 0, .index = 0, .compileSpecs = {{"level", std::string("\1\0", 2)}}},
        {.backend = "B", .location = 1, .index = 0}};
    spec.methods[0].instructions.emplace_back(test::DelegateCallSpec{.delegate = 1, .args = {0, 2}});
    const auto program = parsed(spec);
    const Method& method = program->methods[0];
    ASSERT_EQ(method.delegates.size(), 2U);
    EXPECT_EQ(text(method.delegates[0].payload), "inside");
    EXPECT_FALSE(method.delegates[0].segment);
    ASSERT_EQ(method.delegates[0].compileSpecs.size(), 1U);
    EXPECT_EQ(method.delegates[0].compileSpecs[0].key, "level");
    EXPECT_EQ(method.delegates[0].compileSpecs[0].value.size(), 2U);
    EXPECT_EQ(text(method.delegates[1].payload), "payload");
    EXPECT_EQ(method.delegates[1].segment, SegmentId(0));
    EXPECT_EQ(program->segments[0].use, SegmentUse::Delegate);
    const auto& call = std::get<DelegateCall>(method.chains[0].instructions[1]);
    EXPECT_EQ(method.delegate(call.delegate).backend, "B");
}

TEST(ProgramTest, FindsNamedData) {
    ProgramSpec spec = test::addProgram();
    spec.segmentData = toBytes("weights");
    spec.segments = {{}, {.offset = 0, .size = 7}, {.offset = 0, .size = 3}};
    spec.namedData = {{"w", 1}, {"same", 1}};
    const auto program = parsed(spec);
    ASSERT_NE(program->findNamedData("same"), nullptr);
    EXPECT_EQ(text(program->findNamedData("same")->data), "weights");
    EXPECT_EQ(program->findNamedData("same")->segment, SegmentId(1));
    EXPECT_EQ(program->findNamedData("none"), nullptr);
    EXPECT_EQ(program->segments[1].use, SegmentUse::NamedData);
    EXPECT_EQ(program->segments[2].use, SegmentUse::Unused);
    EXPECT_EQ(segmentUseName(program->segments[2].use), "unused");
}

TEST(ProgramTest, ReadsAllInstructions) {
    ProgramSpec spec = test::addProgram();
    spec.methods[0].values.emplace_back(true);
    spec.methods[0].instructions = {test::JumpSpec{.condition = 4, .destination = 3},
                                    test::MoveSpec{.from = 0, .to = 2}, test::FreeSpec{.value = 1}};
    spec.methods[0].frames = {"forward", "helper", "forward"};
    const auto program = parsed(spec);
    const Chain& chain = program->methods[0].chains[0];
    ASSERT_EQ(chain.instructions.size(), 3U);
    EXPECT_EQ(std::get<JumpFalseCall>(chain.instructions[0]).condition, ValueId(4));
    EXPECT_EQ(std::get<JumpFalseCall>(chain.instructions[0]).destination, core::InstructionId(3))
        << "the end";
    EXPECT_EQ(std::get<MoveCall>(chain.instructions[1]).from, ValueId(0));
    EXPECT_EQ(std::get<MoveCall>(chain.instructions[1]).to, ValueId(2));
    EXPECT_EQ(std::get<FreeCall>(chain.instructions[2]).value, ValueId(1));
    EXPECT_EQ(instructionName(chain.instructions[0]), "JumpFalseCall");
    EXPECT_EQ(instructionName(chain.instructions[2]), "FreeCall");
    ASSERT_EQ(chain.stackTraces.size(), 3U);
    ASSERT_EQ(chain.stackTraces[1].size(), 1U);
    EXPECT_EQ(chain.stackTraces[1][0].function, "helper");
    EXPECT_EQ(chain.stackTraces[1][0].file, "model.py");
    EXPECT_EQ(chain.stackTraces[1][0].line, 7);
    EXPECT_EQ(chain.stackTraces[1][0].context, "return x + y");
}

TEST(ProgramTest, ReadsTheDevicesOfArenas) {
    ProgramSpec spec = test::addProgram();
    spec.methods[0].arenas = {0, 96, 16};
    spec.methods[0].devices = {{.arena = 2, .type = 1, .index = 3}};
    const auto program = parsed(spec);
    EXPECT_EQ(program->methods[0].arenas[1].device, Device{});
    EXPECT_EQ(program->methods[0].arenas[2].device, (Device{.type = 1, .index = 3}));
}

TEST(ProgramTest, ReadsAPartOfAFileWithOffsetsOfTheWhole) {
    constexpr std::size_t before = 64;
    ProgramSpec spec = test::addProgram();
    spec.segmentData = toBytes("constant");
    spec.segments = {{.offset = 0, .size = 8}};
    const auto bytes = test::writeProgram(spec);
    std::vector<std::byte> outer(before + bytes.size() + 16);
    std::ranges::copy(bytes, outer.begin() + before);
    const auto file = core::MappedFile::fromMemory(outer, "outer.bpte");
    const auto program = Program::parse(file, file->bytes().subspan(before, bytes.size()));
    ASSERT_TRUE(program) << program.error().toString();
    EXPECT_EQ((*program)->offset, before);
    EXPECT_EQ((*program)->bytes.size(), bytes.size());
    EXPECT_EQ((*program)->segments[0].offset, before + (*program)->header->segmentBase);

    const auto cut = Program::parse(file, file->bytes().subspan(before, bytes.size() - 1));
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().where.file, "outer.bpte");
    EXPECT_EQ(cut.error().where.offset, before + 24) << cut.error().toString();
}

TEST(ProgramTest, APartMustBelongToTheFile) {
    const auto file = core::MappedFile::fromMemory(test::writeProgram(test::addProgram()), "a");
    const auto other = test::writeProgram(test::addProgram());
    const auto program = Program::parse(file, other);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, core::ErrorCode::InvalidArgument);
}

TEST(ProgramTest, AMissingFileIsAnError) {
    const auto program = Program::open("/nonexistent/a.pte");
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, core::ErrorCode::Io);
}

}  // namespace
}  // namespace et::program
