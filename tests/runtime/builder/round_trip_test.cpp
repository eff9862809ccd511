// Tests that programs written by the builder read back unchanged.
#include "bundled_program/bundle.h"
#include "runtime/builder/program_builder.h"
#include "runtime/program/program.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_text.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>

namespace et::builder {
namespace {

using core::ScalarType;
using program::InitialData;
using program::Program;
using program::ShapeDynamism;
using program::TensorInfo;
using program::ValueId;
using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const Program> parsed(std::vector<std::byte> bytes) {
    auto program = test::parseBytes<Program>(std::move(bytes));
    EXPECT_TRUE(program) << program.error().toString();
    return program ? *program : nullptr;
}

/// Writes the program, reads it back and compares.
std::shared_ptr<const Program> expectRoundTrip(ProgramBuilder& builder) {
    const auto content = builder.content();
    EXPECT_TRUE(content) << content.error().toString();
    const auto program = parsed(writeProgram(*content).value());
    EXPECT_EQ(program->methods.size(), content->methods.size());
    for (std::size_t i = 0; i < program->methods.size(); ++i) {
        EXPECT_EQ(test::textOf(program->methods[i]), test::textOf(content->methods[i]));
    }
    return program;
}

const TensorInfo& tensorAt(const Program& program, ValueId id) {
    return *program.methods.front().value(id).as<TensorInfo>();
}

std::vector<float> floatsOf(const TensorInfo& tensor) {
    std::vector<float> numbers(tensor.data.size() / sizeof(float));
    std::memcpy(numbers.data(), tensor.data.data(), tensor.data.size());
    return numbers;
}

core::Bytes bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text));
}

constexpr std::array weights{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F};

TEST(ProgramBuilder, ACallRepeatsItsResult) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId x = forward.input({.sizes = {2, 3}});
    const ValueId y = forward.intermediate({.sizes = {2, 3}});
    forward.call("aten::add.out", {x, x, 1}, {y});
    forward.output(y);
    const auto program = expectRoundTrip(builder);
    const program::Method& method = program->methods.front();
    EXPECT_EQ(method.operators.front().fullName(), "aten::add.out");
    const auto& call = std::get<program::KernelCall>(method.chains.front().instructions.front());
    EXPECT_THAT(call.args, ElementsAre(x, x, ValueId(2), y, y));
    EXPECT_EQ(*method.value(ValueId(2)).as<std::int64_t>(), 1);
    EXPECT_THAT(method.inputTree, HasSubstr("builtins.tuple"));
    ASSERT_EQ(method.arenas.size(), 2U);
    EXPECT_EQ(method.arenas[0].bytes, 0U);
    EXPECT_EQ(method.arenas[1].bytes, 64U);
}

TEST(ProgramBuilder, SeveralResultsAreRepeatedAsAList) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId x = forward.input({.sizes = {4}});
    const ValueId values = forward.intermediate({.sizes = {2}});
    const ValueId indices = forward.intermediate({.dtype = ScalarType::Long, .sizes = {2}});
    forward.call("aten::topk.values", {x, 2, 0, true, true}, {values, indices});
    forward.output(values);
    forward.output(indices);
    const auto program = expectRoundTrip(builder);
    const auto& call = std::get<program::KernelCall>(program->methods[0].chains[0].instructions[0]);
    const auto* list = program->methods[0].value(call.args.back()).as<program::TensorList>();
    ASSERT_NE(list, nullptr);
    EXPECT_THAT(list->items, ElementsAre(values, indices));
}

TEST(ProgramBuilder, EveryKindOfValue) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId x = forward.input({.sizes = {1}});
    const ValueId out = forward.intermediate({.sizes = {1}});
    forward.call("test::everything.out",
                 {x, nullptr, true, -7, std::int64_t{1} << 40, 0.5, "text", Ints{3, -1},
                  std::vector<double>{0.25}, std::vector<bool>{true, false}, std::vector<ValueId>{x, out},
                  std::vector<std::optional<ValueId>>{x, std::nullopt}, Ints{}},
                 {out});
    forward.value(std::string_view());
    forward.integersOf({forward.integer(9)});
    expectRoundTrip(builder);
}

