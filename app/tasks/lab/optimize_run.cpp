#include "app/tasks/lab/optimize_run.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/lab/candidate_times.h"
#include "app/tasks/lab/program_outputs.h"
#include "app/tasks/lab/variant_measures.h"
#include "app/tasks/lab/work_folder.h"
#include "app/tasks/rewrite/program_bytes.h"
#include "runtime/core/child_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace et::tasks {
namespace {

using backends::xnnpack::SchemeKind;
using backends::xnnpack::schemeRule;
using core::ErrorCode;
using core::fail;
using core::Result;
using Clock = std::chrono::steady_clock;
using Kind = OptimizeBudget::Kind;

SearchLimits limitsOf(const OptimizeBudget& budget) {
    constexpr double perDecade = 10;
    switch (budget.kind) {
        case Kind::Bytes:
            return {.maxBytes = static_cast<std::uint64_t>(budget.limit)};
        case Kind::Sqnr:
            return {.maxNoise = std::pow(perDecade, -budget.limit / perDecade)};
        case Kind::Time:
        case Kind::None:
            break;
    }
    return {};
}

/// Initially each site has the first scheme that it supports.
SearchSpace spaceOf(const QuantizedVariants& variants, const OptimizeSettings& settings) {
    auto& model = variants.model();
    SearchSpace space{.start = {}, .options = {}, .neighbours = {}};
    for (std::size_t i = 0; i < variants.sites().size(); ++i) {
        std::vector<SiteScheme> takes;
        for (const auto& scheme : settings.schemes) {
            const bool hasScales =
                scheme.kind != SchemeKind::Static8 || variants.sites()[i].staticRule.empty();
            if (hasScales &&
                schemeRule(model.method(), model.operators(), model.sites()[i], scheme).empty()) {
                takes.emplace_back(scheme);
            }
        }
        const bool isFree = variants.sites()[i].rule.empty() && !takes.empty();
        space.start.push_back(isFree ? takes.front() : SiteScheme());
        space.options.emplace_back();
        if (isFree) {
            space.options.back() = {takes.begin() + 1, takes.end()};
            space.options.back().emplace_back();
        }
    }
    space.neighbours = backends::xnnpack::neighbouringSites(model.method(), model.operators(), model.sites());
    return space;
}

/// Sets a flag when the time is over or `cancel` (may be null) is set.
class StopFlag {
  public:
    StopFlag(Clock::time_point end, const std::atomic<bool>* cancel)
        : watcher([this, end, cancel](const std::stop_token& stop) {
              constexpr std::chrono::milliseconds interval(20);
              std::mutex mutex;
              std::condition_variable_any wake;
              std::unique_lock lock(mutex);
              while (!stop.stop_requested() && !isSet) {
                  wake.wait_until(lock, stop, std::min(end, Clock::now() + interval), [] { return false; });
                  isSet = Clock::now() >= end || (cancel != nullptr && *cancel);
              }
          }) {}

    [[nodiscard]] const std::atomic<bool>& flag() const { return isSet; }

  private:
    std::atomic<bool> isSet = false;
    std::jthread watcher;
};

class OptimizeRun {
  public:
    OptimizeRun(const OptimizeSettings& given, const etrecord::Record& of, WorkFolder folder,
                OptimizeResult& made)
        : settings(given), record(of), work(std::move(folder)), result(made) {}

    Result<> run() {
        if (auto started = prepare(); !started) {
            return started.error().code == ErrorCode::Cancelled && !isCancelled() ? tooSlow() : started;
        }
        ET_TRY(searchSites());
        if (settings.timer() != CandidateTimer::None && !isOver()) {
            ET_TRY(timeCandidates());
        }
        markFront(result.points);
        return choose();
    }

  private:
    Result<> prepare() {
        VariantSettings what = settings.what;
        what.cancel = &stop.flag();
        ET_ASSIGN(variants, QuantizedVariants::open(record, result.method, what));
        ET_TRY(variants->findRangeRules());
        result.sites = variants->sites();
        result.warnings = staticWarnings(variants->sites());
        result.calibrationCases = variants->calibration().size();
        result.evaluationCases = variants->evaluation().size();
        ET_TRY(variants->runFloat());
        measures = std::make_unique<VariantMeasures>(*variants, searchEnd(1), &stop.flag());
        if (settings.found) {
            measures->setFound([this](const SearchPoint& point) {
                settings.found(result,
                               {.schemes = point.schemes, .noise = point.noise, .bytes = *point.bytes});
            });
        }
        search = std::make_unique<SiteSearch>(spaceOf(*variants, settings), *measures);
        return {};
    }

