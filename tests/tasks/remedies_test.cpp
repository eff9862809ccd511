// Tests that remedies change made-up models whose quantization is bad for one reason each, and leave others
// unchanged.
#include "app/tasks/lab/remedies.h"

#include "app/tasks/lab/case_runs.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/thread_pool.h"
#include "tests/tasks/made_up_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <vector>

namespace et::tasks {
namespace {

using backends::xnnpack::ObserverKind;
using backends::xnnpack::PreparedModel;
using backends::xnnpack::SiteChoice;
using test::MadeUpLayers;

constexpr std::size_t width = 16;

std::vector<float> normalWeights(std::size_t rows, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 0.25F);
    std::vector<float> weights(rows * width);
    for (float& weight : weights) {
        weight = normal(random);
    }
    return weights;
}

/// Two matrix products in which two intermediate channels have 64 times the range of the others.
MadeUpLayers unequalLayers(bool clamp) {
    constexpr float factor = 64;
    std::vector<float> first = normalWeights(width, 1);
    std::vector<float> second = normalWeights(width, 2);
    for (std::size_t i = 0; i < width; ++i) {
        for (const std::size_t channel : {3, 9}) {
            first[channel * width + i] *= factor;
            second[i * width + channel] /= factor;
        }
    }
    MadeUpLayers layers(width);
    layers.linear(first, std::vector<float>(width, 0.1F));
    clamp ? layers.hardtanh() : layers.relu();
    layers.linear(second, std::vector<float>(width, 0.1F));
    return layers;
}

class Remedies : public testing::Test {
  protected:
    void open(const std::shared_ptr<const etrecord::Record>& record, float mean = 0) {
        source = record;
        model = PreparedModel::make(*source, "forward").value();
        cases = MadeUpLayers::cases(width, 32, mean);
        const std::vector<SiteChoice> all(model->sites().size(), {.weight = true, .activations = true});
        remedied = RemediedModel::open(*model, all, cases, ObserverKind::Histogram, options).value();
    }
    [[nodiscard]] double gain() const {
        return *remedied->report().after.sqnrDecibels - *remedied->report().before.sqnrDecibels;
    }
    /// SQNR of the changed float model, without quantizers, against the original.
    [[nodiscard]] double floatDecibels() {
        const auto before = runCases(model->record(), "forward", cases, options).value();
        const auto after = runCases(remedied->model().record(), "forward", cases, options).value();
        return measureOutputError(before, after).sqnrDecibels.value_or(200);
    }

    kernels::ThreadPool threads{1};
    backends::reference::InterpreterOptions options{.kernels = kernels::builtin(), .threads = threads};
    std::shared_ptr<const etrecord::Record> source;
    std::unique_ptr<PreparedModel> model;
    std::vector<CalibrationCase> cases;
    std::unique_ptr<RemediedModel> remedied;
};

TEST_F(Remedies, UnequalChannelsAreEqualized) {
    open(unequalLayers(false).record());
    ASSERT_TRUE(remedied->apply(Remedy::Equalize));
    ASSERT_EQ(remedied->report().pairs.size(), 1U);
    const EqualizedPair& pair = remedied->report().pairs.front();
    EXPECT_TRUE(pair.applied) << pair.rule;
    EXPECT_EQ(pair.maker, "linear_0");
    EXPECT_THAT(pair.readers, testing::ElementsAre("linear_2"));
    EXPECT_GT(gain(), 10);
    // The float model is unchanged except for rounding.
    EXPECT_GT(floatDecibels(), 120);
    // The report matches the record.
    const auto record = remedied->record().value();
    const auto outputs = runCases(*record, "forward", cases, options).value();
    const auto expected = runCases(model->record(), "forward", cases, options).value();
    EXPECT_DOUBLE_EQ(*measureOutputError(expected, outputs).sqnrDecibels,
                     *remedied->report().after.sqnrDecibels);
}

TEST_F(Remedies, AClampForbidsFactors) {
    open(unequalLayers(true).record());
    ASSERT_TRUE(remedied->apply(Remedy::Equalize));
    ASSERT_EQ(remedied->report().pairs.size(), 1U);
    EXPECT_FALSE(remedied->report().pairs.front().applied);
    EXPECT_EQ(remedied->report().pairs.front().clamp, "hardtanh_1");
    EXPECT_EQ(remedied->report().pairs.front().rule,
              "a clamp between them has a bound that is the same for all channels");
    EXPECT_EQ(gain(), 0);
}

TEST_F(Remedies, EqualChannelsStay) {
    MadeUpLayers layers(width);
    layers.linear(std::vector<float>(width * width, 0.1F)).relu().linear(normalWeights(width, 2));
    open(layers.record());
    ASSERT_TRUE(remedied->apply(Remedy::Equalize));
    ASSERT_EQ(remedied->report().pairs.size(), 1U);
    EXPECT_EQ(remedied->report().pairs.front().rule, "the outputs do not improve");
    EXPECT_EQ(&remedied->model(), model.get());
}

/// Weights that all round to 0 next to a large one: if operands have a mean, results lose it.
TEST_F(Remedies, LostMeansGoIntoTheBias) {
    std::vector<float> weights(width * width, 0.003F);
    for (std::size_t i = 0; i < width; ++i) {
        weights[i * width + i] = 1;
    }
    for (const bool biased : {true, false}) {
        MadeUpLayers layers(width);
        layers.linear(weights, biased ? std::vector<float>(width, 0.5F) : std::vector<float>());
        open(layers.record(), 4);
        ASSERT_TRUE(remedied->apply(Remedy::Bias));
        ASSERT_EQ(remedied->report().biases.size(), 1U);
        EXPECT_EQ(remedied->report().biases.front().isNew, !biased);
        ASSERT_EQ(remedied->report().biases.front().shifts.size(), width);
        // Fifteen weights of 0.003 times a mean of 4.
        EXPECT_NEAR(remedied->report().biases.front().shifts[2], -0.18, 0.03);
        EXPECT_GT(gain(), 5);
    }
}

TEST_F(Remedies, ScalesGetTheBestObserver) {
    open(unequalLayers(false).record());
    ASSERT_TRUE(remedied->apply(Remedy::Observers));
    EXPECT_EQ(remedied->report().scales, 3U);
    EXPECT_GE(gain(), 0);
    for (const ChosenObserver& each : remedied->report().observers) {
        EXPECT_NE(each.kind, ObserverKind::Histogram);
    }
    const bool changed = !remedied->report().observers.empty();
    EXPECT_EQ(changed, gain() > 0);
}

TEST_F(Remedies, PythonNumbersAreSites) {
    MadeUpLayers layers(width);
    layers.linear(normalWeights(width, 1)).multiply(0.35);
    open(layers.record());
    ASSERT_EQ(model->sites().size(), 2U);
    EXPECT_EQ(model->sites()[1].kind, backends::xnnpack::SiteKind::Multiply);
    EXPECT_EQ(model->sites()[1].rule, "");
    // Its operand and the scalar.
    EXPECT_THAT(model->sites()[1].operands, testing::SizeIs(2));
    EXPECT_EQ(remedied->numbers().size(), 4U);
    EXPECT_GT(*remedied->report().before.sqnrDecibels, 30);
}

}  // namespace
}  // namespace et::tasks
