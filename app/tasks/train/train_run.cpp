#include "app/tasks/train/train_run.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/train/checkpoint.h"
#include "app/tasks/train/training_data.h"
#include "runtime/core/scalar_type.h"
#include "runtime/kernels/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using core::Result;

constexpr std::size_t comparedElements = 512;

/// Calls `visit` with blocks of the elements at `memory`, which have the dtype and the number of those of
/// `tensor`; never for a dtype that is no real one.
template <class Visit>
void forBlocks(const core::Tensor& tensor, const std::byte* memory, Visit&& visit) {
    const auto load = kernels::elementLoader<double>(tensor.dtype());
    const auto count = load == nullptr ? 0 : static_cast<std::size_t>(tensor.numel());
    std::array<double, comparedElements> numbers{};
    for (std::size_t at = 0; at < count; at += comparedElements) {
        const std::size_t block = std::min(comparedElements, count - at);
        load(memory + (at * tensor.elementSize()), 1, numbers.data(), block);
        visit(std::span<const double>(numbers).first(block));
    }
}

/// Euclidean norm of the elements at `memory`.
double normAt(const core::Tensor& tensor, const std::byte* memory) {
    double squares = 0;
    forBlocks(tensor, memory, [&](std::span<const double> numbers) {
        squares = std::transform_reduce(numbers.begin(), numbers.end(), numbers.begin(), squares);
    });
    return std::sqrt(squares);
}

/// Euclidean norm of the change from the elements at `before`.
double changeFrom(const core::Tensor& tensor, const std::byte* before) {
    double squares = 0;
    forBlocks(tensor, before, [&, at = std::size_t{0}](std::span<const double> numbers) mutable {
        std::array<double, comparedElements> now{};
        kernels::elementLoader<double>(tensor.dtype())(tensor.raw() + at, 1, now.data(), numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            squares += (now[i] - numbers[i]) * (now[i] - numbers[i]);
        }
        at += numbers.size() * tensor.elementSize();
    });
    return std::sqrt(squares);
}

bool areFinite(const std::vector<const core::Tensor*>& gradients) {
    return std::ranges::all_of(
        gradients, [](const core::Tensor* each) { return std::isfinite(normAt(*each, each->raw())); });
}

/// The steps of a training run.
class Training {
  public:
    Training(TrainingModel& trained, TrainingData& batches, const TrainSettings& how, TrainResult& out)
        : opened(trained),
          data(batches),
          settings(how),
          optimizer(out.optimizer),
          random(how.model.seed),
          result(out) {}

    Result<> run(ProgressReporter& watch) {
        for (std::size_t step = 0; step < settings.steps && !result.diverged; ++step) {
            if (InterruptionGuard::requested()) {
                break;
            }
            const std::size_t batch = step % data.batches();
            if (settings.shuffle && batch == 0) {
                data.shuffle(random);
            }
            auto time = opened.model->execute(data.batch(batch));
            if (!time && time.error().code == core::ErrorCode::Cancelled) {
                break;
            }
            ET_ASSIGN(const std::uint64_t nanoseconds, std::move(time));
            ET_TRY(finishStep(nanoseconds));
            watch.step();
            watch.executed(nanoseconds);
        }
        return {};
    }

  private:
    Result<> finishStep(std::uint64_t nanoseconds) {
        TrainStep made{.nanoseconds = nanoseconds};
        ET_ASSIGN(made.loss, lossOf(opened));
        ET_ASSIGN(const auto gradients, gradientsOf());
        result.diverged = !std::isfinite(made.loss) || !areFinite(gradients);
        double squares = 0;
        if (!result.diverged) {
            optimizer.beginStep();
            for (std::size_t i = 0; i < gradients.size(); ++i) {
                auto updated = optimizer.update(i, *opened.parameters[i], *gradients[i]);
                if (!updated) {
                    core::Error error = std::move(updated).error();
                    error.where.field = core::printable(opened.training.parameters[i].name);
                    return std::unexpected(std::move(error));
                }
                squares += *updated;
            }
        }
        made.gradientNorm = result.diverged ? std::nan("") : std::sqrt(squares);
        result.steps.push_back(made);
        return {};
    }

    Result<std::vector<const core::Tensor*>> gradientsOf() const {
        std::vector<const core::Tensor*> gradients;
        for (const program::TrainedParameter& each : opened.training.parameters) {
            const auto* const tensor = opened.model->method->output(each.gradient).as<core::Tensor>();
            if (tensor == nullptr || tensor->raw() == nullptr) {
                return core::fail(
                    core::ErrorCode::Format,
                    fmt::format("expected a tensor as gradient of \"{}\"", core::printable(each.name)));
            }
            gradients.push_back(tensor);
        }
        return gradients;
    }

