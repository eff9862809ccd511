#include "inspector/comparison/comparison.h"

#include "inspector/comparison/alignment.h"
#include "inspector/comparison/statistics_launches.h"
#include "runtime/core/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace et::inspector {
namespace {

using bundled_program::BundledTensor;
using core::ErrorCode;
using core::fail;
using core::Result;

Result<> check(const ComparisonOptions& options) {
    const TestOptions& test = options.test;
    constexpr std::size_t minResamples = 100;
    constexpr std::size_t maxResamples = 100'000;
    if (!(test.threshold >= 0) || !std::isfinite(test.threshold)) {
        return fail(ErrorCode::InvalidArgument, "expected a threshold of 0 % or more");
    }
    if (!(test.confidence > 0 && test.confidence < 1)) {
        return fail(ErrorCode::InvalidArgument, "expected a confidence between 0 and 1");
    }
    if (test.resamples < minResamples || test.resamples > maxResamples) {
        return fail(ErrorCode::InvalidArgument, fmt::format("expected {} to {} resamples, got {}",
                                                            minResamples, maxResamples, test.resamples));
    }
    return {};
}

/// Pairs the methods of both sides by name (in order if one ran in several ways). If one method remains on
/// each side, these are paired too, because a trace alone may not have its method's name.
class MethodPairs {
  public:
    MethodPairs(const Measurement& a, const Measurement& b) {
        std::vector<const MethodTimes*> left;
        for (const MethodTimes& each : b.methods) {
            left.push_back(&each);
        }
        for (const MethodTimes& each : a.methods) {
            const auto found = std::ranges::find(left, each.method, &MethodTimes::method);
            if (found != left.end()) {
                pairs.push_back({.a = &each, .b = *found});
                left.erase(found);
            } else {
                onlyA.push_back(&each);
            }
        }
        if (onlyA.size() == 1 && left.size() == 1) {
            pairs.push_back({.a = onlyA.front(), .b = left.front()});
            onlyA.clear();
            left.clear();
        }
        onlyB = std::move(left);
    }

    std::vector<MethodComparison> pairs;
    std::vector<const MethodTimes*> onlyA;
    std::vector<const MethodTimes*> onlyB;
};

std::vector<std::string> namesOf(const std::vector<const MethodTimes*>& methods) {
    std::vector<std::string> names;
    for (const MethodTimes* each : methods) {
        names.push_back(each->method);
    }
    return names;
}

/// The samples of each launch.
std::vector<std::span<const double>> byLaunch(std::span<const double> samples,
                                              std::span<const std::size_t> launches) {
    std::vector<std::span<const double>> parts;
    for (const std::size_t count : launches) {
        const std::size_t here = std::min(count, samples.size());
        parts.push_back(samples.first(here));
        samples = samples.subspan(here);
    }
    return parts;
}

bool inLaunches(const MethodComparison& method) {
    return method.a->launches.size() > 1 && method.a->launches.size() == method.b->launches.size();
}

LaunchSamples launchSamples(const OperatorTimes& a, const OperatorTimes& b) {
    return {.a = byLaunch(a.samples, a.launches), .b = byLaunch(b.samples, b.launches)};
}

/// Clock resolutions derived from everything measured: the method's own clock and one per backend.
class Clocks {
  public:
    void add(const OperatorTimes& times) {
        const std::span<const double> samples = times.samples;
        const double found = clockResolution(std::span(&samples, 1));
        auto& known = resolutions[keyOf(times)];
        known = known == 0 || (found > 0 && found < known) ? found : known;
    }
    [[nodiscard]] double resolution(const OperatorTimes& times) const {
        const auto found = resolutions.find(keyOf(times));
        return found == resolutions.end() ? 0 : found->second;
    }

  private:
    static std::string keyOf(const OperatorTimes& times) {
        return times.kind == OperatorKind::DelegatedOperator ? "in " + times.backend : std::string();
    }
    std::map<std::string, double> resolutions;
};

void testTotals(std::vector<MethodComparison>& methods, const TestOptions& options) {
    std::vector<LaunchSamples> family;
    for (const MethodComparison& each : methods) {
        const std::array<std::span<const double>, 2> times{each.a->total, each.b->total};
        family.push_back({.a = byLaunch(each.a->total, each.a->launches),
                          .b = byLaunch(each.b->total, each.b->launches),
                          .resolution = clockResolution(times)});
    }
    const std::vector<TimeTest> tests = testLaunches(family, FamilyKind::Independent, options);
    for (std::size_t i = 0; i < methods.size(); ++i) {
        methods[i].total = tests[i];
    }
}

/// Tests rows of programs that were measured in the same launches.
void testRows(std::span<ComparisonRow* const> rows, const TestOptions& options) {
    Clocks clocks;
    for (const ComparisonRow* row : rows) {
        clocks.add(*row->a);
        clocks.add(*row->b);
    }
    std::vector<LaunchSamples> family;
    for (const ComparisonRow* row : rows) {
        family.push_back(launchSamples(*row->a, *row->b));
        family.back().resolution = std::max(clocks.resolution(*row->a), clocks.resolution(*row->b));
    }
    const std::vector<TimeTest> tests = testLaunches(family, FamilyKind::Process, options);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i]->test = tests[i];
    }
}

