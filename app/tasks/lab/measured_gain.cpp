#include "app/tasks/lab/measured_gain.h"

#include "inspector/comparison/comparison.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace et::tasks {

core::Result<MeasuredGain> measureGain(const ProgramToMeasure& first, const ProgramToMeasure& second,
                                       const ModelOptions& options, const MeasureOptions& measure,
                                       const ProgressOptions& progress) {
    using inspector::Measurement;
    const std::array programs{first, second};
    ET_ASSIGN(auto measured, measurePrograms(programs, options, measure, progress));
    ET_ASSIGN(const auto comparison,
              inspector::compareMeasurements(
                  std::make_shared<const Measurement>(std::move(measured[0].measurement)),
                  std::make_shared<const Measurement>(std::move(measured[1].measurement))));
    const inspector::TimeTest& total = comparison->methods.front().total;
    const inspector::Interval saved{.low = -total.differenceInterval.high,
                                    .high = -total.differenceInterval.low};
    return MeasuredGain{.nanoseconds = -total.difference, .interval = saved, .isCertain = !saved.contains(0)};
}

MeasureOptions gainRepetitions(double nanoseconds, std::size_t launches) {
    constexpr double patience = 2e8;  // nanoseconds, per program
    constexpr double least = 24;
    constexpr double most = 1000;
    const double count = std::clamp(patience / std::max(nanoseconds, 1.0), least, most);
    return {.iterations = static_cast<std::size_t>(count), .warmup = 3, .launches = launches};
}

}  // namespace et::tasks
