// Tests changes of a program, and that everything else stays the same.
#include "runtime/builder/program_draft.h"

#include "runtime/builder/program_builder.h"
#include "runtime/builder/tensor_data_writer.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_text.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace et::builder {
namespace {

using program::InitialData;
using program::Program;
using program::TensorData;
using program::TensorInfo;
using program::ValueId;
using testing::HasSubstr;

constexpr std::array sixFloats{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F};
constexpr std::array otherFloats{6.0F, 5.0F, 4.0F, 3.0F, 2.0F, 1.0F};

std::shared_ptr<const Program> programOf(const std::vector<std::byte>& bytes) {
    auto program = test::parseBytes<Program>(bytes);
    EXPECT_TRUE(program) << program.error().toString();
    return program ? *program : nullptr;
}

std::string allText(const Program& program) {
    std::string text;
    for (const program::Method& method : program.methods) {
        text += test::textOf(method);
    }
    return text;
}

void addMethod(ProgramBuilder& builder, std::string_view name, core::Bytes data) {
    MethodBuilder& method = builder.method(name);
    const ValueId x = method.input({.sizes = {2, 3}});
    const ValueId w = method.constant({.sizes = {2, 3}}, data);
    const ValueId y = method.intermediate({.sizes = {2, 3}});
    method.call("aten::add.out", {x, w, 1}, {y});
    method.output(y);
}

std::shared_ptr<const Program> twoMethods() {
    ProgramBuilder builder;
    addMethod(builder, "forward", std::as_bytes(std::span(sixFloats)));
    addMethod(builder, "backward", std::as_bytes(std::span(otherFloats)));
    builder.addNamedData("blob", std::as_bytes(std::span(otherFloats)));
    return programOf(builder.finish().value());
}

TEST(ProgramDraft, WithoutChangesIsTheSameProgram) {
    const auto original = twoMethods();
    EXPECT_EQ(allText(*programOf(ProgramDraft(original).write().value())), allText(*original));
}

TEST(ProgramDraft, KeepsMethodsByName) {
    ProgramDraft draft(twoMethods());
    const std::vector<std::string> names{"backward"};
    EXPECT_EQ(draft.keepMethods(names).value().count, 1U);
    const auto changed = programOf(draft.write().value());
    ASSERT_EQ(changed->methods.size(), 1U);
    EXPECT_EQ(changed->methods.front().name, "backward");
    const std::vector<std::string> stranger{"sideways"};
    const auto refused = draft.keepMethods(stranger);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("no method \"sideways\"; the program has forward, backward"));
}

TEST(ProgramDraft, MovesConstantsAndNamedDataOutAndBackIn) {
    const auto original = twoMethods();
    ProgramDraft draft(original);
    const auto entries = draft.externalize();
    EXPECT_EQ(entries.size(), 3U) << "two constants and the blob";
    const auto without = programOf(draft.write().value());
    EXPECT_TRUE(without->namedData.empty());
    EXPECT_LT(without->bytes.size(), original->bytes.size());
    const auto file = test::parseBytes<TensorData>(writeTensorData(entries).value()).value();
    ProgramDraft back(without);
    const std::vector files{file};
    EXPECT_EQ(back.takeIn(files).value().count, 3U);
    back.dropNames();
    EXPECT_EQ(allText(*programOf(back.write().value())), allText(*original));
    EXPECT_EQ(programOf(back.write().value())->namedData.size(), 1U);
}

TEST(ProgramDraft, RejectsMismatchedAdditions) {
    ProgramDraft draft(twoMethods());
    auto entries = draft.externalize();
    for (auto& entry : entries) {
        if (entry.layout) {
            entry.layout->sizes = {3, 2};
        }
    }
    const auto without = programOf(draft.write().value());
    const std::vector files{test::parseBytes<TensorData>(writeTensorData(entries).value()).value()};
    const auto refused = ProgramDraft(without).takeIn(files);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("sizes [2, 3]"));
    const auto missing = ProgramDraft(without).takeIn({});
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("no --data file contains"));
}

TEST(ProgramDraft, NamesHaveOneContent) {
    ProgramBuilder builder;
    addMethod(builder, "forward", std::as_bytes(std::span(sixFloats)));
    addMethod(builder, "backward", std::as_bytes(std::span(otherFloats)));
    const auto plain = programOf(builder.finish().value());
    ProgramDraft draft(plain);
    for (program::Method& method : draft.content().methods) {
        for (program::Value& value : method.values) {
            auto* const tensor = value.as<TensorInfo>();
            if (tensor != nullptr && tensor->initialData == InitialData::Program) {
                tensor->name = "weight";
            }
        }
    }
    const auto entries = draft.externalize();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_NE(entries[0].name, entries[1].name);
}

TEST(ProgramDraft, EmptiesUnusedData) {
    ProgramBuilder builder;
    MethodBuilder& method = builder.method("forward");
    const ValueId x = method.input({.sizes = {2, 3}});
    method.constant({.sizes = {2, 3}}, std::as_bytes(std::span(sixFloats)));
    method.output(x);
    const auto original = programOf(builder.finish().value());
    ProgramDraft draft(original);
    const DraftChange change = draft.dropUnused();
    EXPECT_EQ(change.count, 1U);
    EXPECT_EQ(change.bytes, sizeof(sixFloats));
    EXPECT_LT(draft.write().value().size(), original->bytes.size());
}

TEST(ProgramDraftConformance, RealProgramsStayTheSame) {
    ET_NEEDS_SHARED_DATA();
    const auto files = test::sharedFiles("programs", ".pte");
    ASSERT_GT(files.size(), 20U);
    for (const auto& path : files) {
        SCOPED_TRACE(path);
        const auto original = Program::open(path).value();
        EXPECT_EQ(allText(*programOf(ProgramDraft(original).write().value())), allText(*original));
    }
}

}  // namespace
}  // namespace et::builder
