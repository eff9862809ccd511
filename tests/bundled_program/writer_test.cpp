#include "bundled_program/writer.h"

#include "bundled_program/bundle.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace et::bundled_program {
namespace {

bool sameTensor(const BundledTensor& left, const BundledTensor& right) {
    return left.scalarType == right.scalarType && left.sizes == right.sizes &&
           left.dimOrder == right.dimOrder && std::ranges::equal(left.data, right.data);
}

bool sameValue(const BundledValue& left, const BundledValue& right) {
    if (const auto* tensor = std::get_if<BundledTensor>(&left)) {
        const auto* other = std::get_if<BundledTensor>(&right);
        return other != nullptr && sameTensor(*tensor, *other);
    }
    if (left.index() != right.index()) {
        return false;
    }
    const auto number = [](const BundledValue& value) {
        return std::visit(
            [](const auto& content) {
                if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(content)>>) {
                    return static_cast<double>(content);
                } else {
                    return 0.0;
                }
            },
            value);
    };
    return number(left) == number(right);
}

void expectSame(const Bundle& actual, core::Bytes program, std::span<const TestSuite> suites) {
    EXPECT_TRUE(std::ranges::equal(actual.program, program));
    ASSERT_EQ(actual.suites.size(), suites.size());
    for (std::size_t i = 0; i < suites.size(); ++i) {
        EXPECT_EQ(actual.suites[i].method, suites[i].method);
        ASSERT_EQ(actual.suites[i].cases.size(), suites[i].cases.size());
        for (std::size_t k = 0; k < suites[i].cases.size(); ++k) {
            EXPECT_TRUE(
                std::ranges::equal(actual.suites[i].cases[k].inputs, suites[i].cases[k].inputs, sameValue));
            EXPECT_TRUE(std::ranges::equal(actual.suites[i].cases[k].expectedOutputs,
                                           suites[i].cases[k].expectedOutputs, sameValue));
        }
    }
}

TEST(BundleWriterTest, ReadsBackAsWritten) {
    const auto program = test::writeProgram(test::addProgram());
    const std::array numbers{1.0F, 2.0F, 3.0F, 4.0F};
    const auto bytes = std::as_bytes(std::span(numbers));
    const BundledTensor square{.scalarType = 6, .sizes = {2, 2}, .dimOrder = {1, 0}, .data = bytes};
    const BundledTensor empty{.scalarType = 4, .sizes = {0}, .dimOrder = {0}, .data = {}};
    const std::vector<TestSuite> suites{
        {.method = "forward",
         .cases = {{.inputs = {square, std::int64_t{-3}, true, 0.5, std::monostate()},
                    .expectedOutputs = {empty}},
                   {.inputs = {}, .expectedOutputs = {square}}}},
        {.method = "encode", .cases = {}}};
    const auto written = writeBundle(program, suites);
    ASSERT_TRUE(written) << written.error().toString();
    const auto bundle = test::parseBytes<Bundle>(*written);
    ASSERT_TRUE(bundle) << bundle.error().toString();
    expectSame(**bundle, program, suites);
    // The program runs in place, so its alignment must be preserved.
    EXPECT_EQ(((*bundle)->program.data() - (*bundle)->file->bytes().data()) % 32, 0);
    EXPECT_EQ(*written, writeBundle(program, suites).value());
}

TEST(BundleWriterTest, FilesBorrowTheProgram) {
    const auto program = test::writeProgram(test::addProgram());
    for (const std::size_t bytes : {program.size(), program.size() - 1, std::size_t{1}}) {
        core::FileContent content;
        content.appendBorrowed(core::Bytes(program).first(bytes));
        const auto file = bundleFile(content, {});
        ASSERT_TRUE(file) << file.error().toString();
        ASSERT_GE(file->pieces().size(), 2U);
        EXPECT_EQ(file->pieces()[1].data(), program.data());
        EXPECT_EQ(file->pieces()[1].size(), bytes);
        EXPECT_EQ(file->size() % 32, 0U);
    }
}

TEST(BundleWriterTest, RejectsValuesUnsupportedByTheFormat) {
    const auto program = test::writeProgram(test::addProgram());
    const auto refusal = [&](const BundledTensor& tensor) {
        const std::vector<TestSuite> suites{
            {.method = "forward", .cases = {{.inputs = {tensor}, .expectedOutputs = {}}}}};
        return writeBundle(program, suites).error().message;
    };
    EXPECT_EQ(refusal({.scalarType = 6, .sizes = {2}, .dimOrder = {0}, .data = {}}),
              "expected 8 bytes of tensor data, got 0");
    EXPECT_EQ(refusal({.scalarType = 0, .sizes = {std::int64_t{1} << 31}, .dimOrder = {0}, .data = {}}),
              "expected sizes that fit 32 bits, got 2147483648");
    EXPECT_EQ(writeBundle({}, {}).error().message, "expected a program to bundle, got no bytes");
}

TEST(BundleWriterTest, RealBundlesRoundTrip) {
    ET_NEEDS_SHARED_DATA();
    const auto paths = test::sharedFiles("programs", ".bpte");
    ASSERT_FALSE(paths.empty());
    for (const auto& path : paths) {
        SCOPED_TRACE(path);
        const auto original = Bundle::open(path).value();
        const auto written = writeBundle(original->program, original->suites);
        ASSERT_TRUE(written) << written.error().toString();
        const auto again = test::parseBytes<Bundle>(*written);
        ASSERT_TRUE(again) << again.error().toString();
        expectSame(**again, original->program, original->suites);
    }
}

}  // namespace
}  // namespace et::bundled_program
