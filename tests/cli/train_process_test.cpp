// Training programs on the command line: how they are shown, trained and checked, and invalid ones.
#include "runtime/builder/program_builder.h"
#include "tests/cli/plugin_models.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class TrainProcess : public testing::Test {
  protected:
    TrainProcess() { EXPECT_EQ(run("sample train -o .").code, 0); }

    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell("et-inspect " + command,
                        {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    /// The JSON document that a command prints.
    element json(const std::string& command) {
        const Outcome outcome = run(command + " --format json");
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        text = simdjson::padded_string(outcome.out);
        return parser.parse(text);
    }
    [[nodiscard]] std::string content(const std::string& file) const {
        std::ifstream stream(scratch.path() / file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    /// Writes a training method with one parameter "w", whose gradient `op` computes; `gradients` and
    /// `parameters` are the declared indices.
    void writeProgramWith(const std::string& file, std::string_view op, std::int64_t gradients,
                          std::int64_t parameters) {
        builder::ProgramBuilder program;
        builder::MethodBuilder& method = program.method("forward");
        const std::array<float, 1> one{1};
        const auto x = method.input({.sizes = {1}});
        const auto weight = method.state({.sizes = {1}}, std::as_bytes(std::span(one)));
        const auto loss = method.intermediate({.sizes = {1}});
        const auto gradient = method.intermediate({.sizes = {1}});
        method.call("aten::mul.out", {x, weight}, {loss});
        method.call(op, {x, weight}, {gradient});
        for (const auto each : {loss, gradient, weight}) {
            method.output(each);
        }
        const auto declare = [&](const char* name, std::int64_t index) {
            builder::MethodBuilder& made = program.method(name);
            made.output(made.integer(index));
        };
        declare("__et_training_gradients_index_forward", gradients);
        declare("__et_training_parameters_index_forward", parameters);
        builder::MethodBuilder& names = program.method("__et_training_fqn_forward");
        names.output(names.text("w"));
        writeBytes(scratch.path() / file, program.finish().value());
    }

    ScratchFolder scratch;
    simdjson::dom::parser parser;
    simdjson::padded_string text;
};

TEST_F(TrainProcess, InfoListsParametersAndGradients) {
    EXPECT_THAT(run("info train.pte").out, AllOf(HasSubstr("training"), HasSubstr("hidden.weight")));
    const element training = json("info train.pte")["training"].at(0);
    EXPECT_EQ(std::string_view(training["method"]), "forward");
    EXPECT_EQ(std::uint64_t(training["loss_output"]), 0U);
    EXPECT_EQ(std::uint64_t(training["user_outputs"]), 2U);
    EXPECT_EQ(std::uint64_t(training["parameter_bytes"]), 4U * (32 + 16 + 16 + 1));
    EXPECT_EQ(std::uint64_t(training["buffers"]), 0U);
    const array parameters = training["parameters"];
    ASSERT_EQ(parameters.size(), 4U);
    EXPECT_EQ(std::string_view(parameters.at(2)["name"]), "last.weight");
    EXPECT_EQ(std::uint64_t(parameters.at(2)["gradient_output"]), 4U);
    EXPECT_EQ(std::uint64_t(parameters.at(2)["parameter_output"]), 8U);
}

TEST_F(TrainProcess, MemoryTensorsAndGraphNameThem) {
    std::vector<std::string> kinds;
    for (const element tensor : array(json("memory train.pte")["methods"].at(0)["tensors"])) {
        kinds.push_back(std::string(std::string_view(tensor["kind"])) + " " +
                        std::string(std::string_view(tensor["name"])));
    }
    EXPECT_EQ(std::ranges::count(kinds, "loss "), 1);
    for (const char* const name : {"hidden.weight", "hidden.bias", "last.weight", "last.bias"}) {
        EXPECT_EQ(std::ranges::count(kinds, std::string("gradient ") + name), 1) << name;
        EXPECT_EQ(std::ranges::count(kinds, std::string("parameter ") + name), 1) << name;
    }
    EXPECT_THAT(run("tensors train.pte").out, HasSubstr("last.bias"));
    EXPECT_EQ(run("graph train.pte -o graph.svg").code, 0);
    EXPECT_THAT(content("graph.svg"),
                AllOf(HasSubstr("training: loss"), HasSubstr("gradient of hidden.weight")));
}

TEST_F(TrainProcess, TrainsAndContinues) {
    const Outcome first =
        run("train train.pte --input train_data.npz --steps 50 --lr 0.1 --checkpoint a.ptd --svg loss.svg");
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.out, AllOf(HasSubstr("in 50 steps (sgd, learning rate 0.1)"), HasSubstr("▁"),
                                 HasSubstr("hidden.weight")));
    EXPECT_THAT(content("loss.svg"), AllOf(StartsWith("<svg"), HasSubstr("loss of each step")));
    EXPECT_THAT(run("info a.ptd").out, HasSubstr("last.weight"));
    const element second = json(
        "train train.pte --input train_data.npz --resume a.ptd --optimizer adam "
        "--steps 20 --checkpoint a.ptd");
    const array steps = second["steps"];
    ASSERT_EQ(steps.size(), 20U);
    EXPECT_LT(double(steps.at(19)["loss"]), 0.2);
    EXPECT_EQ(std::string_view(second["optimizer"]["name"]), "adam");
    EXPECT_EQ(std::uint64_t(second["batches"]), 4U);
    const std::string csv = run("train train.pte --input train_data.npz --steps 5 --format csv").out;
    EXPECT_THAT(csv, StartsWith("step,loss,gradient_norm,time_ms\n0,"));
    EXPECT_EQ(std::ranges::count(csv, '\n'), 6);
}

TEST_F(TrainProcess, ChecksGradients) {
    const Outcome checked = run("verify --gradients train.pte");
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
    EXPECT_THAT(checked.out, AllOf(HasSubstr("hidden.weight"), HasSubstr("1 program: 1 pass, 0 do not")));
    writeProgramWith("wrong.pte", "aten::maximum.out", 1, 2);
    const Outcome wrong = run("verify --gradients wrong.pte --format json");
    EXPECT_EQ(wrong.code, 1) << wrong.err;
    EXPECT_THAT(wrong.out, HasSubstr(R"("verdict": "fail")"));
}

TEST_F(TrainProcess, ADivergingTrainingFails) {
    const Outcome outcome = run("train train.pte --input train_data.npz --lr 1e8 --checkpoint a.ptd");
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("is not finite: the training ended"));
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "a.ptd"));
}

