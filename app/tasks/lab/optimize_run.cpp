#include "app/tasks/lab/optimize_run.h"

#include "app/tasks/lab/candidate_times.h"
#include "app/tasks/lab/program_outputs.h"
#include "app/tasks/lab/variant_measures.h"
#include "app/tasks/lab/work_folder.h"
#include "app/tasks/output_file.h"
#include "app/tasks/surgery/program_bytes.h"
#include "runtime/core/child_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

namespace et::app {
namespace {

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

SearchSpace spaceOf(const QuantizedVariants& variants) {
    auto& model = variants.model();
    SearchSpace space{.sites = variants.sites().size(), .fixed = {}, .neighbours = {}};
    for (const SiteReport& site : variants.sites()) {
        space.fixed.push_back(!site.rule.empty());
    }
    space.neighbours = backends::xnnpack::neighbouringSites(model.method(), model.operators(), model.sites());
    return space;
}

class OptimizeRun {
  public:
    OptimizeRun(const OptimizeSettings& given, const etrecord::Record& of, WorkFolder folder,
                OptimizeResult& made)
        : settings(given), record(of), work(std::move(folder)), result(made) {}

    Result<> run() {
        ET_ASSIGN(variants, QuantizedVariants::open(record, result.method, settings.what));
        result.sites = variants->sites();
        result.calibrationCases = variants->calibration().size();
        result.evaluationCases = variants->evaluation().size();
        ET_TRY(variants->runFloat());
        const auto deadline = core::deadlineIn(std::chrono::duration<double>(settings.seconds));
        measures = std::make_unique<VariantMeasures>(*variants, deadline, settings.what.cancel);
        search = std::make_unique<SiteSearch>(spaceOf(*variants), *measures);
        ET_TRY(searchSites());
        ET_TRY(settings.otherSchemes ? addOtherSchemes() : Result<>());
        const bool isCancelled = settings.what.cancel != nullptr && *settings.what.cancel;
        if (settings.timer != CandidateTimer::None && !isCancelled) {
            ET_TRY(timeCandidates());
        }
        markFront(result.points);
        return choose();
    }

  private:
    Result<> searchSites() {
        const auto start = Clock::now();
        const std::size_t count = result.sites.size();
        {
            Watch watch(settings.progress, std::nullopt);
            watch.begin("search", count * (count + 1) / 2);
            measures->tell(&watch);
            const SearchLimits limits = limitsOf(settings.budget);
            ET_TRY(search->followPath(limits));
            if (!limits.isNone()) {
                ET_TRY(search->followThrift(limits));
                ET_TRY(search->exchange(limits));
                ET_TRY(search->followPath({}));  // the rest of the front
            }
            result.complete = !measures->isOver();
            measures->tell(nullptr);
            watch.finish();
        }
        result.searchSeconds = std::chrono::duration<double>(Clock::now() - start).count();
        takePoints();
        return result.points.empty() ? fail(ErrorCode::Cancelled, "interrupted") : Result<>();
    }

    /// Those that the search has found since the last call.
    void takePoints() {
        for (const SearchPoint& each : search->points()) {
            const auto isKnown = [&](const OptimizePoint& point) {
                return point.isStatic() && point.inFloat == each.inFloat;
            };
            if (std::ranges::none_of(result.points, isKnown)) {
                result.points.push_back({.inFloat = each.inFloat, .noise = each.noise, .bytes = *each.bytes});
            }
        }
        std::ranges::stable_sort(result.points, {}, &OptimizePoint::bytes);
        result.variants = search->measured();
    }

    /// One program with each scheme: all sites that it takes. What it gives is what the program gives. They
    /// are few enough not to count for the time of the search.
    Result<> addOtherSchemes() {
        using backends::xnnpack::SchemeKind;
        for (const SchemeKind kind : {SchemeKind::Dynamic8, SchemeKind::Dynamic4, SchemeKind::Half}) {
            if (settings.what.cancel != nullptr && *settings.what.cancel) {
                break;
            }
            OptimizePoint point{.inFloat = FloatSites(result.sites.size(), false), .scheme = {.kind = kind}};
            ET_ASSIGN(const OptimizeChoice made, build(point));
            constexpr double perDecade = 10;
            const auto& decibels = made.closeness.sqnrDecibels;
            point.noise = decibels ? std::pow(perDecade, -*decibels / perDecade) : 0;
            point.bytes = made.bytes;
            std::ranges::transform(made.quantized.sites, point.inFloat.begin(),
                                   [](const QuantizedSite& each) { return !each.site.rule.empty(); });
            if (point.count() < point.inFloat.size()) {
                result.points.push_back(std::move(point));
            }
        }
        std::ranges::stable_sort(result.points, {}, &OptimizePoint::bytes);
        return {};
    }

