// Tests of the constant methods that divide the outputs of a training method.
#include "runtime/program/training_method.h"

#include "runtime/builder/program_builder.h"
#include "tests/support/parse_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace et::program {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using testing::HasSubstr;

/// Declarations of a method with a loss, two gradients and two parameters.
struct Declarations {
    std::string method = "forward";
    std::int64_t gradients = 1;
    std::int64_t parameters = 3;
    std::vector<std::string> names{"weight", "bias"};
    std::vector<std::int64_t> gradientSizes{2, 3};
    bool hasGradients = true;
    bool hasParameters = true;
    bool hasNames = true;
    bool textIndex = false;
};

void addMethod(ProgramBuilder& program, const Declarations& given) {
    MethodBuilder& method = program.method("forward");
    const std::array<float, 6> zeros{};
    const auto x = method.input({.sizes = {2, 3}});
    const auto weight = method.state({.sizes = {2, 3}}, std::as_bytes(std::span(zeros)));
    const auto bias = method.state({.sizes = {3}}, std::as_bytes(std::span(zeros).first(3)));
    const auto loss = method.intermediate({.sizes = {}});
    const auto gradient = method.intermediate({.sizes = given.gradientSizes});
    const auto biasGradient = method.intermediate({.sizes = {3}});
    method.call("aten::add.out", {x, weight, 1}, {gradient});
    method.call("aten::add.out", {bias, bias, 1}, {biasGradient});
    for (const auto each : {loss, gradient, biasGradient, weight, bias}) {
        method.output(each);
    }
}

std::shared_ptr<const Program> programOf(const Declarations& given) {
    ProgramBuilder program;
    addMethod(program, given);
    const auto named = [&](std::string_view prefix) { return std::string(prefix) + given.method; };
    if (given.hasGradients) {
        MethodBuilder& index = program.method(named("__et_training_gradients_index_"));
        index.output(given.textIndex ? index.text("1") : index.integer(given.gradients));
    }
    if (given.hasParameters) {
        MethodBuilder& index = program.method(named("__et_training_parameters_index_"));
        index.output(index.integer(given.parameters));
    }
    if (given.hasNames) {
        MethodBuilder& list = program.method(named("__et_training_fqn_"));
        for (const std::string& name : given.names) {
            list.output(list.text(name));
        }
    }
    const auto bytes = program.finish();
    EXPECT_TRUE(bytes) << bytes.error().toString();
    return test::parseBytes<Program>(*bytes).value();
}

TEST(TrainingMethod, TellsOutputsApart) {
    const auto program = programOf({});
    const auto found = trainingMethod(*program, program->methods[0]);
    ASSERT_TRUE(found) << found.error().toString();
    ASSERT_TRUE(*found);
    const TrainingMethod& training = **found;
    EXPECT_EQ(training.userOutputs, 1U);
    EXPECT_EQ(training.loss, 0U);
    ASSERT_EQ(training.parameters.size(), 2U);
    EXPECT_EQ(training.parameters[0].name, "weight");
    EXPECT_EQ(training.parameters[0].gradient, 1U);
    EXPECT_EQ(training.parameters[0].parameter, 3U);
    EXPECT_EQ(training.parameters[1].name, "bias");
    EXPECT_EQ(training.parameters[1].gradient, 2U);
    EXPECT_EQ(training.parameters[1].parameter, 4U);
    EXPECT_EQ(training.roles().size(), 5U);
    EXPECT_TRUE(isTrainingDeclaration(program->methods[1]));
    EXPECT_FALSE(isTrainingDeclaration(program->methods[0]));
}

TEST(TrainingMethod, OtherProgramsHaveNone) {
    const auto program = programOf({.hasGradients = false, .hasParameters = false, .hasNames = false});
    const auto found = trainingMethod(*program, program->methods[0]);
    ASSERT_TRUE(found);
    EXPECT_FALSE(*found);
    EXPECT_TRUE(trainingMethods(*program).methods.empty());
    EXPECT_TRUE(trainingMethods(*program).problems.empty());
}

/// Invalid declarations, and parts of the error.
struct Invalid {
    std::string name;
    Declarations given;
    std::string error;
};

void PrintTo(const Invalid& invalid, std::ostream* stream) {
    *stream << invalid.name;
}

class InvalidTraining : public testing::TestWithParam<Invalid> {};

TEST_P(InvalidTraining, IsReported) {
    const auto program = programOf(GetParam().given);
    const TrainingMethods found = trainingMethods(*program);
    EXPECT_TRUE(found.methods.empty());
    ASSERT_FALSE(found.problems.empty());
    EXPECT_EQ(found.problems.front().code, core::ErrorCode::Format);
    EXPECT_THAT(found.problems.front().toString(), HasSubstr(GetParam().error));
}

constexpr std::int64_t hugeIndex = std::numeric_limits<std::int64_t>::max();

INSTANTIATE_TEST_SUITE_P(
    Declarations, InvalidTraining,
    testing::Values(
        Invalid{.name = "negative_index",
                .given = {.gradients = -1},
                .error = "__et_training_gradients_index_forward: expected an index of the 5 outputs, got -1"},
        Invalid{.name = "huge_index",
                .given = {.parameters = hugeIndex},
                .error = "__et_training_parameters_index_forward: expected an index of the 5 outputs, got "
                         "9223372036854775807"},
        Invalid{.name = "lowest_index",
                .given = {.gradients = std::numeric_limits<std::int64_t>::min()},
                .error = "got -9223372036854775808"},
        Invalid{.name = "overlapping",
                .given = {.gradients = 3, .parameters = 1},
                .error = "expected the parameters behind the gradients, which begin at 3, got 1"},
        Invalid{.name = "uneven",
                .given = {.gradients = 2},
                .error = "got 2 names, 1 gradients and 2 parameters"},
        Invalid{
            .name = "too_many_names",
            .given = {.names = {"weight", "bias", "scale"}},
            .error =
                "__et_training_fqn_forward: expected as many names as gradients and parameters, got 3 names"},
        Invalid{.name = "same_names",
                .given = {.names = {"weight", "weight"}},
                .error = "expected different names, got \"weight\" as output 1"},
        Invalid{.name = "empty_name",
                .given = {.names = {"", "bias"}},
                .error = "expected different names, got \"\" as output 0"},
        Invalid{.name = "no_names",
                .given = {.hasNames = false},
                .error = "__et_training_fqn_forward: expected this method"},
        Invalid{.name = "no_gradients",
                .given = {.hasGradients = false},
                .error = "__et_training_gradients_index_forward: expected this method"},
        Invalid{.name = "text_index", .given = {.textIndex = true}, .error = "expected an Int, got String"},
        Invalid{.name = "other_method",
                .given = {.method = "backward"},
                .error = "__et_training_gradients_index_backward: the method whose outputs it declares"}),
    [](const auto& each) { return each.param.name; });

TEST(TrainingMethod, GradientsHaveTheSizesOfTheirParameters) {
    Declarations given;
    given.gradients = 0;  // the loss as a gradient
    given.parameters = 2;
    given.names = {"a", "b", "c"};
    const auto program = programOf(given);
    EXPECT_THAT(trainingMethods(*program).problems.front().toString(), HasSubstr("got 3 names, 2 gradients"));
    const auto other = programOf({.gradientSizes = {1, 3}});
    EXPECT_THAT(trainingMethods(*other).problems.front().toString(),
                HasSubstr("forward: \"weight\": expected a gradient like the parameter, float32 [2, 3], got "
                          "float32 [1, 3]"));
}

}  // namespace
}  // namespace et::program