TEST(ProgramBuilder, EveryInstruction) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId x = forward.input({.sizes = {1}});
    const ValueId y = forward.intermediate({.sizes = {1}});
    const ValueId condition = forward.boolean(true);
    const ValueId text = forward.text("setting");
    const program::CompileSpec spec{.key = "level", .value = bytesOf("\x01\x02")};
    const auto start = forward.nextInstruction();
    forward.callFunction("executorch_prim::add.Scalar", {1, 2}, forward.integer(0));
    const auto toEnd = forward.jumpFalse(condition);
    const auto back = forward.jumpFalse(condition);
    forward.setDestination(back, start);
    forward.callDelegate(forward.delegate("Inline", bytesOf("payload"), false, {spec}), {x, y});
    forward.callDelegate(forward.delegate("Segment", bytesOf("segment payload"), true), {x, y, text});
    forward.move(y, x);
    forward.free(y);
    const auto program = expectRoundTrip(builder);
    const auto& instructions = program->methods[0].chains[0].instructions;
    const auto destination = [&](core::InstructionId jump) {
        return std::get<program::JumpFalseCall>(instructions[static_cast<std::size_t>(jump.value)])
            .destination;
    };
    EXPECT_EQ(destination(toEnd).value, 7);
    EXPECT_EQ(destination(back), start);
    ASSERT_EQ(program->segments.size(), 2U);  // constants, even if empty, and one payload
    EXPECT_EQ(program->segments[1].use, program::SegmentUse::Delegate);
    EXPECT_EQ((program->segments[1].offset) % 128, 0U);
}

TEST(ProgramBuilder, ConstantsStateAndNamedData) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId first = forward.constant<float>({.sizes = {2, 3}, .requiresGrad = true}, weights);
    const ValueId channels =
        forward.constant<float>({.sizes = {1, 2, 3, 1}, .dimOrder = {0, 2, 3, 1}}, weights);
    const std::array<std::int64_t, 1> number{7};
    const ValueId second = forward.constant<std::int64_t>({.dtype = ScalarType::Long, .sizes = {}}, number);
    const ValueId empty = forward.constant({.sizes = {0, 3}}, {});
    const ValueId state = forward.state({.sizes = {2, 3}}, std::as_bytes(std::span(weights)), "m.state");
    const ValueId blank = forward.state({.sizes = {3}});
    const ValueId outside = forward.external({.sizes = {3}}, "linear.bias");
    builder.addNamedData("weights", bytesOf("blob"));
    builder.addNamedData("same weights", bytesOf("blob"));
    const auto program = expectRoundTrip(builder);
    EXPECT_THAT(floatsOf(tensorAt(*program, first)), testing::ElementsAreArray(weights));
    EXPECT_EQ(tensorAt(*program, first).dataIndex, tensorAt(*program, channels).dataIndex);
    EXPECT_NE(tensorAt(*program, first).dataIndex, tensorAt(*program, second).dataIndex);
    EXPECT_EQ(tensorAt(*program, empty).initialData, InitialData::Program);
    EXPECT_THAT(floatsOf(tensorAt(*program, state)), testing::ElementsAreArray(weights));
    EXPECT_TRUE(tensorAt(*program, state).allocation);
    EXPECT_EQ(tensorAt(*program, blank).initialData, InitialData::None);
    EXPECT_EQ(tensorAt(*program, outside).initialData, InitialData::External);
    ASSERT_TRUE(program->header);
    EXPECT_EQ(program->header->segmentBase % 128, 0U);
    EXPECT_EQ(program->header->segmentBase + program->header->segmentDataSize, program->bytes.size());
    ASSERT_EQ(program->segments.size(), 3U);
    EXPECT_EQ(program->segments[0].use, program::SegmentUse::Constants);
    EXPECT_EQ(program->segments[1].use, program::SegmentUse::MutableState);
    EXPECT_EQ(program->segments[2].use, program::SegmentUse::NamedData);
    ASSERT_NE(program->findNamedData("same weights"), nullptr);
    EXPECT_EQ(program->findNamedData("same weights")->data.size(), 4U);
}

TEST(ProgramBuilder, ConstantsInTheFlatbuffer) {
    ProgramBuilder builder;
    builder.setConstantPlace(ConstantStorage::Flatbuffer);
    MethodBuilder& forward = builder.method("forward");
    const ValueId weight = forward.constant<float>({.sizes = {6}}, weights);
    const ValueId half = forward.constant<float>({.sizes = {3}}, std::span(weights).first(3));
    const auto program = expectRoundTrip(builder);
    EXPECT_FALSE(program->header);
    EXPECT_EQ(program->inlineConstants.size(), 3U);
    for (const ValueId id : {weight, half}) {
        const auto at = tensorAt(*program, id).data.data() - program->bytes.data();
        EXPECT_EQ(at % 16, 0);
    }
    EXPECT_THAT(floatsOf(tensorAt(*program, half)), ElementsAre(1.0F, 2.0F, 3.0F));
}

