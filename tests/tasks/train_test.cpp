// Tests of training: losses against an independent computation in double precision, checkpoints, data,
// errors, and the check of gradients.
#include "app/samples/net_program.h"
#include "app/samples/nets/nets.h"
#include "app/samples/training.h"
#include "app/tasks/train/gradient_check.h"
#include "app/tasks/train/train_run.h"
#include "inspector/tensor_files/npy.h"
#include "inspector/tensor_files/tensor_file.h"
#include "runtime/builder/program_builder.h"
#include "runtime/program/tensor_data.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Numbers = std::vector<double>;

constexpr std::size_t rows = 16;
constexpr std::size_t inputs = 2;
constexpr std::size_t hidden = 16;
constexpr std::size_t batches = 4;

void writeBytes(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

Numbers numbersOf(core::Bytes bytes) {
    std::vector<float> floats(bytes.size() / sizeof(float));
    std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
    return {floats.begin(), floats.end()};
}

/// The network of the sample `train` and its gradients, computed by hand in double precision.
class Reference {
  public:
    Reference(const program::Program& program, const std::filesystem::path& data) {
        const auto training = program::trainingMethod(program, program.methods[0]).value().value();
        for (const program::TrainedParameter& each : training.parameters) {
            parameters[std::string(each.name)] = numbersOf(training.tensorOf(each.parameter).data);
        }
        const auto tensors = inspector::readTensorFile(data, std::nullopt, 1 << 20).value();
        x = numbersOf(tensors[0].data);
        target = numbersOf(tensors[1].data);
    }

    /// The loss of a batch; sets the gradients.
    double step(std::size_t batch) {
        gradients.clear();
        for (const auto& [name, numbers] : parameters) {
            gradients[name].assign(numbers.size(), 0);
        }
        double loss = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            loss += addRow(x.data() + (batch * rows + row) * inputs, target[batch * rows + row]);
        }
        return loss / rows;
    }

    std::map<std::string, Numbers> parameters;
    std::map<std::string, Numbers> gradients;

  private:
    double addRow(const double* in, double wanted) {
        const Numbers& weight = parameters["hidden.weight"];
        Numbers h(hidden);
        double y = parameters["last.bias"][0];
        for (std::size_t i = 0; i < hidden; ++i) {
            h[i] = std::tanh(weight[i * inputs] * in[0] + weight[i * inputs + 1] * in[1] +
                             parameters["hidden.bias"][i]);
            y += h[i] * parameters["last.weight"][i];
        }
        const double error = 2 * (y - wanted) / rows;
        gradients["last.bias"][0] += error;
        for (std::size_t i = 0; i < hidden; ++i) {
            gradients["last.weight"][i] += error * h[i];
            const double inner = error * parameters["last.weight"][i] * (1 - h[i] * h[i]);
            gradients["hidden.bias"][i] += inner;
            gradients["hidden.weight"][i * inputs] += inner * in[0];
            gradients["hidden.weight"][i * inputs + 1] += inner * in[1];
        }
        return (y - wanted) * (y - wanted);
    }

    Numbers x;
    Numbers target;
};

class Train : public testing::Test {
  protected:
    void SetUp() override {
        const auto files = samples::makeTraining().value();
        for (const samples::SampleFile& file : files) {
            writeBytes(scratch.path() / file.name, file.bytes);
        }
        settings.program = scratch.path() / "train.pte";
        settings.model.inputs = {(scratch.path() / "train_data.npz").string()};
        settings.learningRate = 0.1;
        settings.steps = 50;
    }

    core::Result<TrainResult> run(const TrainSettings& with) {
        notes.clear();
        ProgressReporter watch({.mode = ProgressMode::None}, std::nullopt);
        return train(with, watch, [this](std::string_view line) { notes.emplace_back(line); });
    }
    std::string errorOf(const TrainSettings& with) {
        const auto result = run(with);
        return result ? "no error" : result.error().toString();
    }
    static Numbers lossesOf(const TrainResult& result) {
        Numbers losses;
        for (const TrainStep& step : result.steps) {
            losses.push_back(step.loss);
        }
        return losses;
    }
    /// Writes float arrays as a file of --input.
    std::string npyFile(const std::string& name, const std::vector<std::int64_t>& sizes) {
        std::int64_t count = 1;
        for (const std::int64_t size : sizes) {
            count *= size;
        }
        std::vector<float> numbers(static_cast<std::size_t>(count), 0.5F);
        const auto view = core::Tensor::make(core::ScalarType::Float, sizes,
                                             std::as_writable_bytes(std::span(numbers)).data())
                              .value();
        writeBytes(scratch.path() / name, inspector::writeNpy(view).value());
        return (scratch.path() / name).string();
    }