    static Result<> tooSlow() {
        return fail(ErrorCode::Cancelled, "the time limit of --time was reached before the first result");
    }

    /// The end of a fraction of the time left to the search; the rest is for timing candidates.
    [[nodiscard]] Clock::time_point searchEnd(double fraction) const {
        constexpr double share = 0.7;
        const auto now = Clock::now();
        if (settings.seconds == 0) {
            return now;
        }
        const std::chrono::duration<double> left = end - now;
        return core::deadlineIn(left * fraction * (settings.timer() == CandidateTimer::None ? 1 : share));
    }

    [[nodiscard]] bool isOver() const { return isCancelled() || Clock::now() >= end; }

    [[nodiscard]] bool hasOthers() const {
        return std::ranges::any_of(search->moves(),
                                   [](const SiteMove& each) { return each.scheme.has_value(); });
    }

    [[nodiscard]] bool isCancelled() const {
        return settings.what.cancel != nullptr && *settings.what.cancel;
    }

    Result<> searchSites() {
        const auto start = Clock::now();
        const std::size_t count = result.sites.size();
        {
            ProgressReporter watch(settings.progress, std::nullopt);
            watch.begin("search", count * (count + 1) / 2);
            measures->tell(&watch);
            const auto done = searchUnder(limitsOf(settings.budget), watch);
            result.complete = !measures->isOver();
            measures->tell(nullptr);
            watch.finish();
            // The points found before the end of the time are results.
            ET_TRY(!done && done.error().code == ErrorCode::Cancelled ? Result<>() : done);
        }
        result.searchSeconds = std::chrono::duration<double>(Clock::now() - start).count();
        takePoints();
        if (!result.points.empty()) {
            return {};
        }
        return isCancelled() ? Result<>(fail(ErrorCode::Cancelled, "interrupted")) : tooSlow();
    }

    /// Searches first between the initial schemes and float, which is fast; then among all schemes; then the
    /// rest of the front.
    Result<> searchUnder(const SearchLimits& limits, ProgressReporter& watch) {
        const bool isWide = hasOthers() && settings.budget.kind != Kind::Time;
        constexpr double half = 0.5;  // fraction of the time; the rest is for the other phases
        const auto deadline = searchEnd(1);
        measures->setDeadline(isWide ? searchEnd(half) : deadline);
        ET_TRY(search->followPath(limits));
        watch.begin("refine", 0);  // as long as it improves the result, or until the time is up
        if (!limits.isNone()) {
            ET_TRY(search->followThrift(limits, MoveKind::ToFloat));
            ET_TRY(search->exchange(limits, MoveKind::ToFloat));
        }
        measures->setDeadline(deadline);
        if (isWide) {
            ET_TRY(search->tryUniform());
            ET_TRY(search->dropUseless());
            ET_TRY(searchAmongAll(limits));
        }
        ET_TRY(search->followPath({}));
        return isWide ? searchAmongAll({}) : Result<>();
    }

    Result<> searchAmongAll(const SearchLimits& limits) {
        ET_TRY(search->followThrift(limits, MoveKind::Any));
        ET_TRY(search->squeeze(limits));
        return limits.isNone() ? Result<>() : search->exchange(limits, MoveKind::Any);
    }

    /// Adds the points found since the last call.
    void takePoints() {
        for (const SearchPoint& each : search->points()) {
            if (!std::ranges::contains(result.points, each.schemes, &OptimizePoint::schemes)) {
                result.points.push_back({.schemes = each.schemes, .noise = each.noise, .bytes = *each.bytes});
            }
        }
        std::ranges::stable_sort(result.points, {}, &OptimizePoint::bytes);
        result.variants = search->measured();
    }

    Result<> timeCandidates() {
        constexpr std::size_t most = 16;
        if (settings.budget.kind == Kind::Time) {
            ET_TRY(searchByTime());
        }
        std::vector<std::size_t> which = pointsToTime(result.points, most);
        const auto addUntimed = [&](std::size_t i) {
            if (!std::ranges::contains(which, i)) {
                which.push_back(i);
            }
        };
        std::ranges::for_each(likelyChoices(), addUntimed);
        return timePoints(which);
    }