void fillTotals(std::vector<MethodComparison>& methods, const TestOptions& options) {
    if (std::ranges::all_of(methods, inLaunches)) {
        testTotals(methods, options);
        return;
    }
    std::vector<SamplePair> family;
    for (const MethodComparison& each : methods) {
        family.push_back({.a = each.a->total, .b = each.b->total});
    }
    std::vector<TimeTest> tests = testTimes(family, options);
    for (std::size_t i = 0; i < methods.size(); ++i) {
        methods[i].total = tests[i];
    }
}

std::vector<ComparisonRow> alignedRows(const MethodComparison& method) {
    std::vector<ComparisonRow> rows;
    for (const AlignedPair& pair : alignOperators(method.a->operators, method.b->operators)) {
        rows.push_back({.a = pair.a ? &method.a->operators[*pair.a] : nullptr,
                        .b = pair.b ? &method.b->operators[*pair.b] : nullptr,
                        .alignment = pair.alignment});
    }
    return rows;
}

/// An operator that exists on one side only: its whole time is the effect.
TimeTest testAlone(const ComparisonRow& row) {
    const double medianA = median(row.samplesA());
    const double medianB = median(row.samplesB());
    const double difference = medianB - medianA;
    return {.countA = row.samplesA().size(),
            .countB = row.samplesB().size(),
            .medianA = medianA,
            .medianB = medianB,
            .intervalA = {.low = medianA, .high = medianA},
            .intervalB = {.low = medianB, .high = medianB},
            .difference = difference,
            .differenceInterval = {.low = difference, .high = difference}};
}

/// Tests the rows of all methods together, so that the stated error rate holds for the whole report.
void fillRows(std::vector<MethodComparison>& methods, const TestOptions& options) {
    std::vector<ComparisonRow*> tested;
    std::vector<SamplePair> family;
    for (MethodComparison& method : methods) {
        method.rows = alignedRows(method);
        for (ComparisonRow& row : method.rows) {
            if (row.a != nullptr && row.b != nullptr) {
                tested.push_back(&row);
                family.push_back({.a = row.samplesA(), .b = row.samplesB()});
            } else {
                row.test = testAlone(row);
            }
        }
    }
    if (std::ranges::all_of(methods, inLaunches)) {
        testRows(tested, options);
    } else {
        const std::vector<TimeTest> tests = testTimes(family, options);
        for (std::size_t i = 0; i < tested.size(); ++i) {
            tested[i]->test = tests[i];
        }
    }
    for (MethodComparison& method : methods) {
        std::ranges::stable_sort(method.rows, std::greater<>(),
                                 [](const ComparisonRow& row) { return std::abs(row.effect()); });
    }
}

/// Marks rows undecided because of other load.
void blameOtherLoad(std::vector<MethodComparison>& methods, const Measurement& side) {
    if (!side.otherLoad || !side.otherLoad->isMuch()) {
        return;
    }
    const auto blame = [](TimeTest& test) {
        test.reason = test.reason == UndecidedReason::LaunchNoise ? UndecidedReason::OtherLoad : test.reason;
    };
    for (MethodComparison& method : methods) {
        blame(method.total);
        for (ComparisonRow& row : method.rows) {
            blame(row.test);
        }
    }
}

struct ValueMaker {
    Result<core::Value> operator()(std::monostate) const { return core::Value(); }
    Result<core::Value> operator()(const BundledTensor& tensor) const {
        ET_ASSIGN(const core::Tensor over, bundled_program::tensorOver(tensor));
        return core::Value(over);
    }
    template <class T>
    Result<core::Value> operator()(T number) const {
        return core::Value(number);
    }
};