    test::ScratchFolder scratch;
    TrainSettings settings;
    std::vector<std::string> notes;
};

/// Updates of the reference, as the optimizer's definition states them.
using Update = std::function<void(Reference&, std::size_t step)>;

void forEachNumber(Reference& reference,
                   const std::function<void(double& parameter, double gradient, std::size_t number)>& visit) {
    std::size_t number = 0;
    for (auto& [name, numbers] : reference.parameters) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            visit(numbers[i], reference.gradients[name][i], number++);
        }
    }
}

class TrainWith : public Train {
  protected:
    void expectReference(const Update& update) {
        const auto result = run(settings);
        ASSERT_TRUE(result) << result.error().toString();
        ASSERT_EQ(result->steps.size(), settings.steps);
        const auto program = program::Program::open(settings.program).value();
        Reference reference(*program, settings.model.inputs[0]);
        for (std::size_t step = 0; step < settings.steps; ++step) {
            const double wanted = reference.step(step % batches);
            EXPECT_NEAR(result->steps[step].loss, wanted, 1e-5 * wanted) << "step " << step;
            double squares = 0;
            forEachNumber(reference, [&](double&, double g, std::size_t) { squares += g * g; });
            EXPECT_NEAR(result->steps[step].gradientNorm, std::sqrt(squares), 1e-5) << "step " << step;
            update(reference, step);
        }
        EXPECT_LT(result->steps.back().loss, result->steps.front().loss / 2);
    }
};

TEST_F(TrainWith, SgdLowersTheLossAsPredicted) {
    expectReference([](Reference& reference, std::size_t) {
        forEachNumber(reference, [](double& p, double g, std::size_t) { p -= 0.1 * g; });
    });
}

TEST_F(TrainWith, SgdWithNesterovMomentumAndWeightDecay) {
    settings.learningRate = 0.05;
    settings.optimizer.momentum = 0.9;
    settings.optimizer.nesterov = true;
    settings.optimizer.weightDecay = 0.01;
    Numbers average(1000);
    expectReference([&](Reference& reference, std::size_t step) {
        forEachNumber(reference, [&](double& p, double g, std::size_t at) {
            const double direction = g + 0.01 * p;
            average[at] = step == 0 ? direction : 0.9 * average[at] + direction;
            p -= 0.05 * (direction + 0.9 * average[at]);
        });
    });
}

void adamStep(double& p, double g, double& first, double& second, std::size_t step) {
    first = 0.9 * first + 0.1 * g;
    second = 0.999 * second + 0.001 * g * g;
    const auto count = static_cast<double>(step + 1);
    p -= 0.02 * (first / (1 - std::pow(0.9, count))) /
         (std::sqrt(second / (1 - std::pow(0.999, count))) + 1e-8);
}

TEST_F(TrainWith, Adam) {
    settings.optimizer.kind = OptimizerKind::Adam;
    settings.learningRate = 0.02;
    Numbers first(1000);
    Numbers second(1000);
    expectReference([&](Reference& reference, std::size_t step) {
        forEachNumber(reference, [&](double& p, double g, std::size_t at) {
            adamStep(p, g, first[at], second[at], step);
        });
    });
}

TEST_F(TrainWith, AdamWDecaysSeparately) {
    settings.optimizer.kind = OptimizerKind::AdamW;
    settings.learningRate = 0.02;
    settings.optimizer.weightDecay = 0.1;
    Numbers first(1000);
    Numbers second(1000);
    expectReference([&](Reference& reference, std::size_t step) {
        forEachNumber(reference, [&](double& p, double g, std::size_t at) {
            p *= 1 - 0.02 * 0.1;
            adamStep(p, g, first[at], second[at], step);
        });
    });
}

TEST_F(Train, ContinuesFromACheckpoint) {
    const Numbers whole = lossesOf(run(settings).value());
    settings.steps = 20;
    settings.checkpoint = scratch.path() / "half.ptd";
    const Numbers start = lossesOf(run(settings).value());
    settings.steps = 30;
    settings.resume = settings.checkpoint;
    const Numbers rest = lossesOf(run(settings).value());
    Numbers joined = start;
    joined.insert(joined.end(), rest.begin(), rest.end());
    EXPECT_EQ(joined, whole);
    const auto data = program::TensorData::open(settings.checkpoint).value();
    std::vector<std::string> names;
    for (const program::TensorDataEntry& entry : data->entries) {
        names.emplace_back(entry.name);
    }
    EXPECT_THAT(names,
                testing::UnorderedElementsAre("hidden.weight", "hidden.bias", "last.weight", "last.bias"));
    EXPECT_THAT(data->find("hidden.weight")->layout->sizes, ElementsAre(16, 2));
}