    Result<> timeCandidates() {
        constexpr std::size_t most = 16;
        ET_TRY(timePoints(pointsToTime(result.points, most)));
        if (settings.budget.kind != Kind::Time) {
            return {};
        }
        // Others of as many sites in float take about as long: those with less error are tried as well.
        const auto within = pointsWithin(result.points, settings.budget);
        if (within.empty() || measures->isOver()) {
            return {};
        }
        const SearchLimits limits{.maxInFloat = result.points[within.front()].count()};
        ET_TRY(search->exchange(limits));
        takePoints();
        std::vector<std::size_t> better;
        const double noise = result.points[pointsWithin(result.points, settings.budget).front()].noise;
        for (std::size_t i = 0; i < result.points.size(); ++i) {
            const OptimizePoint& point = result.points[i];
            if (!point.nanoseconds && point.noise < noise && point.count() <= *limits.maxInFloat) {
                better.push_back(i);
            }
        }
        constexpr std::size_t mostBetter = 6;
        std::ranges::stable_sort(better, {}, [&](std::size_t i) { return result.points[i].noise; });
        better.resize(std::min(better.size(), mostBetter));
        return timePoints(better);
    }

    Result<> timePoints(const std::vector<std::size_t>& which) {
        std::vector<std::filesystem::path> files;
        for (const std::size_t i : which) {
            ET_ASSIGN(const LowerResult made, programOf(result.points[i]));
            files.push_back(work.file(fmt::format("candidate{}.pte", i)));
            ET_TRY(writeFile(files.back(), producerOf(textOf(made.lowered.file))));
        }
        const TimingInputs inputs{
            .method = result.method, .given = &variants->evaluation().front(), .folder = &work};
        ET_ASSIGN(const auto times, candidateTimes(files, inputs, settings));
        for (std::size_t i = 0; i < std::min(times.size(), which.size()); ++i) {
            result.points[which[i]].nanoseconds = times[i];
        }
        return {};
    }

    Result<LowerResult> programOf(const OptimizePoint& point) {
        if (point.isStatic()) {
            return measures->program(point.inFloat);
        }
        return quantizeOpened(record, settingsOf(point)).transform([](QuantizeResult made) {
            return std::move(made.lowered);
        });
    }

    /// The first that respects the budget as the program that it becomes.
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
                return writeLowered({.record = settings.what.record,
                                     .output = settings.output,
                                     .recordOutput = settings.recordOutput},
                                    result.choice->quantized.lowered);
            }
        }
        result.unmet = whyUnmet();
        return {};
    }

    [[nodiscard]] QuantizeSettings settingsOf(const OptimizePoint& point) const {
        return {.record = settings.what.record,
                .calibration = settings.what.calibration,
                .method = result.method,
                .scheme = point.scheme,
                .observer = settings.what.observer,
                .keep = settings.what.keep,
                .maxCases = settings.what.maxCases,
                .inFloat = point.isStatic() ? point.inFloat : FloatSites()};
    }

    Result<OptimizeChoice> build(const OptimizePoint& point) {
        OptimizeChoice choice{.quantized = {}, .settings = settingsOf(point), .closeness = {}};
        ET_ASSIGN(choice.quantized, quantizeOpened(record, choice.settings));
        choice.bytes = choice.quantized.lowered.lowered.file.size();
        ET_ASSIGN(const auto outputs,
                  programOutputs(choice.quantized.lowered, result.method, variants->evaluation()));
        choice.closeness = closenessOf(variants->reference(), outputs);
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
        return fmt::format("the best program that was found has {:.2f} dB", best->decibels().value_or(0));
    }

    const OptimizeSettings& settings;
    const etrecord::Record& record;
    WorkFolder work;
    OptimizeResult& result;
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
    ET_ASSIGN(const auto record, etrecord::Record::open(settings.what.record));
    OptimizeResult result;
    const auto named = [&](core::Error error) {
        return withPythonLine(std::move(error), *record, result.method).in(settings.what.record.string());
    };
    ET_ASSIGN(result.method, chosenMethod(*record, settings.what.method).transform_error(named));
    ET_ASSIGN(WorkFolder folder, WorkFolder::make());
    ET_TRY(OptimizeRun(settings, *record, std::move(folder), result).run().transform_error(named));
    return result;
}

}  // namespace et::app
