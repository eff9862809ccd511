#include "app/tasks/lab/delegate_choice.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/operator_curves.h"
#include "inspector/comparison/comparison.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"
#include "inspector/numeric_gap/reference_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using backends::lowering::LoweredMethod;
using core::Result;
using inspector::OperatorKind;
using inspector::OperatorTimes;

const LoweredMethod& methodOf(const LowerResult& lowered, std::string_view name) {
    return *std::ranges::find(lowered.lowered.methods, name, &LoweredMethod::name);
}

bool isQuantizer(const etrecord::Node& node) {
    return inspector::isQuantization(inspector::names::detail::nodeOperator(node.op));
}

class DelegateTrial {
  public:
    using Accepts = std::function<Result<bool>(const LowerResult&)>;

    DelegateTrial(const LowerResult& of, const TimingInputs& on, const OptimizeSettings& asked,
                  const Accepts& ask)
        : first(of), inputs(on), settings(asked), accepts(ask) {}

    Result<DelegateChoices> run() {
        listDelegates();
        if (made.delegates.empty()) {
            return std::move(made);
        }
        ET_ASSIGN(options, timingOptions(inputs, settings));
        ET_ASSIGN(now, written({}));
        const bool isHere = settings.timer() == CandidateTimer::Here;
        ET_TRY(isHere ? timeInsideAndOutside() : Result<>());
        std::vector<DelegateChoice*> order;
        for (DelegateChoice& each : made.delegates) {
            order.push_back(&each);
        }
        std::ranges::stable_sort(order, {}, [](const DelegateChoice* each) { return each->nodes.size(); });
        std::size_t tried = 0;
        for (DelegateChoice* each : order) {
            if (InterruptionGuard::requested() || (!isHere && tried == mostByCommand) ||
                std::chrono::steady_clock::now() >= inputs.deadline) {
                break;
            }
            if (isHere && !isWorthTrying(*each)) {
                continue;
            }
            ++tried;
            const auto done = attempt(*each);
            if (InterruptionGuard::requested() ||
                (!done && done.error().code == core::ErrorCode::Cancelled)) {
                break;
            }
            ET_TRY(done);
        }
        return std::move(made);
    }

  private:
    /// Uses a generous factor, because kernels are timed individually, without what delegates save between
    /// them.
    static bool isWorthTrying(const DelegateChoice& each) {
        constexpr double generous = 2;
        return each.inside && each.outside && *each.outside <= generous * *each.inside;
    }

    void listDelegates() {
        const LoweredMethod& method = methodOf(first, inputs.method);
        for (const auto& part : method.partition.parts) {
            DelegateChoice choice{
                .index = made.delegates.size(), .nodes = {}, .name = {}, .module = {}, .line = {}};
            for (const auto node : part.nodes) {
                choice.nodes.push_back(method.graph->nodes[node].name);
            }
            const auto& nodes = method.graph->nodes;
            const auto computes = [&](auto node) { return !isQuantizer(nodes[node]); };
            if (const auto own = std::ranges::find_if(part.nodes, computes); own != part.nodes.end()) {
                const etrecord::Node& node = nodes[*own];
                choice.name = node.name;
                choice.module = node.moduleStack.empty() ? std::string() : node.moduleStack.back().fqn;
                choice.line = pythonLine(node);
            }
            made.delegates.push_back(std::move(choice));
        }
    }

    /// A program without these nodes in delegates, with its files.
    struct Variant {
        LowerResult lowered;
        ProgramToMeasure files;
    };
    Result<Variant> written(std::vector<std::string> except, LowerBackend backend = LowerBackend::Xnnpack) {
        const std::size_t number = variants++;
        Variant variant;
        variant.files = {.file = inputs.folder->file(fmt::format("without{}.pte", number)),
                         .record = inputs.folder->file(fmt::format("without{}.etrecord", number))};
        ET_ASSIGN(variant.lowered, lowerOpened(first.record, {.record = {},
                                                              .output = variant.files.file,
                                                              .recordOutput = variant.files.record,
                                                              .backend = backend,
                                                              .except = std::move(except)}));
        return variant;
    }