TEST_F(Train, ReportsParametersAndBatches) {
    const auto result = run(settings).value();
    EXPECT_EQ(result.method, "forward");
    EXPECT_EQ(result.batches, batches);
    ASSERT_EQ(result.parameters.size(), 4U);
    EXPECT_EQ(result.parameters[0].name, "hidden.weight");
    EXPECT_EQ(result.parameters[0].type, "float32 [16, 2]");
    EXPECT_GT(result.parameters[0].change, 0.01);
    EXPECT_TRUE(notes.empty());
}

TEST_F(Train, ShufflingDependsOnTheSeedOnly) {
    const Numbers inOrder = lossesOf(run(settings).value());
    settings.shuffle = true;
    const Numbers shuffled = lossesOf(run(settings).value());
    EXPECT_NE(shuffled, inOrder);
    EXPECT_EQ(lossesOf(run(settings).value()), shuffled);
    settings.model.seed = 1;
    EXPECT_NE(lossesOf(run(settings).value()), shuffled);
    EXPECT_LT(shuffled.back(), shuffled.front());
}

TEST_F(Train, EndsWhenTheLossIsNotFinite) {
    settings.learningRate = 1e8;
    settings.checkpoint = scratch.path() / "none.ptd";
    const auto result = run(settings).value();
    EXPECT_TRUE(result.diverged);
    EXPECT_LT(result.steps.size(), 50U);
    EXPECT_FALSE(std::filesystem::exists(settings.checkpoint));
}

TEST_F(Train, DividesDataIntoBatches) {
    // An additional dimension counts batches; rows that do not fill one are reported.
    settings.model.inputs = {npyFile("x.npy", {3, 16, 2}), npyFile("t.npy", {3, 16, 1})};
    EXPECT_EQ(run(settings).value().batches, 3U);
    settings.model.inputs = {npyFile("x.npy", {37, 2}), npyFile("t.npy", {37, 1})};
    EXPECT_EQ(run(settings).value().batches, 2U);
    EXPECT_THAT(notes, ElementsAre("the last 5 rows are not used: they do not fill a batch"));
    // One batch of an input is used with all batches of the other.
    settings.model.inputs = {npyFile("x.npy", {64, 2}), npyFile("t.npy", {16, 1})};
    EXPECT_EQ(run(settings).value().batches, 4U);
    settings.model.inputs = {"ones"};
    EXPECT_EQ(run(settings).value().batches, 1U);
}

TEST_F(Train, RejectsDataThatDoNotFit) {
    settings.model.inputs = {npyFile("x.npy", {64, 2})};
    EXPECT_THAT(errorOf(settings), HasSubstr("expected 2 tensors in the files of --input"));
    settings.model.inputs = {npyFile("x.npy", {64, 3}), npyFile("t.npy", {64, 1})};
    EXPECT_THAT(errorOf(settings),
                HasSubstr("inputs[0]: expected rows for float32 [16, 2], got float32 [64, 3]"));
    settings.model.inputs = {npyFile("x.npy", {8, 2}), npyFile("t.npy", {8, 1})};
    EXPECT_THAT(errorOf(settings), HasSubstr("got float32 [8, 2]"));
    settings.model.inputs = {npyFile("x.npy", {64, 2}), npyFile("t.npy", {32, 1})};
    EXPECT_THAT(errorOf(settings), HasSubstr("inputs[1]: expected 4 batches in each file"));
}

TEST_F(Train, RejectsCheckpointsOfOtherModels) {
    settings.checkpoint = scratch.path() / "other.ptd";
    settings.steps = 1;
    samples::Net net = samples::twoLayersNet();
    for (samples::Attribute& each : net.attributes) {
        each.target = each.target == "last.bias" ? "last.offset" : each.target;
    }
    const auto program = samples::makeProgram(net).value();
    const std::filesystem::path original = settings.program;
    settings.program = scratch.path() / "other.pte";
    writeBytes(settings.program, program);
    ASSERT_TRUE(run(settings));
    settings.program = original;
    settings.resume = settings.checkpoint;
    EXPECT_THAT(
        errorOf(settings),
        HasSubstr("other.ptd: expected the parameter \"last.bias\", float32 [1]: this file belongs to "
                  "another model"));
    settings.resume = settings.program;
    EXPECT_THAT(errorOf(settings), HasSubstr("train.pte"));
}

