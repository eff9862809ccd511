#include "bundled_program/verify.h"

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/registry.h"
#include "runtime/kernels/thread_pool.h"
#include "runtime/program/program.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace et::bundled_program {
namespace {

/// my::count.out: simulates state that a method keeps between executions.
int executions = 0;

core::Result<> countOut(kernels::KernelContext&, const core::Tensor&, core::Tensor& out) {
    *out.mutableData<float>() = static_cast<float>(++executions);
    return {};
}
constexpr kernels::KernelEntry entries[] = {{"my::count.out", kernels::box<&countOut>}};

test::BundledTensorSpec number(float value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    return {.sizes = {1}, .dimOrder = {0}, .data = {bytes.begin(), bytes.end()}};
}

/// A method that returns the number of executions.
test::MethodSpec countingMethod() {
    test::MethodSpec method;
    for (const std::uint64_t offset : {0U, 32U}) {
        method.values.emplace_back(test::TensorSpec{
            .sizes = {1}, .dimOrder = {0}, .allocation = test::AllocationSpec{.arena = 1, .offset = offset}});
    }
    method.inputs = {0};
    method.outputs = {1};
    method.operators = {{"my::count", "out"}};
    method.instructions = {test::KernelSpec{.op = 0, .args = {0, 1}}};
    return method;
}

/// A counting method with one case per expected number.
std::shared_ptr<const Bundle> countingBundle(const std::vector<float>& expected) {
    test::BundleSpec spec{.suites = {{"forward", {}}},
                          .program = test::writeProgram({.methods = {countingMethod()}})};
    for (const float each : expected) {
        spec.suites[0].second.push_back({.inputs = {number(0)}, .outputs = {number(each)}});
    }
    return test::parseBytes<Bundle>(test::writeBundle(spec)).value();
}

class VerifyTest : public testing::Test {
  protected:
    VerifyTest() { registry.add(entries); }

    FileReport run(const std::vector<float>& expected, const VerifyOptions& options = {},
                   const CaseObserver& observe = {}) {
        return runBundle(*countingBundle(expected), options, observe);
    }

    FileReport runBundle(const Bundle& bundle, const VerifyOptions& options = {},
                         const CaseObserver& observe = {}) {
        const auto program = program::Program::parse(bundle.file, bundle.program).value();
        return verify(
            bundle,
            [&] {
                executions = 0;
                return executor::Module(program, {.kernels = registry, .threads = threads});
            },
            options, observe);
    }

    kernels::KernelRegistry registry;
    kernels::ThreadPool threads{1};
};

TEST_F(VerifyTest, RunsCasesInOrderInOneModule) {
    const FileReport report = run({1, 2, 3});
    EXPECT_EQ(report.verdict, Verdict::Pass) << report.message;
    EXPECT_EQ(report.cases.size(), 3U);
}

TEST_F(VerifyTest, SeveralMethodsRunInTheOrderListed) {
    // Two methods over the same counter: the order of the file is 1, 2 for forward and 3 for other.
    test::MethodSpec method = countingMethod();
    test::MethodSpec other = countingMethod();
    other.name = "other";
    test::BundleSpec spec{.suites = {{"forward", {}}, {"other", {}}},
                          .program = test::writeProgram({.methods = {method, other}})};
    spec.suites[0].second = {{.inputs = {number(0)}, .outputs = {number(1)}},
                             {.inputs = {number(0)}, .outputs = {number(3)}}};
    spec.suites[1].second = {{.inputs = {number(0)}, .outputs = {number(2)}}};
    const auto bundle = test::parseBytes<Bundle>(test::writeBundle(spec)).value();
    EXPECT_EQ(
        runBundle(*bundle, {.tolerances = {}, .methods = {"forward", "other", "forward"}, .testCase = {}})
            .message,
        "");
    EXPECT_EQ(runBundle(*bundle, {.tolerances = {}, .methods = {}, .testCase = {}}).verdict, Verdict::Fail);
    EXPECT_EQ(
        runBundle(*bundle, {.tolerances = {}, .methods = {"forward", "other"}, .testCase = {}}).cases.size(),
        3U);
}

TEST_F(VerifyTest, StartsAnewForEachIteration) {
    const FileReport report = run({1, 2}, {.tolerances = {}, .methods = {}, .testCase = {}, .iterations = 3});
    EXPECT_EQ(report.verdict, Verdict::Pass) << report.message;
    EXPECT_EQ(report.cases.size(), 2U);
}

TEST_F(VerifyTest, RunsCasesBeforeTheRequestedCase) {
    const FileReport report = run({9, 9, 3, 9}, {.tolerances = {}, .methods = {"forward"}, .testCase = 2});
    EXPECT_EQ(report.verdict, Verdict::Pass) << report.message;
    ASSERT_EQ(report.cases.size(), 1U);
    EXPECT_EQ(report.cases[0].index, 2U);
    EXPECT_EQ(executions, 3);
}

TEST_F(VerifyTest, ReportsEachCase) {
    std::vector<Verdict> seen;
    const FileReport report =
        run({1, 5, 3}, {}, [&](const CaseReport& each, const TestCase&, executor::Method& method) {
            EXPECT_EQ(each.index, seen.size());
            seen.push_back(each.verdict);
            const auto* output = method.output(0).as<core::Tensor>();
            ASSERT_NE(output, nullptr);
            EXPECT_EQ(*output->data<float>(), static_cast<float>(seen.size()));
        });
    EXPECT_EQ(report.verdict, Verdict::Fail);
    EXPECT_EQ(report.message, "forward, case 1: output 0: element [0] of float32 [1]: expected 5, got 2");
    EXPECT_EQ(seen, (std::vector{Verdict::Pass, Verdict::Fail, Verdict::Pass}));
}

TEST_F(VerifyTest, MissingCasesAreErrors) {
    EXPECT_EQ(run({}).message, "the file has no test cases");
    EXPECT_EQ(run({1}, {.tolerances = {}, .methods = {}, .testCase = 1}).message,
              "no case 1; number of cases: 1");
    EXPECT_EQ(run({1}, {.tolerances = {}, .methods = {"other"}, .testCase = {}}).message,
              "no cases of method \"other\"; available: forward");
}

}  // namespace
}  // namespace et::bundled_program
