#include "app/tasks/compare/thread_curve.h"

#include "app/tasks/compare/measured_program.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace et::app {

using inspector::Measurement;
using inspector::OperatorKind;
using inspector::OperatorTimes;

namespace {

double medianOf(std::vector<double> samples) {
    if (samples.empty()) {
        return 0;
    }
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle);
    return *middle;
}

/// What tells an operator from the others of its run: kind, place, name, and how many such came before.
using OperatorKey = std::tuple<OperatorKind, std::int64_t, core::InstructionId, std::string, std::size_t>;

/// Calls of delegates whose operators are there do not count beside these.
std::map<OperatorKey, const OperatorTimes*> operatorsOf(const Measurement& measurement) {
    std::map<OperatorKey, const OperatorTimes*> all;
    if (measurement.methods.empty()) {
        return all;
    }
    const std::vector<OperatorTimes>& operators = measurement.methods.front().operators;
    const auto hasParts = [&](const OperatorTimes& call) {
        return std::ranges::any_of(operators, [&](const OperatorTimes& part) {
            return part.kind == OperatorKind::DelegatedOperator && part.chain == call.chain &&
                   part.instruction == call.instruction;
        });
    };
    for (const OperatorTimes& each : operators) {
        const bool counts = each.kind == OperatorKind::Kernel ||
                            each.kind == OperatorKind::DelegatedOperator ||
                            (each.kind == OperatorKind::DelegateCall && !hasParts(each));
        std::size_t before = 0;
        while (counts &&
               !all.try_emplace({each.kind, each.chain, each.instruction, each.name, before}, &each).second) {
            ++before;
        }
    }
    return all;
}

/// Operators that every measurement has, with their medians.
std::vector<OperatorCurve> operatorCurves(const std::vector<const Measurement*>& measurements) {
    std::vector<std::map<OperatorKey, const OperatorTimes*>> known;
    std::ranges::transform(measurements, std::back_inserter(known),
                           [](const Measurement* each) { return operatorsOf(*each); });
    std::vector<OperatorCurve> curves;
    for (const auto& [key, first] : known.front()) {
        OperatorCurve curve{.name = first->name, .backend = first->backend};
        for (const auto& operators : known) {
            const auto found = operators.find(key);
            if (found == operators.end()) {
                break;
            }
            curve.medians.push_back(medianOf(found->second->samples));
        }
        if (curve.medians.size() == measurements.size()) {
            curves.push_back(std::move(curve));
        }
    }
    return curves;
}

/// Keeps those that do not scale to `times` as many threads.
void keepNotScaling(std::vector<OperatorCurve>& curves, double times) {
    constexpr double leastShare = 0.01;
    double sum = 0;
    for (const OperatorCurve& curve : curves) {
        sum += curve.medians.back();
    }
    for (OperatorCurve& curve : curves) {
        const double first = curve.medians.front();
        const double last = curve.medians.back();
        curve.speedup = last > 0 ? first / last : 0;
        curve.share = sum > 0 ? last / sum : 0;
        curve.lost = std::max(0.0, last - first / times);
    }
    std::erase_if(curves, [&](const OperatorCurve& curve) {
        const bool scales = curve.speedup - 1 >= (times - 1) / 2;
        return scales || curve.share < leastShare;
    });
    std::ranges::stable_sort(curves, std::ranges::greater{}, &OperatorCurve::lost);
}

std::size_t threadsOf(const Measurement& measurement) {
    return measurement.settings ? static_cast<std::size_t>(measurement.settings->threads) : 0;
}

}  // namespace

ThreadCurve threadCurve(std::string file, std::span<const Measurement> measurements) {
    ThreadCurve curve{.file = std::move(file)};
    std::vector<const Measurement*> sorted;
    for (const Measurement& each : measurements) {
        if (threadsOf(each) > 0 && !each.methods.empty()) {
            sorted.push_back(&each);
        }
    }
    std::ranges::stable_sort(sorted, {}, [](const Measurement* each) { return threadsOf(*each); });
    for (const Measurement* each : sorted) {
        ThreadCurvePoint point{.threads = threadsOf(*each), .median = medianOf(each->methods.front().total)};
        if (!curve.points.empty() && point.median > 0) {
            const ThreadCurvePoint& first = curve.points.front();
            point.speedup = first.median / point.median;
            point.efficiency =
                point.speedup * static_cast<double>(first.threads) / static_cast<double>(point.threads);
        }
        curve.points.push_back(point);
    }
    if (curve.points.size() > 1) {
        const double times = static_cast<double>(curve.points.back().threads) /
                             static_cast<double>(curve.points.front().threads);
        curve.notScaling = operatorCurves(sorted);
        keepNotScaling(curve.notScaling, times);
    }
    return curve;
}

core::Result<ThreadCurve> measureThreadCurve(const std::filesystem::path& file, const ModelOptions& options,
                                             std::span<const std::size_t> threads, Repetitions repetitions,
                                             const ProgressOptions& progress) {
    std::vector<Measurement> measurements;
    for (const std::size_t count : threads) {
        ModelOptions with = options;
        with.threads = count;
        const std::vector<ProgramToMeasure> programs{{.file = file, .record = {}}};
        ET_ASSIGN(
            std::vector<MeasuredProgram> measured,
            measurePrograms(programs, with,
                            {.iterations = repetitions.measured, .warmup = repetitions.warmup, .launches = 1},
                            progress));
        measurements.push_back(std::move(measured.front().measurement));
        if (measurements.back().settings) {
            measurements.back().settings->threads = count;
        }
    }
    return threadCurve(file.string(), measurements);
}

}  // namespace et::app
