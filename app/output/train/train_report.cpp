#include "app/output/train/train_report.h"

#include "inspector/plot/curve_plot.h"
#include "inspector/plot/frame.h"
#include "inspector/plot/scene.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace et::output {
namespace {

using tasks::ParameterChange;
using tasks::TrainResult;
using tasks::TrainSettings;
using tasks::TrainStep;

constexpr std::int64_t trainSchema = 1;

/// "sgd, learning rate 0.1, momentum 0.9".
std::string optimizerText(const tasks::OptimizerSettings& how) {
    std::string text = fmt::format("{}, learning rate {}", tasks::optimizerName(how.kind), how.learningRate);
    if (how.kind == tasks::OptimizerKind::Sgd && how.momentum != 0) {
        text += fmt::format(", {}momentum {}", how.nesterov ? "Nesterov " : "", how.momentum);
    }
    if (how.weightDecay != 0) {
        text += fmt::format(", weight decay {}", how.weightDecay);
    }
    return text;
}

/// The mean loss of consecutive steps.
struct MeanLoss {
    std::size_t firstStep = 0;
    double loss = 0;
};

/// At most `most` groups of steps.
std::vector<MeanLoss> meanLosses(const std::vector<TrainStep>& steps, std::size_t most) {
    const std::size_t groups = std::min(most, steps.size());
    std::vector<MeanLoss> means;
    for (std::size_t group = 0; group < groups; ++group) {
        const std::size_t first = group * steps.size() / groups;
        const std::size_t end = (group + 1) * steps.size() / groups;
        double sum = 0;
        for (std::size_t i = first; i < end; ++i) {
            sum += steps[i].loss;
        }
        means.push_back({.firstStep = first, .loss = sum / static_cast<double>(end - first)});
    }
    return means;
}

/// Bars from the lowest to the highest loss; "?" for NaN and infinity.
std::string lossBars(const std::vector<TrainStep>& steps) {
    constexpr std::array<std::string_view, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    constexpr std::size_t mostBars = 60;
    const std::vector<MeanLoss> means = meanLosses(steps, mostBars);
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const MeanLoss& mean : means) {
        least = std::isfinite(mean.loss) ? std::min(least, mean.loss) : least;
        most = std::isfinite(mean.loss) ? std::max(most, mean.loss) : most;
    }
    std::string text;
    for (const MeanLoss& mean : means) {
        const double place = most > least ? (mean.loss - least) / (most - least) : 0;
        text +=
            std::isfinite(mean.loss)
                ? bars[static_cast<std::size_t>(std::lround(place * static_cast<double>(bars.size() - 1)))]
                : "?";
    }
    return text;
}

std::string headline(const TrainSettings& settings, const TrainResult& result) {
    const std::string losses =
        result.steps.empty()
            ? std::string("no step finished")
            : fmt::format("loss {:.6g} to {:.6g}", result.steps.front().loss, result.steps.back().loss);
    return fmt::format("{}: {} in {} step{} ({})", core::printable(settings.program.filename().string()),
                       losses, result.steps.size(), plural(result.steps.size()),
                       optimizerText(result.optimizer));
}

Dict optimizerInfo(const tasks::OptimizerSettings& how) {
    Dict info{{"name", std::string(tasks::optimizerName(how.kind))},
              {"learning_rate", how.learningRate},
              {"weight_decay", how.weightDecay}};
    if (how.kind == tasks::OptimizerKind::Sgd) {
        append(info, {{"momentum", how.momentum}, {"dampening", how.dampening}, {"nesterov", how.nesterov}});
    } else {
        append(info, {{"beta1", how.beta1}, {"beta2", how.beta2}, {"epsilon", how.epsilon}});
    }
    return info;
}

/// JSON has no NaN and no infinity.
Cell finiteCell(double number) {
    return std::isfinite(number) ? Cell(number) : Cell();
}

Dict stepInfo(const TrainStep& step) {
    return {{"loss", finiteCell(step.loss)},
            {"gradient_norm", finiteCell(step.gradientNorm)},
            {"time_ms", static_cast<double>(step.nanoseconds) / nanosecondsPerMillisecond}};
}

Dict changeInfo(const ParameterChange& each) {
    return {{"name", each.name},
            {"type", each.type},
            {"norm_before", finiteCell(each.before)},
            {"norm", finiteCell(each.after)},
            {"change", finiteCell(each.change)}};
}

/// Four significant digits.
Cell shortNumber(double number) {
    return fmt::format("{:.4g}", number);
}

}  // namespace

std::string trainText(const TrainSettings& settings, const TrainResult& result, const Style& style) {
    std::string text = headline(settings, result) + "\n";
    if (!result.steps.empty()) {
        text += fmt::format("loss  {}\n", lossBars(result.steps));
    }
    if (result.diverged) {
        text += fmt::format("the loss or a gradient of step {} is not finite: the training ended\n",
                            result.steps.size() - 1);
    }
    Table table{.columns = {textColumn("parameter"), textColumn("type"), numberColumn("norm before"),
                            numberColumn("norm"), numberColumn("change")},
                .indexed = false};
    for (const ParameterChange& each : result.parameters) {
        table.rows.push_back({each.name, each.type, shortNumber(each.before), shortNumber(each.after),
                              shortNumber(each.change)});
    }
    return text + render(table, Format::Table, style);
}

std::string trainJson(const TrainSettings& settings, const TrainResult& result) {
    return jsonDocument(
        trainSchema,
        {{"file", settings.program.string()},
         {"method", result.method},
         {"optimizer", optimizerInfo(result.optimizer)},
         {"batches", std::uint64_t{result.batches}},
         {"diverged", result.diverged},
         {"interrupted", result.interruption == tasks::Interruption::None
                             ? Cell()
                             : Cell(std::string(tasks::infoOf(result.interruption).name))},
         {"checkpoint", settings.checkpoint.empty() ? Cell() : Cell(settings.checkpoint.string())},
         {"steps", listOf(result.steps, stepInfo)},
         {"parameters", listOf(result.parameters, changeInfo)}});
}

std::string trainCsv(const TrainResult& result) {
    Table table{.columns = {numberColumn("step"), numberColumn("loss"), numberColumn("gradient_norm"),
                            numberColumn("time_ms")},
                .indexed = false};
    for (std::size_t i = 0; i < result.steps.size(); ++i) {
        const TrainStep& step = result.steps[i];
        table.rows.push_back({std::uint64_t{i}, step.loss, step.gradientNorm,
                              static_cast<double>(step.nanoseconds) / nanosecondsPerMillisecond});
    }
    return render(table, Format::Csv);
}

std::string trainPicture(const TrainSettings& settings, const TrainResult& result) {
    constexpr double width = 640;
    constexpr double height = 340;
    constexpr inspector::plot::Frame frame{.area = {.x = 80, .y = 52, .width = 530, .height = 230}};
    inspector::plot::Curve curve{.title = headline(settings, result),
                                 .note = "loss of each step's batch, before its update",
                                 .axis = "step",
                                 .measure = Measure::None};
    constexpr std::size_t mostSamples = 500;
    for (const MeanLoss& mean : meanLosses(result.steps, mostSamples)) {
        if (std::isfinite(mean.loss)) {
            curve.samples.push_back({.x = static_cast<double>(mean.firstStep), .y = mean.loss});
        }
    }
    inspector::plot::Scene scene;
    addCurve(scene, frame, curve);
    return inspector::plot::svgText(scene, width, height);
}

}  // namespace et::output
