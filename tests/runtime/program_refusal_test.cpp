#include "runtime/program/program.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace et::program {
namespace {

using core::ErrorCode;
using test::MethodSpec;
using test::ProgramSpec;
using test::TensorSpec;

/// A fault in an otherwise valid program, and the expected error.
struct Refusal {
    std::string name;
    std::function<void(ProgramSpec&, MethodSpec&)> breakIt;
    ErrorCode code;
    std::string field;
    std::string message;
};

void PrintTo(const Refusal& refusal, std::ostream* stream) {
    *stream << refusal.name;
}

std::string refusalName(const testing::TestParamInfo<Refusal>& test) {
    return test.param.name;
}

class ProgramRefusalTest : public testing::TestWithParam<Refusal> {};

TEST_P(ProgramRefusalTest, ErrorNamesFieldOffsetAndReason) {
    ProgramSpec spec = test::addProgram();
    GetParam().breakIt(spec, spec.methods[0]);
    const auto program = test::parseBytes<Program>(test::writeProgram(spec));
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, GetParam().code) << program.error().toString();
    EXPECT_EQ(program.error().where.field, GetParam().field);
    EXPECT_EQ(program.error().where.file, "test");
    EXPECT_TRUE(program.error().where.offset);
    EXPECT_THAT(program.error().message, testing::HasSubstr(GetParam().message));
}

TensorSpec& tensor(MethodSpec& method, std::size_t index = 0) {
    return std::get<TensorSpec>(method.values[index]);
}

const std::string value0 = "execution_plan[0].values[0]";
const std::string instruction0 = "execution_plan[0].chains[0].instructions[0]";

INSTANTIATE_TEST_SUITE_P(
    Instructions, ProgramRefusalTest,
    testing::Values(
        Refusal{"argument",
                [](auto&, auto& m) { std::get<test::KernelSpec>(m.instructions[0]).args[3] = 1'000'000; },
                ErrorCode::Format, instruction0 + ".args[3]", "expected one of 4 values, got 1000000"},
        Refusal{"negative",
                [](auto&, auto& m) { std::get<test::KernelSpec>(m.instructions[0]).args[0] = -5; },
                ErrorCode::Format, instruction0 + ".args[0]", "expected one of 4 values, got -5"},
        Refusal{"operator", [](auto&, auto& m) { std::get<test::KernelSpec>(m.instructions[0]).op = 1; },
                ErrorCode::Format, instruction0 + ".op_index", "expected one of 1 operators, got 1"},
        Refusal{"delegate",
                [](auto&, auto& m) { m.instructions[0] = test::DelegateCallSpec{.delegate = 5, .args = {}}; },
                ErrorCode::Format, instruction0 + ".delegate_index", "expected one of 0 delegates, got 5"},
        Refusal{"jump",
                [](auto&, auto& m) { m.instructions[0] = test::JumpSpec{.condition = 0, .destination = 2}; },
                ErrorCode::Format, instruction0 + ".destination_instruction", "got 2"},
        Refusal{"condition",
                [](auto&, auto& m) { m.instructions[0] = test::JumpSpec{.condition = 4, .destination = 0}; },
                ErrorCode::Format, instruction0 + ".cond_value_index", "got 4"},
        Refusal{"move_from", [](auto&, auto& m) { m.instructions[0] = test::MoveSpec{.from = 9, .to = 0}; },
                ErrorCode::Format, instruction0 + ".move_from", "got 9"},
        Refusal{"move_to", [](auto&, auto& m) { m.instructions[0] = test::MoveSpec{.from = 0, .to = -1}; },
                ErrorCode::Format, instruction0 + ".move_to", "got -1"},
        Refusal{"free", [](auto&, auto& m) { m.instructions[0] = test::FreeSpec{.value = 4}; },
                ErrorCode::Format, instruction0 + ".value_index", "got 4"},
        Refusal{"stacks", [](auto&, auto& m) { m.frames = {"a", "b"}; }, ErrorCode::Format,
                "execution_plan[0].chains[0].stacktrace", "expected 1 stack traces"}),
    refusalName);

