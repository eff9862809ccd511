// Tests of the one-line summary of a comparison.
#include "inspector/comparison/headline.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace et::inspector {
namespace {

constexpr double microsecond = 1000;

std::vector<double> runsOf(double middle) {
    std::vector<double> runs;
    for (int i = 0; i < 20; ++i) {
        runs.push_back((middle + 0.001 * i) * microsecond);
    }
    return runs;
}

struct Side {
    std::vector<double> operators;  ///< microseconds
    double total = 0;
    const char* backend = "conv.out";
};

std::shared_ptr<const Measurement> measured(const Side& side) {
    auto made = std::make_shared<Measurement>();
    MethodTimes method{.method = "forward", .total = runsOf(side.total)};
    for (std::size_t i = 0; i < side.operators.size(); ++i) {
        OperatorTimes& times = method.operators.emplace_back();
        times.name = side.backend;
        times.chain = 0;
        times.instruction = core::InstructionId(static_cast<std::int32_t>(i));
        times.module = "layer." + std::to_string(i);
        times.samples = runsOf(side.operators[i]);
    }
    made->methods.push_back(std::move(method));
    return made;
}

std::string headlineOf(const Side& a, const Side& b) {
    const auto comparison = compareMeasurements(measured(a), measured(b));
    return comparison ? headline(**comparison) : comparison.error().toString();
}

TEST(Headline, NamesFactorTimesAndOperators) {
    EXPECT_EQ(headlineOf({.operators = {100, 100, 100}, .total = 345},
                         {.operators = {220, 220, 220}, .total = 716}),
              "B is 2.1 times slower, 345.0 µs → 716.0 µs; 3 of 3 operators slower, no single cause");
}

TEST(Headline, NamesTheOperatorThatCausesMostOfTheChange) {
    EXPECT_EQ(
        headlineOf({.operators = {100, 100, 100}, .total = 345}, {.operators = {100, 40, 100}, .total = 285}),
        "B is 17.4 % faster, 345.0 µs → 285.0 µs; 1 of 3 operators faster, mostly conv · layer.1 (-60.00 "
        "µs)");
}

TEST(Headline, ReportsThatNoOperatorsMatch) {
    EXPECT_EQ(headlineOf({.operators = {345}, .total = 345},
                         {.operators = {1000, 1000}, .total = 45'800, .backend = "XnnpackBackend"}),
              "B is 133 times slower, 345.0 µs → 45.80 ms; no operators in common");
}

TEST(Headline, ReportsEqualTimes) {
    EXPECT_EQ(headlineOf({.operators = {100}, .total = 345}, {.operators = {100}, .total = 345}),
              "A and B take the same time, 345.0 µs → 345.0 µs");
}

TEST(Headline, ReportsThatTheChangeIsUndecided) {
    auto one = std::make_shared<Measurement>();
    one->methods.push_back({.method = "forward", .total = {345 * microsecond}});
    auto other = std::make_shared<Measurement>();
    other->methods.push_back({.method = "forward", .total = {400 * microsecond}});
    const auto comparison = compareMeasurements(one, other);
    ASSERT_TRUE(comparison);
    EXPECT_EQ(headline(**comparison), "Undecided, 345.0 µs → 400.0 µs: too few runs or too much noise");
}

}  // namespace
}  // namespace et::inspector