    Result<MeasuredProgram> measured(const ProgramToMeasure& program) const {
        constexpr double unknown = 1e6;  // nanoseconds
        const std::array programs{program};
        ET_ASSIGN(auto one,
                  measurePrograms(programs, options, gainRepetitions(total > 0 ? total : unknown, 1),
                                  settings.progress));
        return std::move(one.front());
    }

    /// Measures delegates, and the same nodes in a program without delegates.
    Result<> timeInsideAndOutside() {
        ET_ASSIGN(const MeasuredProgram with, measured(now.files));
        total = computeMedian(with.measurement.methods.front().total);
        std::map<std::size_t, double> inside;
        const auto& origins = methodOf(now.lowered, inputs.method).emitted.origins;
        for (const OperatorTimes& each : with.measurement.methods.front().operators) {
            const auto origin = origins.find(each.instruction);
            const auto* part = origin == origins.end() ? nullptr : std::get_if<std::size_t>(&origin->second);
            if (each.kind == OperatorKind::DelegateCall && part != nullptr) {
                inside[*part] += computeMedian(each.samples);
            }
        }
        ET_ASSIGN(const Variant plain, written({}, LowerBackend::None));
        ET_ASSIGN(const MeasuredProgram without, measured(plain.files));
        std::map<std::string_view, double> outside;
        const auto& plainOrigins = methodOf(plain.lowered, inputs.method).emitted.origins;
        for (const OperatorTimes& each : without.measurement.methods.front().operators) {
            const auto origin = plainOrigins.find(each.instruction);
            const auto* node =
                origin == plainOrigins.end() ? nullptr : std::get_if<const etrecord::Node*>(&origin->second);
            if (each.kind == OperatorKind::Kernel && node != nullptr) {
                outside[(*node)->name] += computeMedian(each.samples);
            }
        }
        for (DelegateChoice& each : made.delegates) {
            each.inside = inside[each.index];
            each.outside = 0;
            for (const std::string& node : each.nodes) {
                const auto found = outside.find(node);
                *each.outside += found == outside.end() ? 0 : found->second;
            }
        }
        return {};
    }

    Result<> attempt(DelegateChoice& each) {
        std::vector<std::string> except = made.except;
        except.insert(except.end(), each.nodes.begin(), each.nodes.end());
        ET_ASSIGN(Variant variant, written(except));
        ET_ASSIGN(each.gain, gainOf(variant));
        if (!each.gain->isCertain || each.gain->nanoseconds <= 0) {
            return {};
        }
        ET_ASSIGN(const bool isAccepted, accepts(variant.lowered));
        if (isAccepted) {
            each.isPortable = true;
            made.except = std::move(except);
            made.lowered = variant.lowered;
            now = std::move(variant);
        }
        return {};
    }

    Result<MeasuredGain> gainOf(const Variant& variant) const {
        if (settings.timer() == CandidateTimer::Here) {
            return measureGain(now.files, variant.files, options, gainRepetitions(total, gainLaunches),
                               settings.progress);
        }
        constexpr std::size_t turns = 3;
        std::vector<double> saved;
        double before = 0;
        for (std::size_t i = 0; i < turns; ++i) {
            const std::array files{now.files.file, variant.files.file};
            ET_ASSIGN(const auto times, candidateTimes(files, inputs, settings));
            if (times.size() < files.size()) {
                return core::fail(core::ErrorCode::Cancelled, "interrupted");
            }
            saved.push_back(times[0] - times[1]);
            before = std::max(before, times[0]);
        }
        std::ranges::sort(saved);
        constexpr double matters = 0.02;
        return MeasuredGain{.nanoseconds = saved[turns / 2],
                            .interval = {.low = saved.front(), .high = saved.back()},
                            .isCertain = saved.front() > 0 && saved[turns / 2] > matters * before};
    }

    const LowerResult& first;
    const TimingInputs& inputs;
    const OptimizeSettings& settings;
    const Accepts& accepts;
    ModelOptions options;
    DelegateChoices made;
    Variant now;
    std::size_t variants = 0;
    double total = 0;  ///< nanoseconds per run
};

}  // namespace

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

Result<DelegateChoices> chooseDelegates(const LowerResult& lowered, const TimingInputs& inputs,
                                        const OptimizeSettings& settings,
                                        const std::function<Result<bool>(const LowerResult&)>& accepts) {
    return DelegateTrial(lowered, inputs, settings, accepts).run();
}

}  // namespace et::tasks
