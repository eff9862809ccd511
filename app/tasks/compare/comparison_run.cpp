#include "app/tasks/compare/comparison_run.h"

#include "app/tasks/base/program_file.h"
#include "app/tasks/compare/measured_program.h"
#include "backends/builtin.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"
#include "runtime/program/tensor_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using core::Result;
using inspector::Measurement;

core::Result<inspector::ProgramDiff> programChanges(const MeasuredProgram& before,
                                                    const MeasuredProgram& after,
                                                    std::span<const std::filesystem::path> tensorData) {
    ET_ASSIGN(const auto files, openTensorData(tensorData));
    const auto sideOf = [&](const MeasuredProgram& side) {
        return inspector::DiffSide{
            .program = *side.program, .name = side.measurement.name, .tensorData = files};
    };
    return inspector::diffPrograms(
        sideOf(before), sideOf(after),
        {.backends = backends::describable(), .method = before.measurement.settings->method});
}

/// Measurements of the two sides.
struct Measured {
    std::array<std::shared_ptr<const Measurement>, 2> sides;
    std::array<std::optional<MeasuredProgram>, 2> programs;  ///< nothing: a trace or a baseline
    bool interleaved = false;
    std::size_t executions = 0;  ///< of programs
};

constexpr double percent = 100;

Result<std::vector<Side>> sidesOf(const CompareSettings& settings) {
    ET_ASSIGN(std::vector<Side> sides, findSides(settings.files));
    if (sides.size() != settings.records.size()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("expected two traces, programs or baselines, got {}", sides.size()));
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (!settings.records[i].empty()) {
            sides[i].record = settings.records[i];
        }
    }
    return sides;
}

Result<> measureAll(const CompareSettings& settings, const std::vector<Side>& sides,
                    const ProgressOptions& progress, Measured& measured) {
    std::vector<ProgramToMeasure> programs;
    for (const Side& side : sides) {
        if (side.kind == SideKind::Program) {
            programs.push_back({.file = side.name, .record = side.record});
        }
    }
    if (programs.empty()) {
        return {};
    }
    MeasureOptions measure = settings.measure;
    measure.threshold = settings.thresholdPercent / percent;
    ET_ASSIGN(std::vector<MeasuredProgram> results,
              measurePrograms(programs, settings.model, measure, progress));
    measured.interleaved = programs.size() == sides.size();
    measured.executions = results.front().executions;
    auto next = results.begin();
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i].kind == SideKind::Program) {
            measured.sides[i] = std::make_shared<Measurement>(next->measurement);
            measured.programs[i] = std::move(*next++);
        }
    }
    return {};
}

/// Reads files and baselines first, so that their errors are reported before anything runs for long.
Result<Measured> measureSides(const CompareSettings& settings, const std::vector<Side>& sides,
                              const ProgressOptions& progress) {
    Measured measured;
    std::array<std::optional<TraceTimes>, 2> traces;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Side& side = sides[i];
        if (side.kind == SideKind::Trace) {
            ET_ASSIGN(traces[i], openTraceTimes(side, settings.clock, settings.model.method));
        } else if (side.kind == SideKind::Baseline) {
            ET_ASSIGN(Measurement baseline, openBaseline(side, settings.store));
            measured.sides[i] = std::make_shared<Measurement>(std::move(baseline));
        }
    }
    // Only two traces whose phases are known can be compared phase by phase.
    const bool byPhase =
        std::ranges::all_of(traces, [](const auto& each) { return each && each->byPhase.has_value(); });
    for (std::size_t i = 0; i < traces.size(); ++i) {
        if (traces[i]) {
            Measurement& times = byPhase ? *traces[i]->byPhase : traces[i]->whole;
            measured.sides[i] = std::make_shared<Measurement>(std::move(times));
        }
    }
    ET_TRY(measureAll(settings, sides, progress, measured));
    return measured;
}

Result<std::shared_ptr<const inspector::Comparison>> compare(const CompareSettings& settings,
                                                             const bundled_program::Tolerances& tolerances,
                                                             const Measured& measured) {
    const inspector::ComparisonOptions options{.test = {.threshold = settings.thresholdPercent / percent,
                                                        .confidence = settings.confidencePercent / percent,
                                                        .seed = settings.model.seed},
                                               .interleaved = measured.interleaved};
    inspector::OutputElements elements;
    elements.tolerances = tolerances;
    const auto& [a, b] = measured.programs;
    if (a && b) {
        elements.a = a->elements;
        elements.b = b->elements;
    }
    return inspector::compareMeasurements(measured.sides[0], measured.sides[1], options, elements);
}

}  // namespace

Result<CompareResult> compareSides(const CompareSettings& settings, const ProgressOptions& progress) {
    ET_ASSIGN(const bundled_program::Tolerances tolerances, parseTolerances(settings.tolerances));
    ET_ASSIGN(const std::vector<Side> sides, sidesOf(settings));
    CompareResult result;
    auto measured = measureSides(settings, sides, progress);
    result.interruption = InterruptionGuard::cause();
    if (!measured && result.interruption != Interruption::None &&
        measured.error().code == core::ErrorCode::Cancelled) {
        return result;
    }
    ET_TRY(measured);
    ET_ASSIGN(result.comparison, compare(settings, tolerances, *measured));
    result.warnings = result.comparison->warnings;
    result.executions = measured->executions;
    if (const auto& [a, b] = measured->programs; a && b) {
        auto diff = programChanges(*a, *b, settings.model.tensorData);
        if (diff) {
            result.programs = *std::move(diff);
        } else {
            result.warnings.push_back(
                fmt::format("the programs were not compared: {}", diff.error().toString()));
        }
    }
    return result;
}

}  // namespace et::tasks
