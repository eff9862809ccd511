#include "inspector/comparison/comparison.h"
#include "inspector/session/session.h"
#include "tests/support/generated_trace.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

namespace et::inspector {
namespace {

namespace fs = std::filesystem;

Measurement measure(const fs::path& trace, const fs::path& record = {},
                    TimeScale target = TimeScale::Nanoseconds) {
    auto session = Session::open({.trace = trace, .record = record, .debugBuffer = {}}, {.target = target});
    EXPECT_TRUE(session) << session.error().toString();
    return session ? makeMeasurement(*(*session)->blocks, trace.string()) : Measurement();
}

TEST(Measurement, HasEveryRunOfEveryOperator) {
    const test::GeneratedTraceFile trace(7, 40);
    const Measurement measured = measure(trace.path());
    ASSERT_EQ(measured.methods.size(), 1U);
    const MethodTimes& method = measured.methods.front();
    EXPECT_TRUE(method.totalMeasured);
    EXPECT_EQ(method.total.size(), 7U);
    EXPECT_FALSE(method.operators.empty());
    for (const OperatorTimes& each : method.operators) {
        EXPECT_EQ(each.samples.size(), 7U) << each.name;
        EXPECT_FALSE(each.name.starts_with("native_call_"));
        EXPECT_NE(each.name, "OPERATOR_CALL");
    }
    EXPECT_TRUE(
        std::ranges::contains(method.operators, OperatorKind::DelegatedOperator, &OperatorTimes::kind));
}

TEST(Measurement, DoesNotDependOnTheUnitOfTheBlocks) {
    const test::GeneratedTraceFile trace(5, 40);
    EXPECT_EQ(measure(trace.path()), measure(trace.path(), {}, TimeScale::Milliseconds));
    EXPECT_EQ(measure(trace.path()), measure(trace.path(), {}, TimeScale::Seconds));
}

TEST(Measurement, FirstExecutionsCanBeLeftOut) {
    const test::GeneratedTraceFile trace(6, 20);
    auto session = Session::open({.trace = trace.path(), .record = {}, .debugBuffer = {}});
    ASSERT_TRUE(session);
    const Measurement all = makeMeasurement(*(*session)->blocks, "x");
    const Measurement rest = makeMeasurement(*(*session)->blocks, "x", 2);
    ASSERT_EQ(rest.methods.front().total.size(), 4U);
    EXPECT_TRUE(
        std::ranges::equal(rest.methods.front().total, std::span(all.methods.front().total).subspan(2)));
    EXPECT_TRUE(makeMeasurement(*(*session)->blocks, "x", 99).methods.empty());
}

/// A prefill takes longer than a decode step, so they are no samples of one time.
TEST(Measurement, PhasesOfALanguageModelAreMeasuredLikeMethods) {
    ET_NEEDS_SHARED_DATA();
    const auto trace = test::sharedData() / "llm" / "traces" / "portable_fp32.etdp";
    const auto session = Session::open({.trace = trace, .record = {}, .debugBuffer = {}}, {.byPhase = true});
    ASSERT_TRUE(session) << session.error().toString();
    ASSERT_TRUE((*session)->blocks->phases().known());
    const Measurement measured = makeMeasurement(*(*session)->blocks, "x");
    ASSERT_EQ(measured.methods.size(), 2U);
    EXPECT_EQ(measured.methods[0].method, "Execute, prefill");
    EXPECT_EQ(measured.methods[0].total.size(), 1U);
    EXPECT_EQ(measured.methods[1].method, "Execute, decode");
    EXPECT_EQ(measured.methods[1].total.size(), 8U);
}

TEST(Measurement, RealTracesComparedWithThemselvesAreTheSame) {
    ET_NEEDS_SHARED_DATA();
    std::size_t compared = 0;
    for (const fs::path& trace : test::sharedFiles("traces", ".etdp")) {
        const auto measured = std::make_shared<Measurement>(measure(trace));
        ASSERT_FALSE(measured->methods.empty()) << trace;
        const auto result = compareMeasurements(measured, measured);
        ASSERT_TRUE(result) << trace << result.error().toString();
        EXPECT_FALSE((*result)->slower()) << trace;
        for (const MethodComparison& method : (*result)->methods) {
            EXPECT_EQ(method.rows.size(), method.a->operators.size()) << trace;
            for (const ComparisonRow& row : method.rows) {
                EXPECT_TRUE(row.a == row.b) << trace << ": " << row.name();
            }
        }
        ++compared;
    }
    EXPECT_GT(compared, 10U);
}

TEST(Measurement, ARecordAlignsByHandle) {
    ET_NEEDS_SHARED_DATA();
    const fs::path data = test::sharedData();
    const fs::path trace = data / "traces/mobilenet_v2_small_portable/trace.etdp";
    const fs::path record = data / "programs/mobilenet_v2_small/portable.etrecord";
    const auto measured = std::make_shared<Measurement>(measure(trace, record));
    const auto result = compareMeasurements(measured, measured);
    ASSERT_TRUE(result);
    const auto& rows = (*result)->methods.front().rows;
    EXPECT_GT(std::ranges::count(rows, Alignment::DebugHandle, &ComparisonRow::alignment),
              static_cast<std::ptrdiff_t>(rows.size() / 2));
}

// Compares a model as portable and delegated programs: operators of only one are listed, and the total is
// faster.
TEST(Measurement, PortableAgainstDelegated) {
    ET_NEEDS_SHARED_DATA();
    const fs::path data = test::sharedData();
    const auto portable =
        std::make_shared<Measurement>(measure(data / "traces/mobilenet_v2_small_portable/trace.etdp"));
    const auto delegated =
        std::make_shared<Measurement>(measure(data / "traces/mobilenet_v2_small_xnnpack/trace.etdp"));
    const auto result = compareMeasurements(portable, delegated);
    ASSERT_TRUE(result);
    const MethodComparison& method = (*result)->methods.front();
    EXPECT_LT(method.total.medianB, method.total.medianA);
    EXPECT_TRUE(std::ranges::contains(method.rows, Alignment::Added, &ComparisonRow::alignment));
    EXPECT_TRUE(std::ranges::contains(method.rows, Alignment::Removed, &ComparisonRow::alignment));
}

}  // namespace
}  // namespace et::inspector