TEST(ProgramBuilder, ShapesPlacesAndDevices) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId bounded =
        forward.input({.sizes = {8, 3}, .dynamism = ShapeDynamism::Bounded}, Memory::Caller);
    const ValueId unknown = forward.intermediate({.sizes = {8}, .dynamism = ShapeDynamism::Unbounded});
    const ValueId far = forward.intermediate({.sizes = {4}, .arena = program::ArenaId(2)});
    const ValueId result = forward.intermediate({.sizes = {4}});
    constexpr std::uint64_t high = (std::uint64_t{1} << 33) + 48;
    forward.place(far, {.arena = program::ArenaId(2), .offset = high});
    forward.setArena(program::ArenaId(3), 128, {.type = 1, .index = 2});
    forward.output(result, Memory::Caller);
    const auto program = expectRoundTrip(builder);
    EXPECT_FALSE(tensorAt(*program, bounded).allocation);
    EXPECT_FALSE(tensorAt(*program, unknown).allocation);
    EXPECT_FALSE(tensorAt(*program, result).allocation);
    EXPECT_EQ(tensorAt(*program, far).allocation->offset, high);
    const auto& arenas = program->methods[0].arenas;
    ASSERT_EQ(arenas.size(), 4U);
    EXPECT_EQ(arenas[2].bytes, high + 16);
    EXPECT_EQ(arenas[3].device, (program::Device{.type = 1, .index = 2}));
}

TEST(ProgramBuilder, MethodsShareEqualData) {
    ProgramBuilder builder;
    for (const std::string_view name : {"prefill", "decode"}) {
        MethodBuilder& method = builder.method(name);
        const ValueId state = method.state({.sizes = {6}, .arena = program::ArenaId(2)},
                                           std::as_bytes(std::span(weights)), "cache");
        const ValueId weight = method.constant<float>({.sizes = {6}}, weights);
        method.callFunction("aten::copy_", {state, weight, false}, state);
    }
    const auto program = expectRoundTrip(builder);
    EXPECT_EQ(program->segments[0].data.size(), sizeof weights);
    EXPECT_EQ(program->segments[1].data.size(), sizeof weights);
    EXPECT_EQ(program->methods[0].operators[0].fullName(), "aten::copy_");
}

TEST(ProgramBuilder, StackTraces) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    forward.output(forward.input({.sizes = {1}}));
    ProgramContent content = builder.content().value();
    program::Chain& chain = content.methods[0].chains[0];
    chain.instructions.emplace_back(program::FreeCall{.value = ValueId(0)});
    chain.stackTraces = {{{.file = "model.py", .line = 3, .function = "forward", .context = "return x"}}};
    const auto program = parsed(writeProgram(content).value());
    EXPECT_EQ(test::textOf(program->methods[0]), test::textOf(content.methods[0]));
}

TEST(ProgramBuilder, WritesTheSameBytesEachTime) {
    const auto build = [] {
        ProgramBuilder builder;
        MethodBuilder& forward = builder.method("forward");
        const ValueId x = forward.input({.sizes = {6}});
        const ValueId y = forward.intermediate({.sizes = {6}});
        forward.call("aten::mul.out", {x, forward.constant<float>({.sizes = {6}}, weights)}, {y});
        forward.output(y);
        return builder.finish().value();
    };
    EXPECT_EQ(build(), build());
}

TEST(ProgramBuilder, FilesBorrowDataOfAnOwner) {
    const auto numbers = std::make_shared<const std::array<float, 6>>(weights);
    const core::Bytes data = std::as_bytes(std::span(*numbers));
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    forward.constant({.sizes = {2, 3}}, data, numbers);
    builder.addNamedData("blob", data.first(8), numbers);
    forward.state({.sizes = {4}}, data.first(16), numbers, "cache");
    const auto file = builder.file();
    ASSERT_TRUE(file) << file.error().toString();
    for (const core::Bytes part : {data, data.first(8), data.first(16)}) {
        EXPECT_TRUE(std::ranges::any_of(file->pieces(), [&](core::Bytes piece) {
            return piece.data() == part.data() && piece.size() == part.size();
        })) << part.size();
    }
    EXPECT_EQ(file->joined(), builder.finish().value());
    EXPECT_EQ(file->size(), file->joined().size());
}