    /// Searches with a time budget: measures the effect of single moves on the run time, and uses their sums
    /// as expected times of choices.
    Result<> searchByTime() {
        const std::vector<SiteMove> moves = search->moves();
        const SiteSchemes start = spaceOf(*variants, settings).start;
        std::vector<SiteSchemes> choices{start};
        for (const SiteMove& move : moves) {
            choices.push_back(start);
            choices.back()[move.site] = move.scheme;
        }
        ET_ASSIGN(const auto times, timesOf(choices));
        if (times.empty()) {
            return {};
        }
        MoveTimes known{.start = times.front()};
        for (std::size_t i = 1; i < times.size(); ++i) {
            known.added.emplace(moves[i - 1], times[i] - times.front());
        }
        search->setTimes(std::move(known));
        const SearchLimits limits{.maxTime = settings.budget.limit};
        ET_TRY(search->followThrift(limits, MoveKind::Any));
        ET_TRY(search->exchange(limits, MoveKind::Any));
        takePoints();
        return {};
    }

    /// Points that may be chosen, depending on their times.
    [[nodiscard]] std::vector<std::size_t> likelyChoices() const {
        constexpr std::size_t most = 8;
        std::vector<std::size_t> likely;
        if (settings.budget.kind == Kind::Time) {
            for (std::size_t i = 0; i < result.points.size(); ++i) {
                const auto guess = search->guessedTime(result.points[i].schemes);
                constexpr double unsure = 1.05;
                if (guess && *guess <= unsure * settings.budget.limit) {
                    likely.push_back(i);
                }
            }
            std::ranges::stable_sort(likely, {}, [&](std::size_t i) { return result.points[i].noise; });
        } else {
            likely = pointsWithin(result.points, settings.budget);
            const auto isPlain = [&](std::size_t i) { return result.points[i].isStatic(); };
            const auto plain = std::ranges::find_if(likely, isPlain);
            if (plain != likely.end()) {
                std::rotate(likely.begin(), plain, plain + 1);
            }
        }
        likely.resize(std::min(likely.size(), most));
        return likely;
    }

    /// Returns the nanoseconds per run of the choices, in order, as far as time permits.
    Result<std::vector<double>> timesOf(std::span<const SiteSchemes> choices) {
        std::vector<std::filesystem::path> files;
        for (const SiteSchemes& each : choices) {
            const auto made = measures->program(each);
            if (!made && made.error().code == ErrorCode::Cancelled) {
                return std::vector<double>();
            }
            ET_TRY(made);
            files.push_back(work.file(fmt::format("candidate{}.pte", files.size())));
            ET_TRY(writeFile(files.back(), made->lowered.file));
        }
        return candidateTimes(files, timingInputs(), settings);
    }

    [[nodiscard]] TimingInputs timingInputs() const {
        return {.method = result.method,
                .given = &variants->evaluation().front(),
                .folder = &work,
                .deadline = end};
    }

    Result<> timePoints(const std::vector<std::size_t>& which) {
        std::vector<SiteSchemes> choices;
        std::ranges::transform(which, std::back_inserter(choices),
                               [&](std::size_t i) { return result.points[i].schemes; });
        ET_ASSIGN(const auto times, timesOf(choices));
        for (std::size_t i = 0; i < std::min(times.size(), which.size()); ++i) {
            result.points[which[i]].nanoseconds = times[i];
        }
        return {};
    }

    /// Chooses the first point whose actual program is within the budget.
    Result<> choose() {
        if (settings.budget.kind == Kind::None) {
            return {};
        }
        constexpr std::size_t most = 12;
        std::size_t tried = 0;
        for (const std::size_t i : pointsWithin(result.points, settings.budget)) {
            if (tried++ == most) {
                break;
            }
            ET_ASSIGN(OptimizeChoice choice, build(result.points[i]));
            const bool isNear = settings.budget.kind != Kind::Sqnr || !choice.closeness.sqnrDecibels ||
                                *choice.closeness.sqnrDecibels >= settings.budget.limit;
            if (isNear) {
                result.points[i].chosen = true;
                result.choice = std::move(choice);
                const bool isTimed = settings.timer() != CandidateTimer::None && !isOver();
                ET_TRY(settings.delegatesByTime && isTimed ? decideDelegates() : Result<>());
                return writeLowered({.record = settings.what.record,
                                     .output = settings.output,
                                     .recordOutput = settings.recordOutput},
                                    result.choice->quantized.lowered);
            }
        }
        result.unmet = whyUnmet();
        return {};
    }

