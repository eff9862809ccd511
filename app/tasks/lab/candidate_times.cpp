#include "app/tasks/lab/candidate_times.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/tensor_file.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/operator_curves.h"
#include "app/tasks/reduce/candidate_process.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "app/tasks/verify/run_self.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Writes the case to files; none if it contains a value other than a tensor, in which case inputs are
/// random.
Result<std::vector<std::string>> inputFiles(const TimingInputs& inputs) {
    std::vector<std::string> files;
    for (const ReferenceValue& each : *inputs.given) {
        const auto* tensor = each.as<ReferenceTensor>();
        if (tensor == nullptr) {
            return std::vector<std::string>();
        }
        const auto file = inputs.folder->file(fmt::format("input{}.npy", files.size()));
        ET_TRY(writeTensor(tensor->view, file));
        files.push_back(file.string());
    }
    return files;
}

double medianTime(const MeasuredProgram& program) {
    return program.measurement.methods.empty() ? 0 : computeMedian(program.measurement.methods.front().total);
}

constexpr double leastRuns = 40;  ///< of each program

/// Nanoseconds until the deadline.
double timeLeft(const TimingInputs& inputs) {
    return std::chrono::duration<double, std::nano>(inputs.deadline - std::chrono::steady_clock::now())
        .count();
}

/// Enough runs of each program for a reliable time without a long wait.
MeasureOptions chooseRepetitions(double nanoseconds, std::size_t programs, double left) {
    constexpr double patience = 8e9;  // nanoseconds, over all programs
    constexpr double most = 600;
    constexpr std::size_t launches = 4;
    const double each = std::min(patience, left) / static_cast<double>(programs);
    const double count = std::clamp(each / std::max(nanoseconds, 1.0), leastRuns, most);
    return {.iterations = static_cast<std::size_t>(count), .warmup = 3, .launches = launches};
}

Result<std::vector<double>> timesHere(std::span<const std::filesystem::path> programs,
                                      const TimingInputs& inputs, const OptimizeSettings& settings) {
    ET_ASSIGN(const ModelOptions options, timingOptions(inputs, settings));
    std::vector<ProgramToMeasure> all;
    for (const auto& each : programs) {
        all.push_back({.file = each, .record = {}});
    }
    ET_ASSIGN(const auto pilot,
              measurePrograms(std::span(all).first(1), options,
                              {.iterations = 10, .warmup = 3, .launches = 1}, settings.progress));
    const double typical = std::max(medianTime(pilot.front()), 1.0);
    constexpr double most = 1e6;  // programs
    all.resize(std::min(all.size(), static_cast<std::size_t>(
                                        std::clamp(timeLeft(inputs) / (leastRuns * typical), 0.0, most))));
    if (all.empty()) {
        return std::vector<double>();
    }
    const MeasureOptions measure = chooseRepetitions(typical, all.size(), timeLeft(inputs));
    ET_ASSIGN(const auto measured, measurePrograms(all, options, measure, settings.progress));
    std::vector<double> times;
    std::ranges::transform(measured, std::back_inserter(times), medianTime);
    return times;
}

/// Returns the nanoseconds given by the last output line of a command.
Result<double> commandTime(const std::filesystem::path& program, const std::string& command) {
    ET_ASSIGN(const ChildResult end,
              runProgram("/bin/sh", {"sh", "-c", commandFor(command, program)}, std::nullopt));
    if (end.cause == ChildResult::Cause::Interruption) {
        return fail(ErrorCode::Cancelled, "interrupted");
    }
    std::string_view said = end.said;
    said = said.substr(0, said.find_last_not_of(" \n\r\t") + 1);
    const std::string_view line = said.substr(said.find_last_of('\n') + 1);
    double milliseconds = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), milliseconds);
    if (end.process != core::ProcessEnd{} || error != std::errc() || !std::isfinite(milliseconds) ||
        milliseconds <= 0) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--timer: expected a line with milliseconds at the end, got \"{}\" ({})",
                                core::printable(line), core::endText(end.process)));
    }
    constexpr double nanosecondsPerMillisecond = 1e6;
    return milliseconds * nanosecondsPerMillisecond;
}

}  // namespace

Result<ModelOptions> timingOptions(const TimingInputs& inputs, const OptimizeSettings& settings) {
    ModelOptions options;
    options.method = inputs.method;
    options.threads = settings.timingThreads;
    ET_ASSIGN(options.inputs, inputFiles(inputs));
    return options;
}

Result<std::vector<double>> candidateTimes(std::span<const std::filesystem::path> programs,
                                           const TimingInputs& inputs, const OptimizeSettings& settings) {
    std::vector<double> times;
    if (programs.empty() || InterruptionGuard::requested() || timeLeft(inputs) <= 0) {
        return times;
    }
    if (settings.timer() == CandidateTimer::Command) {
        for (const auto& each : programs) {
            if (timeLeft(inputs) <= 0) {
                break;
            }
            const auto time = commandTime(each, settings.command);
            if (!time && time.error().code == ErrorCode::Cancelled) {
                break;
            }
            ET_TRY(time);
            times.push_back(*time);
        }
        return times;
    }
    auto measured = timesHere(programs, inputs, settings);
    if (!measured && measured.error().code == ErrorCode::Cancelled) {
        return times;
    }
    return measured;
}

}  // namespace et::tasks
