#include "app/tasks/compare/thread_curve.h"

#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/operator_curves.h"

#include <algorithm>
#include <utility>

namespace et::tasks {

using inspector::Measurement;

namespace {

/// Operators that occur in every measurement, with their medians.
std::vector<OperatorCurve> operatorCurves(const std::vector<const Measurement*>& measurements) {
    std::vector<OperatorCurve> curves;
    for (OperatorMedians& each : operatorMedians(measurements)) {
        curves.push_back({.name = std::move(each.name),
                          .backend = std::move(each.backend),
                          .medians = std::move(each.medians)});
    }
    return curves;
}

/// Keeps the operators that do not scale to `times` as many threads.
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
        ThreadCurvePoint point{.threads = threadsOf(*each),
                               .median = computeMedian(each->methods.front().total)};
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

}  // namespace et::tasks