INSTANTIATE_TEST_SUITE_P(
    Values, ProgramRefusalTest,
    testing::Values(
        Refusal{"kind", [](auto&, auto& m) { m.values[0] = test::UnknownSpec{}; }, ErrorCode::Unsupported,
                value0 + ".val_type", "expected a value kind from 1 to 11, got 99"},
        Refusal{"negative_size", [](auto&, auto& m) { tensor(m).sizes = {2, -3}; }, ErrorCode::Format,
                value0 + ".sizes[1]", "got -3"},
        Refusal{"huge", [](auto&, auto& m) { tensor(m).sizes = {2147483647, 2147483647}; }, ErrorCode::Limit,
                value0 + ".sizes", "less than 2^63 bytes"},
        Refusal{"dim_order", [](auto&, auto& m) { tensor(m).dimOrder = {1, 1}; }, ErrorCode::Format,
                value0 + ".dim_order", "expected a permutation of 2 dimensions, got [1, 1]"},
        Refusal{"storage_offset", [](auto&, auto& m) { tensor(m).storageOffset = 1; }, ErrorCode::Unsupported,
                value0 + ".storage_offset", "got 1"},
        Refusal{"dynamism", [](auto&, auto& m) { tensor(m).dynamism = 3; }, ErrorCode::Unsupported,
                value0 + ".shape_dynamism", "expected 0 to 2, got 3"},
        Refusal{"location",
                [](auto&, auto& m) { tensor(m).extra = test::ExtraSpec{.name = "a", .location = 2}; },
                ErrorCode::Unsupported, value0 + ".extra_tensor_info.location", "expected 0 to 1, got 2"},
        Refusal{"external_name",
                [](auto&, auto& m) { tensor(m).extra = test::ExtraSpec{.name = "", .location = 1}; },
                ErrorCode::Format, value0 + ".extra_tensor_info.fully_qualified_name", "expected a string"},
        Refusal{"int_list", [](auto&, auto& m) { m.values[0] = test::IntListSpec{{4}}; }, ErrorCode::Format,
                value0 + ".items[0]", "expected one of 4 values, got 4"},
        Refusal{"int_list_of_tensors", [](auto&, auto& m) { m.values[0] = test::IntListSpec{{1}}; },
                ErrorCode::Format, value0, "expected all items of a IntList"},
        Refusal{"tensor_list", [](auto&, auto& m) { m.values[0] = test::TensorListSpec{{3}}; },
                ErrorCode::Format, value0, "expected all items of a TensorList"},
        Refusal{"optional_tensor_list",
                [](auto&, auto& m) { m.values[0] = test::OptionalTensorListSpec{{-2}}; }, ErrorCode::Format,
                value0 + ".items[0]", "got -2"}),
    refusalName);

INSTANTIATE_TEST_SUITE_P(
    Memory, ProgramRefusalTest,
    testing::Values(
        Refusal{"arena", [](auto&, auto& m) { tensor(m).allocation->arena = 77; }, ErrorCode::Format,
                value0 + ".allocation_info.memory_id", "expected an arena from 1 to 1, got 77"},
        Refusal{"arena_of_constants", [](auto&, auto& m) { tensor(m).allocation->arena = 0; },
                ErrorCode::Format, value0 + ".allocation_info.memory_id", "got 0"},
        Refusal{"offset", [](auto&, auto& m) { tensor(m).allocation->offset = 73; }, ErrorCode::Format,
                value0 + ".allocation_info.memory_offset_low", "24 bytes at 73"},
        Refusal{"offset_wraps", [](auto&, auto& m) { tensor(m).allocation->offset = UINT64_MAX; },
                ErrorCode::Format, value0 + ".allocation_info.memory_offset_low", "the 96 bytes of arena 1"},
        Refusal{"arena_negative", [](auto&, auto& m) { m.arenas = {0, -1}; }, ErrorCode::Format,
                "execution_plan[0].non_const_buffer_sizes[1]", "got -1"},
        Refusal{"arena_huge", [](auto&, auto& m) { m.arenas = {0, std::int64_t{1} << 62}; }, ErrorCode::Limit,
                "execution_plan[0].non_const_buffer_sizes[1]", "got 4611686018427387904"},
        Refusal{"arenas_huge_together",
                [](auto&, auto& m) { m.arenas = {0, std::int64_t{1} << 46, std::int64_t{1} << 46, 1}; },
                ErrorCode::Limit, "execution_plan[0].non_const_buffer_sizes[3]", "in total"},
        Refusal{"device", [](auto&, auto& m) { m.devices = {{.arena = 2}}; }, ErrorCode::Format,
                "execution_plan[0].non_const_buffer_device", "expected one of 2 arenas, got 2"}),
    refusalName);

/// A program with eight bytes of segments.
void addSegment(ProgramSpec& spec) {
    spec.segmentData.resize(8);
    spec.segments = {{.offset = 0, .size = 8}};
}

