#include "inspector/comparison/comparison.h"

#include "tests/inspector/comparison/made_up_samples.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace et::inspector {
namespace {

using test::MadeUpSamples;

using test::millisecond;

/// A model of three operators with these times, measured 50 times.
Measurement measured(const std::string& name, std::uint64_t seed, std::array<double, 3> milliseconds) {
    MadeUpSamples made(seed);
    MethodTimes forward{.method = "forward"};
    constexpr std::array names{"conv.out", "relu.out", "linear.out"};
    forward.total.resize(50);
    for (std::size_t i = 0; i < names.size(); ++i) {
        OperatorTimes each{.name = names[i]};
        each.samples = made.noisy(50, milliseconds[i] * millisecond, 0.005);
        for (std::size_t run = 0; run < 50; ++run) {
            forward.total[run] += each.samples[run];
        }
        forward.operators.push_back(std::move(each));
    }
    return {.name = name, .methods = {forward}};
}

std::shared_ptr<const Comparison> compared(Measurement a, Measurement b, const OutputElements& outputs = {}) {
    auto made = compareMeasurements(std::make_shared<Measurement>(std::move(a)),
                                    std::make_shared<Measurement>(std::move(b)), {}, outputs);
    EXPECT_TRUE(made) << made.error().toString();
    return made ? *made : nullptr;
}

TEST(Comparison, SortsByImpact) {
    const auto result = compared(measured("a", 1, {10, 1, 5}), measured("b", 2, {10, 2, 5.4}));
    ASSERT_EQ(result->methods.size(), 1U);
    const auto& rows = result->methods.front().rows;
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].name(), "relu.out");
    EXPECT_EQ(rows[1].name(), "linear.out");
    EXPECT_EQ(rows[0].test.verdict, TimeVerdict::Slower);
    EXPECT_EQ(rows[1].test.verdict, TimeVerdict::Slower);
    EXPECT_EQ(rows[2].test.verdict, TimeVerdict::Same);
    EXPECT_NEAR(rows[0].effect(), millisecond, 0.02 * millisecond);
    EXPECT_EQ(result->methods.front().total.verdict, TimeVerdict::Slower);
    EXPECT_TRUE(result->slower());
    EXPECT_EQ(rows[0].samplesA().size(), 50U);
}

TEST(Comparison, SwappingSidesInvertsTheVerdict) {
    const auto result = compared(measured("b", 2, {10, 2, 5.4}), measured("a", 1, {10, 1, 5}));
    EXPECT_EQ(result->methods.front().total.verdict, TimeVerdict::Faster);
    EXPECT_FALSE(result->slower());
}

TEST(Comparison, AddedAndRemovedOperatorsAreTheirWholeTime) {
    Measurement a = measured("a", 1, {10, 1, 5});
    Measurement b = measured("b", 2, {10, 1, 5});
    a.methods[0].operators.erase(a.methods[0].operators.begin() + 1);
    b.methods[0].operators.erase(b.methods[0].operators.begin());
    const auto result = compared(std::move(a), std::move(b));
    const auto& rows = result->methods.front().rows;
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].alignment, Alignment::Removed);
    EXPECT_EQ(rows[0].b, nullptr);
    EXPECT_NEAR(rows[0].effect(), -10 * millisecond, 0.2 * millisecond);
    EXPECT_EQ(rows[1].alignment, Alignment::Added);
    EXPECT_NEAR(rows[1].effect(), millisecond, 0.02 * millisecond);
    EXPECT_EQ(rows[1].test.verdict, TimeVerdict::Undecided);
    EXPECT_TRUE(rows[1].samplesA().empty());
}

TEST(Comparison, MethodsArePairedByName) {
    Measurement a = measured("a", 1, {1, 1, 1});
    a.methods.push_back(a.methods.front());
    a.methods[1].method = "encode";
    a.methods.push_back(a.methods.front());
    a.methods[2].method = "decode";
    Measurement b = measured("b", 2, {1, 1, 1});
    const auto result = compared(a, b);
    ASSERT_EQ(result->methods.size(), 1U);
    EXPECT_EQ(result->onlyA, (std::vector<std::string>{"encode", "decode"}));
    b.methods.front().method = "Execute";
    a.methods.resize(1);
    EXPECT_EQ(compared(a, b)->methods.size(), 1U) << "a trace alone may not know its method";
}

TEST(Comparison, RejectsIncomparableSides) {
    const auto a = std::make_shared<Measurement>(measured("a", 1, {1, 1, 1}));
    auto ticks = std::make_shared<Measurement>(measured("b", 1, {1, 1, 1}));
    ticks->cycles = true;
    EXPECT_EQ(compareMeasurements(a, ticks).error().code, core::ErrorCode::Mismatch);
    EXPECT_EQ(compareMeasurements(a, std::make_shared<Measurement>()).error().code,
              core::ErrorCode::Mismatch);
    EXPECT_FALSE(compareMeasurements(a, a, {.test = {.threshold = -1}}));
    EXPECT_FALSE(compareMeasurements(a, a, {.test = {.confidence = 1}}));
    EXPECT_FALSE(compareMeasurements(a, a, {.test = {.resamples = 10}}));
}

TEST(Comparison, ListsDifferencesBetweenTheSides) {
    Measurement a = measured("a", 1, {1, 1, 1});
    Measurement b = measured("b", 2, {1, 1, 1});
    a.machine = Machine{.cpu = "one", .cores = 2, .system = "x"};
    b.machine = Machine{.cpu = "other", .cores = 2, .system = "x"};
    a.settings = RunSettings{.threads = 1};
    b.settings = RunSettings{.threads = 4};
    a.warnings = {"careful"};
    const auto result = compared(std::move(a), std::move(b));
    EXPECT_EQ(result->warnings,
              (std::vector<std::string>{"a: careful", "measured on different processors: one against other",
                                        "different numbers of threads: 1 against 4"}));
}

TEST(Comparison, OutputsAreComparedByChecksumOrElements) {
    Measurement a = measured("a", 1, {1, 1, 1});
    Measurement b = measured("b", 2, {1, 1, 1});
    a.outputs = {{.method = "forward", .index = 0, .checksum = "x"},
                 {.method = "forward", .index = 1, .checksum = "y"}};
    b.outputs = a.outputs;
    EXPECT_FALSE(compared(a, b)->outputsDiffer());
    b.outputs[1].checksum = "z";
    EXPECT_TRUE(compared(a, b)->outputsDiffer());
    const std::vector<bundled_program::BundledValue> ofA{1.0, 2.0};
    const std::vector<bundled_program::BundledValue> close{1.0, 2.0 + 1e-6};
    const std::vector<bundled_program::BundledValue> far{1.0, 2.5};
    EXPECT_FALSE(compared(a, b, {.a = ofA, .b = close})->outputsDiffer());
    const auto different = compared(a, b, {.a = ofA, .b = far});
    EXPECT_TRUE(different->outputsDiffer());
    ASSERT_TRUE(different->outputs[1].elements);
    EXPECT_EQ(different->outputs[1].elements->metrics.maxAbsoluteError, 0.5);
}

}  // namespace
}  // namespace et::inspector