TEST_F(TrainProcess, InvalidDeclarationsAreReported) {
    writeProgramWith("negative.pte", "aten::mul.out", -3, 2);
    const std::string problem =
        "__et_training_gradients_index_forward: expected an index of the 3 outputs, got -3";
    EXPECT_THAT(run("info negative.pte").out, HasSubstr(problem));
    const Outcome trained = run("train negative.pte --input ones");
    EXPECT_EQ(trained.code, 3) << trained.err;
    EXPECT_THAT(trained.err, HasSubstr(problem));
    EXPECT_THAT(run("findings negative.pte").out, HasSubstr("gradients cannot be told apart"));
    EXPECT_EQ(run("memory negative.pte").code, 0);
    EXPECT_EQ(run("graph negative.pte -o graph.dot").code, 0);
    writeProgramWith("swapped.pte", "aten::mul.out", 2, 1);
    EXPECT_THAT(run("train swapped.pte --input ones").err,
                HasSubstr("expected the parameters behind the gradients, which begin at 2, got 1"));
    writeProgramWith("huge.pte", "aten::mul.out", 1, std::int64_t{1} << 62);
    EXPECT_THAT(run("verify --gradients huge.pte").out, HasSubstr("got 4611686018427387904"));
}

/// Operators that only this runtime has are named before the program reaches a device.
TEST_F(TrainProcess, FitNamesMissingBackwardOperators) {
    writeProgramWith("tanh.pte", "aten::tanh_backward.grad_input", 1, 2);
    EXPECT_EQ(run("run tanh.pte --input 0.5").code, 0);
    std::ofstream(scratch.path() / "operators.txt") << "aten::mul.out\n";
    const Outcome fit = run("fit tanh.pte --runtime operators.txt");
    EXPECT_EQ(fit.code, 1) << fit.out << fit.err;
    EXPECT_THAT(fit.out, HasSubstr("aten::tanh_backward.grad_input"));
    EXPECT_THAT(run("findings tanh.pte").out, HasSubstr("aten::tanh_backward.grad_input"));
    EXPECT_THAT(run("info --compatibility tanh.pte").out, HasSubstr("aten::tanh_backward.grad_input"));
}

}  // namespace
}  // namespace et::test