TEST_F(Train, NeedsGradients) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const auto x = method.input({.sizes = {1}});
    const auto y = method.intermediate({.sizes = {1}});
    method.call("aten::relu.out", {x}, {y});
    method.output(y);
    writeBytes(scratch.path() / "plain.pte", program.finish().value());
    settings.program = scratch.path() / "plain.pte";
    EXPECT_THAT(errorOf(settings), HasSubstr("plain.pte: method \"forward\" has no gradients"));
}

/// A program whose parameter is a constant.
TEST_F(Train, NeedsParametersThatCanChange) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const std::array<float, 1> one{1};
    const auto x = method.input({.sizes = {1}});
    const auto weight = method.constant({.sizes = {1}}, std::span<const float>(one));
    const auto loss = method.intermediate({.sizes = {1}});
    const auto gradient = method.intermediate({.sizes = {1}});
    method.call("aten::mul.out", {x, weight}, {loss});
    method.call("aten::relu.out", {x}, {gradient});
    for (const auto each : {loss, gradient, weight}) {
        method.output(each);
    }
    const auto declare = [&](const char* name, std::int64_t index) {
        builder::MethodBuilder& made = program.method(name);
        made.output(made.integer(index));
    };
    declare("__et_training_gradients_index_forward", 1);
    declare("__et_training_parameters_index_forward", 2);
    builder::MethodBuilder& names = program.method("__et_training_fqn_forward");
    names.output(names.text("w"));
    writeBytes(scratch.path() / "constant.pte", program.finish().value());
    settings.program = scratch.path() / "constant.pte";
    settings.model.inputs = {"ones"};
    EXPECT_THAT(errorOf(settings), HasSubstr("the parameter \"w\" is a constant of the program"));
}

class CheckGradients : public Train {
  protected:
    GradientCheck check(const samples::Net& net) {
        writeBytes(scratch.path() / "net.pte", samples::makeProgram(net).value());
        ProgressReporter watch({.mode = ProgressMode::None}, std::nullopt);
        const auto made = checkGradients({.program = scratch.path() / "net.pte", .model = {}}, watch,
                                         [](std::string_view) {});
        EXPECT_TRUE(made) << made.error().toString();
        return made.value_or(GradientCheck());
    }
};

TEST_F(CheckGradients, PassesForRightOnes) {
    const GradientCheck checked = check(samples::twoLayersNet());
    EXPECT_TRUE(checked.passed());
    ASSERT_EQ(checked.parameters.size(), 4U);
    for (const ParameterCheck& each : checked.parameters) {
        EXPECT_EQ(each.failed, 0U) << each.name;
        EXPECT_EQ(each.checked, each.name == "last.bias" ? 1U : 16U) << each.name;
        EXPECT_LT(each.unsure, each.checked) << each.name;
    }
}

TEST_F(CheckGradients, NamesTheParameterWithAWrongGradient) {
    samples::Net net = samples::twoLayersNet();
    // The derivative of tanh without its square: 1 - h instead of 1 - h^2.
    const auto square = std::ranges::find_if(net.operations, [](const samples::Operation& each) {
        return each.op == "aten.mul.Tensor" &&
               std::get<samples::TensorId>(each.arguments[0].value) ==
                   std::get<samples::TensorId>(each.arguments[1].value) &&
               each.node != "aten_mul_tensor";
    });
    ASSERT_NE(square, net.operations.end());
    square->op = "aten.relu.default";
    square->kernel = "aten::relu.out";
    square->arguments.pop_back();
    const GradientCheck checked = check(net);
    EXPECT_FALSE(checked.passed());
    ASSERT_EQ(checked.parameters.size(), 4U);
    EXPECT_GT(checked.parameters[0].failed, 0U) << checked.parameters[0].name;
    EXPECT_GT(checked.parameters[1].failed, 0U) << checked.parameters[1].name;
    EXPECT_EQ(checked.parameters[2].failed, 0U) << checked.parameters[2].name;
    EXPECT_EQ(checked.parameters[3].failed, 0U) << checked.parameters[3].name;
}

}  // namespace
}  // namespace et::tasks
