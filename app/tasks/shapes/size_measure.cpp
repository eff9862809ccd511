#include "app/tasks/shapes/size_measure.h"

#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/operator_curves.h"
#include "app/tasks/model/inputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::tasks {

using core::Result;
using inspector::Measurement;

namespace {

double medianTotal(const Measurement& measurement) {
    return measurement.methods.empty() ? 0 : computeMedian(measurement.methods.front().total);
}

}  // namespace

Result<SizeMeasurement> measureSize(const SizeMeasure& what, std::int64_t size, const InputSizes& sizes,
                                    Repetitions repetitions) {
    ModelOptions options = what.options;
    options.inputs.clear();
    for (const std::vector<std::int64_t>& each : sizes) {
        options.inputs.push_back(each.empty() ? "random" : "random:" + sizesWord(each));
    }
    const std::vector<ProgramToMeasure> programs{{.file = what.model, .record = what.options.record}};
    const MeasureOptions measure{
        .iterations = repetitions.measured, .warmup = repetitions.warmup, .launches = 1};
    SizeMeasurement measured{.size = size};
    constexpr int launches = 2;
    for (int i = 0; i < launches; ++i) {
        ET_ASSIGN(std::vector<MeasuredProgram> one,
                  measurePrograms(programs, options, measure, what.progress));
        Measurement& launch = one.front().measurement;
        const double median = medianTotal(launch);
        const std::uint64_t peak = launch.settings ? launch.settings->peakBytes : 0;
        measured.spread = i == 0 ? 0 : std::abs(median - measured.nanoseconds);
        measured.peakBytes = i == 0 ? peak : std::min(measured.peakBytes, peak);
        if (i == 0 || median < measured.nanoseconds) {
            measured.nanoseconds = median;
            measured.measurement = std::move(launch);
        }
    }
    return measured;
}

Repetitions repetitionsFor(double nanoseconds) {
    constexpr double patience = 2e8;
    constexpr double least = 5;
    constexpr double most = 200;
    const double count = std::clamp(patience / std::max(nanoseconds, 1.0), least, most);
    return {.warmup = static_cast<std::size_t>(count / 5), .measured = static_cast<std::size_t>(count)};
}

}  // namespace et::tasks