Result<std::vector<OutputComparison>> compareOutputs(const Measurement& a, const Measurement& b,
                                                     const OutputElements& elements) {
    std::vector<OutputComparison> outputs;
    for (std::size_t inA = 0; inA < a.outputs.size(); ++inA) {
        const OutputSummary& output = a.outputs[inA];
        const auto other = std::ranges::find_if(b.outputs, [&](const OutputSummary& each) {
            return each.method == output.method && each.index == output.index;
        });
        if (other == b.outputs.end()) {
            continue;
        }
        const auto inB = static_cast<std::size_t>(other - b.outputs.begin());
        OutputComparison comparison{.method = output.method,
                                    .index = output.index,
                                    .equal = output.checksum == other->checksum,
                                    .elements = {}};
        if (inA < elements.a.size() && inB < elements.b.size()) {
            ET_ASSIGN(core::Value given, std::visit(ValueMaker{}, elements.b[inB]));
            comparison.elements = bundled_program::compare(given, elements.a[inA], elements.tolerances);
        }
        outputs.push_back(std::move(comparison));
    }
    return outputs;
}

/// Warns if a property differs between the sides.
template <class T>
void warnIfDifferent(std::vector<std::string>& warnings, const T& a, const T& b, const char* what) {
    if (!(a == b)) {
        warnings.push_back(fmt::format("{}: {} against {}", what, a, b));
    }
}

void compareSurroundings(std::vector<std::string>& warnings, const Measurement& a, const Measurement& b) {
    if (a.machine && b.machine) {
        warnIfDifferent(warnings, a.machine->cpu, b.machine->cpu, "measured on different processors");
        warnIfDifferent(warnings, a.machine->cores, b.machine->cores, "different numbers of processors");
        warnIfDifferent(warnings, a.machine->system, b.machine->system, "measured on different systems");
    }
    if (a.settings && b.settings) {
        warnIfDifferent(warnings, a.settings->threads, b.settings->threads, "different numbers of threads");
        warnIfDifferent(warnings, a.settings->inputs, b.settings->inputs, "different kinds of inputs");
        warnIfDifferent(warnings, a.settings->seed, b.settings->seed, "inputs of different seeds");
    }
}

void warnOfDrift(std::vector<std::string>& warnings, const Comparison& comparison) {
    for (const MethodComparison& each : comparison.methods) {
        for (const auto& [drift, side] : {std::pair(each.total.driftA, comparison.a.get()),
                                          std::pair(each.total.driftB, comparison.b.get())}) {
            if (drift) {
                warnings.push_back(fmt::format(
                    "{}: the runs of {} get slower or faster from first to last{}", side->name,
                    each.a->method, comparison.options.interleaved ? "" : ": this widens the intervals"));
            }
        }
    }
}

}  // namespace

std::string_view name(Alignment alignment) {
    return alignments[static_cast<std::size_t>(alignment)].name;
}

bool Comparison::betweenLaunches() const {
    return !methods.empty() && std::ranges::all_of(methods, inLaunches);
}

bool Comparison::slower() const {
    return std::ranges::any_of(
        methods, [](const MethodComparison& each) { return each.total.verdict == TimeVerdict::Slower; });
}

bool Comparison::outputsDiffer() const {
    return std::ranges::any_of(outputs, [](const OutputComparison& each) {
        return each.elements ? !each.elements->agrees() : !each.equal;
    });
}

Result<std::shared_ptr<const Comparison>> compareMeasurements(std::shared_ptr<const Measurement> a,
                                                              std::shared_ptr<const Measurement> b,
                                                              const ComparisonOptions& options,
                                                              const OutputElements& outputs) {
    ET_TRY(check(options));
    if (a->cycles != b->cycles) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("{} is in cycles and {} is not: set the time scale of both",
                                (a->cycles ? a : b)->name, (a->cycles ? b : a)->name));
    }
    MethodPairs methods(*a, *b);
    if (methods.pairs.empty()) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("{} and {} have no executed method in common", a->name, b->name));
    }
    auto comparison = std::make_shared<Comparison>();
    comparison->options = options;
    comparison->options.test.paired = options.interleaved;
    comparison->methods = std::move(methods.pairs);
    comparison->onlyA = namesOf(methods.onlyA);
    comparison->onlyB = namesOf(methods.onlyB);
    fillTotals(comparison->methods, comparison->options.test);
    fillRows(comparison->methods, comparison->options.test);
    blameOtherLoad(comparison->methods, *b);
    ET_ASSIGN(comparison->outputs, compareOutputs(*a, *b, outputs));
    for (const auto& side : {a, b}) {
        for (const std::string& warning : side->warnings) {
            comparison->warnings.push_back(fmt::format("{}: {}", side->name, warning));
        }
    }
    compareSurroundings(comparison->warnings, *a, *b);
    comparison->a = std::move(a);
    comparison->b = std::move(b);
    warnOfDrift(comparison->warnings, *comparison);
    return std::shared_ptr<const Comparison>(std::move(comparison));
}

}  // namespace et::inspector
