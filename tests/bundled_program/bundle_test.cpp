#include "bundled_program/bundle.h"

#include "runtime/program/program.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace et::bundled_program {
namespace {

using test::BundledTensorSpec;
using test::BundleSpec;
using test::CaseSpec;

BundleSpec oneCase(CaseSpec test) {
    return {.suites = {{"forward", {std::move(test)}}}, .program = test::writeProgram(test::addProgram())};
}

TEST(BundleTest, ReadsSuitesCasesAndValues) {
    BundledTensorSpec tensor{.sizes = {2, 1}, .dimOrder = {1, 0}};
    tensor.data[3] = std::byte{0x40};  // 2.0
    BundleSpec spec =
        oneCase({.inputs = {tensor, std::int64_t{-7}, true, 0.25, std::monostate()}, .outputs = {tensor}});
    spec.suites.push_back({"encode", {{}, {}}});
    const auto parsed = test::parseBytes<Bundle>(test::writeBundle(spec));
    ASSERT_TRUE(parsed) << parsed.error().toString();
    const Bundle& bundle = **parsed;
    EXPECT_EQ(bundle.version, 2U);
    ASSERT_EQ(bundle.suites.size(), 2U);
    EXPECT_EQ(bundle.findSuite("encode")->cases.size(), 2U);
    EXPECT_EQ(bundle.findSuite("none"), nullptr);
    const TestCase& test = bundle.findSuite("forward")->cases.at(0);
    ASSERT_EQ(test.inputs.size(), 5U);
    const auto& input = std::get<BundledTensor>(test.inputs[0]);
    EXPECT_EQ(input.scalarType, 6);
    EXPECT_EQ(input.sizes, (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(input.dimOrder, (std::vector<std::uint8_t>{1, 0}));
    ASSERT_EQ(input.data.size(), 8U);
    EXPECT_EQ(input.data[3], std::byte{0x40});
    EXPECT_EQ(std::get<std::int64_t>(test.inputs[1]), -7);
    EXPECT_EQ(std::get<bool>(test.inputs[2]), true);
    EXPECT_EQ(std::get<double>(test.inputs[3]), 0.25);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(test.inputs[4]));
    EXPECT_EQ(test.expectedOutputs.size(), 1U);
}

TEST(BundleTest, NamesAllTypes) {
    EXPECT_EQ(valueTypeName(std::monostate()), "None");
    EXPECT_EQ(valueTypeName(BundledTensor{}), "Tensor");
    EXPECT_EQ(valueTypeName(std::int64_t{}), "Int");
    EXPECT_EQ(valueTypeName(true), "Bool");
    EXPECT_EQ(valueTypeName(0.5), "Double");
}

TEST(BundleTest, TheProgramInsideReadsInPlace) {
    const auto bytes = test::writeBundle(oneCase({}));
    const auto bundle = test::parseBytes<Bundle>(bytes);
    ASSERT_TRUE(bundle);
    const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
    ASSERT_TRUE(program) << program.error().toString();
    EXPECT_EQ((*program)->bytes.data(), (*bundle)->program.data()) << "not a copy";
    EXPECT_EQ((*program)->offset % 32, 0U);
    EXPECT_NE((*program)->findMethod("forward"), nullptr);
}

TEST(BundleTest, ExcessDataIsTruncated) {
    BundledTensorSpec tensor;
    tensor.data.resize(12);
    const auto bundle = test::parseBytes<Bundle>(test::writeBundle(oneCase({.inputs = {tensor}})));
    ASSERT_TRUE(bundle);
    EXPECT_EQ(std::get<BundledTensor>((*bundle)->suites[0].cases[0].inputs[0]).data.size(), 8U);
}

TEST(BundleTest, KeepsAnUnknownDtype) {
    const auto bundle = test::parseBytes<Bundle>(
        test::writeBundle(oneCase({.inputs = {BundledTensorSpec{.scalarType = 99}}})));
    ASSERT_TRUE(bundle);
    const auto& tensor = std::get<BundledTensor>((*bundle)->suites[0].cases[0].inputs[0]);
    EXPECT_EQ(tensor.scalarType, 99);
    EXPECT_EQ(tensor.data.size(), 8U);
}

void refuses(const BundleSpec& spec, std::string_view field, std::string_view message) {
    const auto bundle = test::parseBytes<Bundle>(test::writeBundle(spec));
    ASSERT_FALSE(bundle) << field;
    EXPECT_EQ(bundle.error().where.field, field) << bundle.error().toString();
    EXPECT_NE(bundle.error().message.find(message), std::string::npos) << bundle.error().toString();
    EXPECT_TRUE(bundle.error().where.offset);
    EXPECT_EQ(bundle.error().where.file, "test");
}

TEST(BundleTest, RejectsInvalidTensors) {
    const std::string input = "method_test_suites[0].test_cases[0].inputs[0]";
    refuses(oneCase({.inputs = {BundledTensorSpec{.sizes = {3}}}}), input + ".data",
            "expected 12 bytes, got 8");
    refuses(oneCase({.inputs = {BundledTensorSpec{.sizes = {-2}}}}), input + ".sizes[0]", "got -2");
    refuses(oneCase({.inputs = {BundledTensorSpec{.dimOrder = {1}}}}), input + ".dim_order", "got [1]");
    const std::int32_t huge = 2147483647;
    refuses(oneCase({.inputs = {BundledTensorSpec{.sizes = {huge, huge, huge}, .dimOrder = {0, 1, 2}}}}),
            input + ".sizes", "less than 2^63");
    refuses(oneCase({.outputs = {std::monostate(), BundledTensorSpec{.sizes = {3}}}}),
            "method_test_suites[0].test_cases[0].expected_outputs[1].data", "expected 12 bytes");
}

TEST(BundleTest, RefusesMissingParts) {
    BundleSpec spec = oneCase({});
    spec.suites[0].first = "";
    refuses(spec, "method_test_suites[0].method_name", "expected a string");
    spec = oneCase({});
    spec.program.clear();
    refuses(spec, "program", "got no bytes");
}

TEST(BundleTest, OtherFilesAreNamedAsSuch) {
    const auto program = test::parseBytes<Bundle>(test::writeProgram(test::addProgram()));
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().toString(), "test: identifier at offset 4: expected \"BP08\", got \"ET12\"");
    EXPECT_EQ(Bundle::open("/nonexistent/a.bpte").error().code, core::ErrorCode::Io);
}

}  // namespace
}  // namespace et::bundled_program