TEST(ProgramBuilder, ReportsTheFirstMistake) {
    const auto messageOf = [](auto&& build) {
        ProgramBuilder builder;
        build(builder.method("forward"));
        const auto made = builder.finish();
        return made ? "" : made.error().message;
    };
    EXPECT_EQ(messageOf([](MethodBuilder& it) { it.constant({.sizes = {2}}, {}); }),
              "expected 8 bytes of data for value 0, got 0");
    EXPECT_EQ(messageOf([](MethodBuilder& it) { it.output(ValueId(3)); }),
              "expected the outputs of method forward to be among its 0 values");
    EXPECT_EQ(messageOf([](MethodBuilder& it) { it.move(it.none(), ValueId(9)); }),
              "expected the operands of instruction 0 of method forward to be among its 1 values");
    EXPECT_EQ(
        messageOf([](MethodBuilder& it) { it.setDestination(it.free(it.none()), it.nextInstruction()); }),
        "expected instruction 0 to be a jump");
    EXPECT_EQ(messageOf([](MethodBuilder& it) { it.alias(ValueId(0), {.sizes = {1}}); }),
              "expected the alias to be one of 0 values, got 0");
    EXPECT_EQ(messageOf([](MethodBuilder& it) { it.input({.sizes = {std::int64_t{1} << 32}}); }),
              "expected sizes that fit 32 bits, got 4294967296 in value 0 of method forward");
}

/// An invalid program is written as requested and rejected by the reader.
TEST(ProgramWriter, CanWriteInvalidPrograms) {
    ProgramBuilder builder;
    MethodBuilder& forward = builder.method("forward");
    const ValueId x = forward.input({.sizes = {4}});
    forward.call("aten::abs.out", {x}, {x});
    const ProgramContent good = builder.content().value();
    const auto refusal = [&](auto&& damage) {
        ProgramContent content = good;
        damage(content.methods[0]);
        const auto program = test::parseBytes<Program>(writeProgram(content).value());
        return program ? "" : program.error().message;
    };
    EXPECT_EQ(refusal([](program::Method&) {}), "");
    EXPECT_THAT(refusal([](program::Method& it) { it.arenas[1].bytes = 8; }),
                HasSubstr("within the 8 bytes"));
    EXPECT_THAT(refusal([](program::Method& it) { it.inputs[0] = ValueId(77); }), HasSubstr("got 77"));
    EXPECT_THAT(refusal([](program::Method& it) { it.operators.clear(); }), HasSubstr("0 operators"));
    EXPECT_THAT(refusal([](program::Method& it) { it.values[0].as<TensorInfo>()->sizes = {-4}; }),
                HasSubstr("-4"));
    EXPECT_THAT(refusal([](program::Method& it) {
                    it.values[0].as<TensorInfo>()->allocation->offset = ~std::uint64_t{0};
                }),
                HasSubstr("18446744073709551615"));
}

/// Checks that every real program survives reading and writing unchanged.
TEST(ProgramWriter, RealProgramsRoundTrip) {
    ET_NEEDS_SHARED_DATA();
    std::vector<std::filesystem::path> paths = test::sharedFiles("programs", ".pte");
    for (const auto& path : test::sharedFiles("programs", ".bpte")) {
        paths.push_back(path);
    }
    ASSERT_GT(paths.size(), 100U);
    for (const auto& path : paths) {
        SCOPED_TRACE(path);
        const auto original = path.extension() == ".pte"
                                  ? Program::open(path)
                                  : bundled_program::Bundle::open(path).and_then([](const auto& bundle) {
                                        return Program::parse(bundle->file, bundle->program);
                                    });
        ASSERT_TRUE(original) << original.error().toString();
        const auto written = writeProgram(test::contentOf(**original));
        ASSERT_TRUE(written) << written.error().toString();
        const auto again = parsed(*written);
        ASSERT_NE(again, nullptr);
        EXPECT_EQ(test::textOf(*again), test::textOf(**original));
        EXPECT_EQ(again->segments.size(), (*original)->segments.size());
        EXPECT_EQ(again->header.has_value(), (*original)->header.has_value());
    }
}

}  // namespace
}  // namespace et::builder
