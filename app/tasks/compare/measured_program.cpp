#include "app/tasks/compare/measured_program.h"

#include "app/tasks/base/option_list.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/compare/launch_series.h"

#include <fmt/format.h>

#include <optional>
#include <random>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;

/// Returns the bundled program whose inputs all programs use; empty if there is none, or inputs are given.
Result<fs::path> commonInputs(std::span<const ProgramToMeasure> programs, const ModelOptions& options) {
    for (const ProgramToMeasure& each : programs) {
        ET_ASSIGN(const ProgramFile opened, ProgramFile::open(each.file));
        if (opened.bundle != nullptr && options.inputs.empty()) {
            return each.file;
        }
    }
    return fs::path();
}

/// Starts one process per program, in random order; stores them in program order.
Result<> startPair(std::span<const ProgramToMeasure> programs, std::span<ModelProcessJob> jobs,
                   std::mt19937_64& random, std::vector<ModelProcess>& lanes) {
    std::vector<std::optional<ModelProcess>> started(programs.size());
    const std::size_t first = random() % programs.size();
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const std::size_t each = (first + i) % programs.size();
        ET_ASSIGN(ModelProcess lane, ModelProcess::start(std::move(jobs[each])));
        started[each].emplace(std::move(lane));
    }
    for (std::optional<ModelProcess>& each : started) {
        lanes.push_back(*std::move(each));
    }
    return {};
}

/// Starts processes for all possible launches in advance, because they must be forked before there are
/// threads.
Result<std::vector<ModelProcess>> startLanes(std::span<const ProgramToMeasure> programs,
                                             const ModelOptions& options, std::size_t launches,
                                             std::mt19937_64& random) {
    ET_ASSIGN(const fs::path inputs, commonInputs(programs, options));
    std::vector<ModelProcess> lanes;
    lanes.reserve(programs.size() * launches);
    for (std::size_t launch = 0; launch < launches; ++launch) {
        // Both programs run on the same processors, so that a slow or busy processor does not look like a
        // difference.
        const bool severalLaunches = launches > 1;
        const auto processors =
            severalLaunches ? drawProcessors(random, options.threads) : std::vector<int>();
        std::vector<ModelProcessJob> jobs;
        for (const ProgramToMeasure& each : programs) {
            jobs.push_back({.model = each.file, .options = options, .inputs = inputs});
            if (severalLaunches) {
                jobs.back().placement = drawPlacement(random, processors);
            }
        }
        ET_TRY(startPair(programs, jobs, random, lanes));
    }
    return lanes;
}

void finishMeasurement(MeasuredProgram& program, const LaunchSeries& series, const MeasureOptions& measure) {
    inspector::Measurement& measurement = program.measurement;
    measurement.otherLoad = series.otherLoad();
    const inspector::RunSettings& settings = *measurement.settings;
    if (!measure.warmup && !settings.warmupDetected && series.launches() == 1) {
        measurement.warnings.push_back(
            fmt::format("the times were not steady after {} warm-up executions", settings.warmup));
    }
}

}  // namespace

Result<std::vector<MeasuredProgram>> measurePrograms(std::span<const ProgramToMeasure> programs,
                                                     const ModelOptions& options,
                                                     const MeasureOptions& measure,
                                                     const ProgressOptions& progress) {
    std::mt19937_64 random(std::random_device{}());
    ET_ASSIGN(std::vector<ModelProcess> lanes,
              startLanes(programs, options, LaunchSeries::mostLaunches(measure, programs.size()), random));
    std::vector<LaunchReader> readers;
    for (const ProgramToMeasure& each : programs) {
        ET_ASSIGN(LaunchReader reader, LaunchReader::open(each, options.seed));
        readers.push_back(std::move(reader));
    }
    ProgressReporter watch(progress, options.timeoutSeconds, options.executionSeconds);
    LaunchSeries series(lanes, readers, measure);
    ET_TRY(series.run(watch, random));
    std::vector<MeasuredProgram> measured;
    for (LaunchReader& each : readers) {
        measured.push_back(each.take());
        finishMeasurement(measured.back(), series, measure);
    }
    watch.finish();
    return measured;
}

void addMeasureOptions(OptionList& options, MeasureOptions& measure) {
    options.integer("--iterations", measure.iterations,
                    "Number of measured executions of each program over all launches (default: 50; for two "
                    "programs chosen by a pilot run)",
                    1);
    options.integer("--warmup", measure.warmup,
                    "Number of warm-up executions per launch (default: until times are steady, 8 to 200)");
}

void addLaunchOptions(OptionList& options, MeasureOptions& measure) {
    options
        .integer("--launches", measure.launches,
                 "Number of launches of each of two programs, at most 40 (default: 12 or more, until the "
                 "threshold can be decided or --time has passed)",
                 1)
        .atMost(MeasureOptions::maxLaunches);
    options.duration("--time", measure.seconds,
                     "Time to measure two programs without --launches or --iterations: 90s, 5m (default: "
                     "30s)");
}

}  // namespace et::tasks