    TrainingModel& opened;
    TrainingData& data;
    const TrainSettings& settings;
    Optimizer optimizer;
    std::mt19937_64 random;
    TrainResult& result;
};

/// Compares the parameters with their first values.
std::vector<ParameterChange> changesOf(const TrainingModel& opened,
                                       const std::vector<std::vector<std::byte>>& first) {
    std::vector<ParameterChange> changes;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const core::Tensor& tensor = *opened.parameters[i];
        // A program may resize a parameter.
        const std::byte* const before = first[i].size() == tensor.bytes() ? first[i].data() : tensor.raw();
        changes.push_back({.name = std::string(opened.training.parameters[i].name),
                           .type = fmt::format("{} {}", core::scalarTypeName(tensor.dtype()),
                                               core::sizesText(tensor.sizes())),
                           .before = normAt(tensor, before),
                           .after = normAt(tensor, tensor.raw()),
                           .change = changeFrom(tensor, before)});
    }
    return changes;
}

Result<> resumeFrom(const TrainSettings& settings, TrainingModel& opened,
                    const std::function<void(std::string_view)>& note) {
    if (settings.resume.empty()) {
        return {};
    }
    ET_ASSIGN(const std::size_t others, readCheckpoint(settings.resume, opened.training, opened.parameters));
    if (others > 0) {
        note(fmt::format("{}: {} tensors are no parameters of {}", core::printable(settings.resume.string()),
                         others, core::printable(opened.training.method->name)));
    }
    return {};
}

OptimizerSettings optimizerOf(const TrainSettings& settings) {
    OptimizerSettings made = settings.optimizer;
    made.learningRate = settings.learningRate.value_or(usualLearningRate(made.kind));
    return made;
}

}  // namespace

Result<TrainingModel> openTraining(const std::filesystem::path& path, const ModelOptions& options) {
    TrainingModel opened;
    ET_ASSIGN(opened.model, Model::open(path, options, nullptr));
    const program::Program& program = *opened.model->program;
    const program::Method& method = opened.model->method->description();
    ET_ASSIGN(const auto training, program::trainingMethod(program, method));
    const auto unsupported = [&](std::string_view what) {
        return core::fail(core::ErrorCode::Unsupported,
                          fmt::format("method \"{}\" has no {}", core::printable(method.name), what),
                          {.file = program.file->name(), .field = {}, .offset = {}});
    };
    if (!training || training->parameters.empty()) {
        return unsupported("gradients: export it with torch.export.experimental._export_forward_backward()");
    }
    if (!training->loss) {
        return unsupported("loss: expected an output with one floating-point element before the gradients");
    }
    opened.training = *training;
    ET_ASSIGN(opened.parameters, parametersOf(opened.training, *opened.model->method));
    return opened;
}

Result<double> lossOf(const TrainingModel& opened) {
    const auto* const tensor = opened.model->method->output(*opened.training.loss).as<core::Tensor>();
    const auto load = tensor == nullptr ? nullptr : kernels::elementLoader<double>(tensor->dtype());
    if (load == nullptr || tensor->numel() != 1 || tensor->raw() == nullptr) {
        return core::fail(core::ErrorCode::Format, "expected a loss of one floating-point element");
    }
    double loss = 0;
    load(tensor->raw(), 1, &loss, 1);
    return loss;
}

Result<TrainResult> train(const TrainSettings& settings, ProgressReporter& watch,
                          const std::function<void(std::string_view)>& note) {
    // A checkpoint may replace the one that it continues, whose content is copied.
    ET_TRY(refuseToReplace(settings.checkpoint, Model::files(settings.program, settings.model)));
    ET_TRY(checkFoldersOf({settings.checkpoint}));
    ET_ASSIGN(TrainingModel opened, openTraining(settings.program, settings.model));
    ET_TRY(resumeFrom(settings, opened, note));
    ET_ASSIGN(TrainingData data, TrainingData::open(*opened.model, settings.model, note));
    std::vector<std::vector<std::byte>> first;
    for (const core::Tensor* const each : opened.parameters) {
        first.emplace_back(each->rawBytes().begin(), each->rawBytes().end());
    }
    TrainResult result{.method = std::string(opened.training.method->name),
                       .optimizer = optimizerOf(settings),
                       .batches = data.batches()};
    watch.begin("train", settings.steps);
    ET_TRY(Training(opened, data, settings, result).run(watch));
    watch.finish();
    result.parameters = changesOf(opened, first);
    result.interruption = InterruptionGuard::cause();
    if (!settings.checkpoint.empty() && !result.diverged && !result.steps.empty()) {
        ET_TRY(writeCheckpoint(settings.checkpoint, opened.training, opened.parameters));
    }
    return result;
}

}  // namespace et::tasks
