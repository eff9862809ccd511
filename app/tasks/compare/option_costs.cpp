#include "app/tasks/compare/option_costs.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/compare/operator_curves.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/model.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace et::tasks {
namespace {

using backends::xnnpack::LoadOptions;
using backends::xnnpack::WorkspaceSharing;
using core::Result;

constexpr std::size_t mostRounds = 10;

constexpr std::array combinations{
    LoadOptions{},
    LoadOptions{.weightCache = false},
    LoadOptions{.workspaceSharing = WorkspaceSharing::Disabled},
    LoadOptions{.workspaceSharing = WorkspaceSharing::Disabled, .weightCache = false},
    LoadOptions{.workspaceSharing = WorkspaceSharing::Global},
    LoadOptions{.workspaceSharing = WorkspaceSharing::Global, .weightCache = false}};

/// Models loaded with one combination.
struct Round {
    double load = 0;
    double first = 0;
    std::vector<double> times{};
    std::uint64_t packedBytes = 0;
    std::uint64_t workspaceBytes = 0;
};

struct LoadedModel {
    std::unique_ptr<Model> model;
    InputSet inputs;
};

/// Executes every model once and returns the sum of the times; nothing if an end was requested.
Result<std::optional<double>> executeAll(std::span<const LoadedModel> models, ProgressReporter& watch) {
    double sum = 0;
    for (const LoadedModel& each : models) {
        const auto time = each.model->execute(each.inputs);
        if (InterruptionGuard::requested()) {
            return std::nullopt;
        }
        ET_TRY(time);
        watch.executed(*time);
        sum += static_cast<double>(*time);
    }
    watch.step();
    return sum;
}

Result<std::vector<LoadedModel>> loadAll(std::span<const std::filesystem::path> files,
                                         const ModelOptions& options,
                                         const std::function<void(std::string_view)>& note) {
    std::vector<LoadedModel> models;
    for (const auto& file : files) {
        ET_ASSIGN(auto model, Model::open(file, options, nullptr));
        ET_ASSIGN(InputSet inputs, model->inputs(options, note));
        models.push_back({.model = std::move(model), .inputs = std::move(inputs)});
    }
    return models;
}

/// Nothing if an end was requested.
Result<std::optional<Round>> measureRound(std::span<const LoadedModel> models, Repetitions repetitions,
                                          ProgressReporter& watch) {
    Round round;
    for (std::size_t i = 0; i < 1 + repetitions.warmup + repetitions.measured; ++i) {
        ET_ASSIGN(const auto time, executeAll(models, watch));
        if (!time) {
            return std::nullopt;
        }
        if (i == 0) {
            round.first = *time;
        } else if (i > repetitions.warmup) {
            round.times.push_back(*time);
        }
    }
    for (const LoadedModel& each : models) {
        const executor::MemoryReport memory = each.model->method->memory();
        round.load += static_cast<double>(each.model->loadNanoseconds);
        round.packedBytes += memory.packedWeights;
        round.workspaceBytes += memory.workspace;
    }
    return round;
}

double ratio(double value, double base) {
    return base > 0 ? value / base : 1;
}

/// `rounds`: of the combination and of the default options.
OptionCost costOf(const LoadOptions& options, std::span<const Round> rounds, std::span<const Round> usual) {
    OptionCost cost{.options = options,
                    .packedBytes = rounds.back().packedBytes,
                    .workspaceBytes = rounds.back().workspaceBytes};
    const auto medianOf = [](std::span<const Round> from, auto value) {
        std::vector<double> values;
        std::ranges::transform(from, std::back_inserter(values), value);
        return computeMedian(std::move(values));
    };
    const auto time = [](const Round& round) { return computeMedian(round.times); };
    cost.load = medianOf(rounds, &Round::load);
    cost.first = medianOf(rounds, &Round::first);
    cost.median = medianOf(rounds, time);
    std::vector<double> loads;
    std::vector<double> times;
    for (std::size_t i = 0; i < std::min(rounds.size(), usual.size()); ++i) {
        loads.push_back(ratio(rounds[i].load, usual[i].load));
        times.push_back(ratio(time(rounds[i]), time(usual[i])));
    }
    cost.loadRatio = computeMedian(std::move(loads));
    cost.timeRatio = computeMedian(std::move(times));
    return cost;
}

}  // namespace

Result<std::vector<OptionCost>> measureOptionCosts(std::span<const std::filesystem::path> models,
                                                   const ModelOptions& options, Repetitions repetitions,
                                                   ProgressReporter& watch,
                                                   const std::function<void(std::string_view)>& note) {
    const std::size_t count = std::min(mostRounds, std::max<std::size_t>(repetitions.measured, 1));
    repetitions.measured = std::max<std::size_t>(repetitions.measured / count, 1);
    std::array<std::vector<Round>, combinations.size()> rounds;
    watch.begin("run", count * combinations.size() * (1 + repetitions.warmup + repetitions.measured));
    for (std::size_t i = 0; i < count * combinations.size() && !InterruptionGuard::requested(); ++i) {
        const std::size_t which = (i + i / combinations.size()) % combinations.size();
        ModelOptions used = options;
        used.xnnpack = combinations[which];
        const auto quiet = [](std::string_view) {};
        ET_ASSIGN(const auto loaded, i == 0 ? loadAll(models, used, note) : loadAll(models, used, quiet));
        ET_ASSIGN(const auto round, measureRound(loaded, repetitions, watch));
        if (round) {
            rounds[which].push_back(*round);
        }
    }
    std::vector<OptionCost> costs;
    if (std::ranges::any_of(rounds, [](const auto& each) { return each.empty(); })) {
        return costs;
    }
    for (std::size_t i = 0; i < combinations.size(); ++i) {
        costs.push_back(costOf(combinations[i], rounds[i], rounds.front()));
    }
    return costs;
}

}  // namespace et::tasks