INSTANTIATE_TEST_SUITE_P(
    Data, ProgramRefusalTest,
    testing::Values(
        Refusal{"segment_outside",
                [](auto& s, auto&) {
                    addSegment(s);
                    s.segments[0].size = 9;
                },
                ErrorCode::Format, "segments[0]", "9 bytes at 0"},
        Refusal{"segment_wraps",
                [](auto& s, auto&) {
                    addSegment(s);
                    s.segments[0].offset = UINT64_MAX - 3;
                },
                ErrorCode::Format, "segments[0]", "within the 8 bytes of segment data"},
        Refusal{"segment_without_header",
                [](auto& s, auto&) {
                    addSegment(s);
                    s.header.kind = test::HeaderKind::None;
                },
                ErrorCode::Format, "segments[0]", "expected a header"},
        Refusal{"constant_segment", [](auto& s, auto&) { s.constants = {.segment = 1, .offsets = {0, 0}}; },
                ErrorCode::Format, "constant_segment.segment_index", "expected one of 0 segments, got 1"},
        Refusal{"constant_offset",
                [](auto& s, auto&) {
                    addSegment(s);
                    s.constants.offsets = {0, 9};
                },
                ErrorCode::Format, "constant_segment.offsets[1]", "got 9"},
        Refusal{"constant_index", [](auto&, auto& m) { m.values[0] = TensorSpec{.dataIndex = 1}; },
                ErrorCode::Format, value0 + ".data_buffer_idx", "expected one of 0 tensors with data, got 1"},
        Refusal{"constant_short",
                [](auto& s, auto& m) {
                    addSegment(s);
                    s.constants.offsets = {0, 0};
                    m.values[0] = TensorSpec{.dataIndex = 1};
                },
                ErrorCode::Format, value0 + ".data_buffer_idx", "expected 24 bytes of data, got 8"},
        Refusal{"inline_constant_short",
                [](auto& s, auto& m) {
                    s.inlineConstants = {"", "few"};
                    m.values[0] = TensorSpec{.dataIndex = 1};
                },
                ErrorCode::Format, value0 + ".data_buffer_idx", "expected 24 bytes of data, got 3"},
        Refusal{"inline_constant_index",
                [](auto& s, auto& m) {
                    s.inlineConstants = {""};
                    m.values[0] = TensorSpec{.dataIndex = 1};
                },
                ErrorCode::Format, value0 + ".data_buffer_idx", "expected one of 1 constant buffers, got 1"},
        Refusal{"mutable_segment", [](auto&, auto& m) { tensor(m).dataIndex = 1; }, ErrorCode::Format,
                value0 + ".data_buffer_idx", "expected one of 0 mutable data segments, got 0"},
        Refusal{"named_data", [](auto& s, auto&) { s.namedData = {{"w", 3}}; }, ErrorCode::Format,
                "named_data[0].segment_index", "expected one of 0 segments, got 3"},
        Refusal{"named_data_key", [](auto& s, auto&) { addSegment(s), s.namedData = {{"", 0}}; },
                ErrorCode::Format, "named_data[0].key", "expected a string"}),
    refusalName);

INSTANTIATE_TEST_SUITE_P(
    Methods, ProgramRefusalTest,
    testing::Values(Refusal{"name", [](auto&, auto& m) { m.name = ""; }, ErrorCode::Format,
                            "execution_plan[0].name", "expected a string"},
                    Refusal{"input", [](auto&, auto& m) { m.inputs = {4}; }, ErrorCode::Format,
                            "execution_plan[0].inputs[0]", "expected one of 4 values, got 4"},
                    Refusal{"output", [](auto&, auto& m) { m.outputs = {0, -1}; }, ErrorCode::Format,
                            "execution_plan[0].outputs[1]", "got -1"},
                    Refusal{"operator_name", [](auto&, auto& m) { m.operators[0].first = ""; },
                            ErrorCode::Format, "execution_plan[0].operators[0].name", "expected a string"},
                    Refusal{"backend", [](auto&, auto& m) { m.delegates = {{.backend = ""}}; },
                            ErrorCode::Format, "execution_plan[0].delegates[0].id", "expected a string"},
                    Refusal{"payload_inline", [](auto&, auto& m) { m.delegates = {{.index = 0}}; },
                            ErrorCode::Format, "execution_plan[0].delegates[0].processed.index",
                            "expected one of 0 inline payloads, got 0"},
                    Refusal{"payload_segment",
                            [](auto&, auto& m) { m.delegates = {{.location = 1, .index = 2}}; },
                            ErrorCode::Format, "execution_plan[0].delegates[0].processed.index",
                            "one of 0 segments, got 2"},
                    Refusal{"payload_location", [](auto&, auto& m) { m.delegates = {{.location = 2}}; },
                            ErrorCode::Unsupported, "execution_plan[0].delegates[0].processed.location",
                            "expected 0 or 1, got 2"}),
    refusalName);

/// A file of about 160 KB that would expand to gigabytes.
TEST(HostileProgramTest, SharedPartsHitALimit) {
    MethodSpec method;
    method.values = {std::int64_t{1}, test::IntListSpec{std::vector<std::int64_t>(10'000)}};
    method.sharedValues = 20'000;
    const auto program = test::parseBytes<Program>(test::writeProgram({.methods = {method}}));
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, ErrorCode::Limit) << program.error().toString();
    EXPECT_TRUE(program.error().where.offset);
}

TEST(OtherFileTest, OtherFilesAreNamedAsSuch) {
    const auto program = test::parseBytes<Program>(test::writeTensorData({}));
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().toString(), "test: identifier at offset 4: expected \"ET12\", got \"FT01\"");
    const auto empty = test::parseBytes<Program>({});
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().toString(), "test: identifier at offset 0: expected at least 8 bytes, got 0");
}

}  // namespace
}  // namespace et::program