    /// Drops delegates without which the chosen program is faster and still within the budget.
    Result<> decideDelegates() {
        OptimizeChoice& choice = *result.choice;
        const auto accepts = [&](const LowerResult& made) -> Result<bool> {
            ET_ASSIGN(const auto outputs, programOutputs(made, result.method, variants->evaluation()));
            const OutputError closeness = measureOutputError(variants->reference(), outputs);
            const bool isNear = settings.budget.kind != Kind::Sqnr || !closeness.sqnrDecibels ||
                                *closeness.sqnrDecibels >= settings.budget.limit;
            return isNear && (settings.budget.kind != Kind::Bytes ||
                              static_cast<double>(made.lowered.file.size()) <= settings.budget.limit);
        };
        ET_ASSIGN(auto decided, chooseDelegates(choice.quantized.lowered, timingInputs(), settings, accepts));
        choice.delegates = std::move(decided.delegates);
        choice.settings.except = std::move(decided.except);
        if (decided.lowered) {
            choice.quantized.lowered = *std::move(decided.lowered);
            choice.bytes = choice.quantized.lowered.lowered.file.size();
            ET_ASSIGN(const auto outputs,
                      programOutputs(choice.quantized.lowered, result.method, variants->evaluation()));
            choice.closeness = measureOutputError(variants->reference(), outputs);
        }
        return {};
    }

    Result<OptimizeChoice> build(const OptimizePoint& point) {
        OptimizeChoice choice{.quantized = {},
                              .settings = {.record = settings.what.record,
                                           .calibration = settings.what.calibration,
                                           .method = result.method,
                                           .sites = {.keep = settings.what.keep, .chosen = point.schemes},
                                           .observer = settings.what.observer,
                                           .maxCases = settings.what.maxCases},
                              .closeness = {}};
        ET_ASSIGN(choice.quantized, quantizeOpened(record, choice.settings));
        choice.bytes = choice.quantized.lowered.lowered.file.size();
        ET_ASSIGN(const auto outputs,
                  programOutputs(choice.quantized.lowered, result.method, variants->evaluation()));
        choice.closeness = measureOutputError(variants->reference(), outputs);
        return choice;
    }

    [[nodiscard]] std::string whyUnmet() const {
        const auto& points = result.points;
        switch (settings.budget.kind) {
            case Kind::Bytes:
                return fmt::format("the smallest program has {} bytes", points.front().bytes);
            case Kind::Time: {
                double least = 0;
                for (const OptimizePoint& each : points) {
                    const double time = each.nanoseconds.value_or(0);
                    least = time > 0 && (least == 0 || time < least) ? time : least;
                }
                return least == 0 ? "no program was timed"
                                  : fmt::format("the fastest program takes {:.4g} ms", least / 1e6);
            }
            case Kind::Sqnr:
            case Kind::None:
                break;
        }
        const auto best = std::ranges::min_element(points, {}, &OptimizePoint::noise);
        return fmt::format("the best program found has {:.2f} dB", best->decibels().value_or(0));
    }

    const OptimizeSettings& settings;
    const etrecord::Record& record;
    WorkFolder work;
    OptimizeResult& result;
    Clock::time_point end = settings.seconds == 0
                                ? Clock::time_point::max()
                                : core::deadlineIn(std::chrono::duration<double>(settings.seconds));
    StopFlag stop{end, settings.what.cancel};
    std::unique_ptr<QuantizedVariants> variants;
    std::unique_ptr<VariantMeasures> measures;
    std::unique_ptr<SiteSearch> search;
};

Result<> refuseToReplaceInputs(const OptimizeSettings& settings) {
    for (const auto& output : {settings.output, settings.recordOutput}) {
        std::vector<std::filesystem::path> inputs{settings.what.record, settings.what.calibration};
        if (!settings.what.evaluation.empty()) {
            inputs.push_back(settings.what.evaluation);
        }
        if (!output.empty()) {
            ET_TRY(refuseToReplace(output, inputs));
        }
    }
    return {};
}

}  // namespace

Result<OptimizeResult> optimizeSites(const OptimizeSettings& settings) {
    ET_TRY(refuseToReplaceInputs(settings));
    ET_ASSIGN(const auto record, openRecord(settings.what.record));
    OptimizeResult result;
    const auto named = [&](core::Error error) {
        return withPythonLine(std::move(error), *record, result.method).in(settings.what.record.string());
    };
    ET_ASSIGN(result.method, chosenMethod(*record, settings.what.method).transform_error(named));
    ET_ASSIGN(WorkFolder folder, WorkFolder::make());
    ET_TRY(OptimizeRun(settings, *record, std::move(folder), result).run().transform_error(named));
    return result;
}

}  // namespace et::tasks
