#include "app/tasks/lab/undelegated.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/operator_curves.h"
#include "app/tasks/lab/lower_run.h"
#include "app/tasks/lab/site_report.h"
#include "app/tasks/lab/work_folder.h"
#include "inspector/delegates/delegates.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"
#include "inspector/numeric_gap/reference_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using backends::lowering::LoweredMethod;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::Measurement;
using inspector::OperatorKind;
using inspector::OperatorTimes;
using NodeNames = std::set<std::string, std::less<>>;

bool isQuantizerNode(const etrecord::Node& node) {
    return inspector::isQuantization(inspector::names::detail::nodeOperator(node.op));
}

/// Returns the nodes of a method's graph that a program's delegates compute. Contradictions are added to
/// `warnings`.
Result<NodeNames> delegatedNodes(const UndelegatedSettings& settings, const etrecord::Record& record,
                                 std::vector<std::string>& warnings) {
    NodeNames names;
    if (settings.model.empty()) {
        return names;
    }
    ET_ASSIGN(const ProgramFile file, ProgramFile::open(settings.model));
    ET_ASSIGN(const auto report, inspector::delegatesOf({.program = *file.program, .record = &record}));
    warnings = report.warnings;
    std::size_t calls = 0;
    for (const inspector::MethodDelegates& method : report.methods) {
        for (const inspector::DelegateReport& delegate : method.delegates) {
            calls += delegate.calls.size();
            for (const inspector::DelegateCallSite& call : delegate.calls) {
                for (const etrecord::Node* node : call.nodes) {
                    names.insert(node->name);
                }
            }
        }
    }
    if (calls > 0 && names.empty()) {
        return fail(ErrorCode::Format,
                    fmt::format("expected the ETRecord of {}, got one without any node of its delegates",
                                settings.model.string()),
                    {.file = settings.record.string(), .field = {}, .offset = {}});
    }
    return names;
}

/// A program built for a measurement.
struct LoweredVariant {
    LowerResult made;
    ProgramToMeasure files;
    const LoweredMethod* method = nullptr;  ///< of `made`

    /// The method's delegate calls.
    [[nodiscard]] std::size_t delegates() const { return method->partition.parts.size(); }
};

double medianRun(const Measurement& measurement) {
    return measurement.methods.empty() ? 0 : computeMedian(measurement.methods.front().total);
}

/// Builds and measures programs until the time is up.
class UndelegatedRun {
  public:
    UndelegatedRun(const UndelegatedSettings& asked, WorkFolder folder)
        : settings(asked), work(std::move(folder)) {}

    Result<UndelegatedReport> run();

  private:
    Result<std::shared_ptr<LoweredVariant>> make(std::string_view name, const NodeNames& nodes) const;
    Result<std::shared_ptr<LoweredVariant>> makeAll() const;
    Result<std::shared_ptr<LoweredVariant>> finish(LowerSettings what, std::string_view name) const;
    Result<MeasuredProgram> measureOne(const LoweredVariant& variant) const;
    Result<std::optional<MeasuredGain>> gainOf(const LoweredVariant& variant) const;
    Result<std::optional<double>> timeAlone(const NodeNames& nodes) const;
    void listWorks(const LoweredVariant& everything, const Measurement& measurement);
    void addWork(UndelegatedWork work);
    Result<> measureWork(UndelegatedWork& each) const;
    Result<> measureWorks();
    [[nodiscard]] NodeNames withQuantizers(const NodeNames& wanted) const;
    [[nodiscard]] bool isTimeOver() const;

    const UndelegatedSettings& settings;
    WorkFolder work;
    std::shared_ptr<const etrecord::Record> record;
    NodeNames inside;  ///< currently delegated nodes
    std::shared_ptr<LoweredVariant> now;
    UndelegatedReport report;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

Result<std::shared_ptr<LoweredVariant>> UndelegatedRun::finish(LowerSettings what,
                                                               std::string_view name) const {
    auto variant = std::make_shared<LoweredVariant>();
    what.record = settings.record;
    what.output = work.file(fmt::format("{}.pte", name));
    what.recordOutput = work.file(fmt::format("{}.etrecord", name));
    variant->files = {.file = what.output, .record = what.recordOutput};
    ET_ASSIGN(variant->made, lowerOpened(record, what));
    variant->method = &*std::ranges::find(variant->made.lowered.methods, report.method, &LoweredMethod::name);
    return variant;
}

Result<std::shared_ptr<LoweredVariant>> UndelegatedRun::make(std::string_view name,
                                                             const NodeNames& nodes) const {
    LowerSettings what;
    what.backend = nodes.empty() ? LowerBackend::None : LowerBackend::Xnnpack;
    what.only = {nodes.begin(), nodes.end()};
    return finish(std::move(what), name);
}

Result<std::shared_ptr<LoweredVariant>> UndelegatedRun::makeAll() const {
    return finish(LowerSettings(), "all");
}

Result<MeasuredProgram> UndelegatedRun::measureOne(const LoweredVariant& variant) const {
    const std::array programs{variant.files};
    ET_ASSIGN(auto measured, measurePrograms(programs, settings.options, gainRepetitions(report.total, 1),
                                             settings.progress));
    return std::move(measured.front());
}

Result<std::optional<MeasuredGain>> UndelegatedRun::gainOf(const LoweredVariant& variant) const {
    return measureGain(now->files, variant.files, settings.options,
                       gainRepetitions(report.total, gainLaunches), settings.progress);
}

/// Adds the quantize and dequantize nodes of the nodes' inputs, and the quantize nodes of their results.
NodeNames UndelegatedRun::withQuantizers(const NodeNames& wanted) const {
    const auto& nodes = now->method->graph->nodes;
    NodeNames names = wanted;
    std::set<std::string_view> reads;
    std::set<std::string_view> makes;
    // In reverse order: a dequantize node requires the quantize node before it.
    for (const etrecord::Node& each : nodes | std::views::reverse) {
        const bool isWanted = wanted.contains(each.name);
        const auto made = inspector::valueNames(each.outputs);
        const auto isRead = [&](std::string_view value) { return reads.contains(value); };
        if (isWanted) {
            makes.insert(made.begin(), made.end());
        }
        if (isWanted || (isQuantizerNode(each) && std::ranges::any_of(made, isRead))) {
            names.insert(each.name);
            std::ranges::copy(inspector::valueNames(each.inputs), std::inserter(reads, reads.end()));
        }
    }
    for (const etrecord::Node& each : nodes) {
        const auto isMade = [&](std::string_view value) { return makes.contains(value); };
        if (isQuantizerNode(each) && std::ranges::any_of(inspector::valueNames(each.inputs), isMade)) {
            names.insert(each.name);
        }
    }
    return names;
}

/// Measures the time of delegate calls that contain only these nodes; nothing if they cannot be delegated on
/// their own.
Result<std::optional<double>> UndelegatedRun::timeAlone(const NodeNames& nodes) const {
    ET_ASSIGN(const auto variant, make("alone", nodes));
    if (variant->delegates() == 0) {
        return std::nullopt;
    }
    ET_ASSIGN(const MeasuredProgram measured, measureOne(*variant));
    double sum = 0;
    for (const OperatorTimes& each : measured.measurement.methods.front().operators) {
        sum += each.kind == OperatorKind::DelegateCall ? computeMedian(each.samples) : 0;
    }
    return sum;
}

/// Returns "layers.0" for "layers.0.attention" at depth 2.
std::string_view upTo(std::string_view module, std::size_t depth) {
    std::size_t end = 0;
    for (; depth > 0 && end != std::string_view::npos; --depth) {
        end = module.find('.', end == 0 ? 0 : end + 1);
    }
    return module.substr(0, end);
}

UndelegatedWork makeWork(const etrecord::Node& node) {
    return {.nodes = {node.name},
            .wanted = {},
            .op = node.op,
            .module = node.moduleStack.empty() ? std::string() : node.moduleStack.back().fqn,
            .line = pythonLine(node),
            .rule = {}};
}

/// Adds it to the work of its module, if grouping is enabled. Must be called in descending order of cost.
void UndelegatedRun::addWork(UndelegatedWork work) {
    ++report.operators;
    if (settings.depth > 0) {
        work.module = upTo(work.module, settings.depth);
        const auto same = std::ranges::find(report.works, work.module, &UndelegatedWork::module);
        if (same != report.works.end()) {
            same->nodes.push_back(work.nodes.front());
            std::ranges::move(work.wanted, std::back_inserter(same->wanted));
            same->op = fmt::format("{} operators", same->nodes.size());
            same->rule = same->rule.empty() ? std::move(work.rule) : std::move(same->rule);
            same->nanoseconds += work.nanoseconds;
            return;
        }
    }
    report.works.push_back(std::move(work));
}

void UndelegatedRun::listWorks(const LoweredVariant& everything, const Measurement& measurement) {
    std::map<core::InstructionId, double> times;
    for (const OperatorTimes& each : measurement.methods.front().operators) {
        if (each.kind == OperatorKind::Kernel) {
            times[each.instruction] += computeMedian(each.samples);
        }
    }
    const auto& nodes = now->method->graph->nodes;
    const auto& taken = everything.method->partition.decisions;
    std::vector<UndelegatedWork> works;
    for (const auto& [instruction, origin] : now->method->emitted.origins) {
        const auto* const node = std::get_if<const etrecord::Node*>(&origin);
        if (node == nullptr) {
            continue;
        }
        UndelegatedWork each = makeWork(**node);
        const auto time = times.find(instruction);
        each.nanoseconds = time == times.end() ? 0 : time->second;
        const auto found = std::ranges::find(nodes, (*node)->name, &etrecord::Node::name);
        if (found == nodes.end()) {
            each.rule = "it is inside control flow";
        } else if (const auto& decision = taken[static_cast<std::size_t>(found - nodes.begin())];
                   !decision.part) {
            each.rule = decision.rule.empty() ? "it contains nothing for XNNPACK to compute" : decision.rule;
        } else if (!isQuantizerNode(**node)) {  // added with the nodes that they belong to
            each.wanted = each.nodes;
        }
        works.push_back(std::move(each));
    }
    std::ranges::stable_sort(works, std::ranges::greater(), &UndelegatedWork::nanoseconds);
    for (UndelegatedWork& each : works) {
        addWork(std::move(each));
    }
    std::ranges::stable_sort(report.works, std::ranges::greater(), &UndelegatedWork::nanoseconds);
}

Result<> UndelegatedRun::measureWork(UndelegatedWork& each) const {
    NodeNames nodes = withQuantizers({each.wanted.begin(), each.wanted.end()});
    ET_ASSIGN(each.alone, timeAlone(nodes));
    nodes.insert(inside.begin(), inside.end());
    ET_ASSIGN(const auto with, make("with", nodes));
    ET_ASSIGN(each.gain, gainOf(*with));
    return {};
}

bool UndelegatedRun::isTimeOver() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return passed.count() > settings.seconds || InterruptionGuard::requested();
}

/// Interrupted measurements are dropped.
Result<> UndelegatedRun::measureWorks() {
    bool first = true;
    for (UndelegatedWork& each : report.works) {
        if (each.wanted.empty()) {
            continue;
        }
        if (!first && isTimeOver()) {
            ++report.unmeasured;
            continue;
        }
        first = false;
        UndelegatedWork measured = each;
        const auto done = measureWork(measured);
        if (InterruptionGuard::requested()) {
            ++report.unmeasured;
            continue;
        }
        ET_TRY(done);
        each = std::move(measured);
    }
    return {};
}

Result<UndelegatedReport> UndelegatedRun::run() {
    ET_ASSIGN(record, openRecord(settings.record));
    ET_ASSIGN(inside, delegatedNodes(settings, *record, report.warnings));
    auto chosen = chosenMethod(*record, settings.options.method);
    if (!chosen) {
        return std::unexpected(std::move(chosen).error().in(settings.record.string()));
    }
    report.method = *std::move(chosen);
    ET_ASSIGN(now, make("now", inside));
    ET_ASSIGN(const auto everything, makeAll());
    report.delegates = now->delegates();
    ET_ASSIGN(MeasuredProgram first, measureOne(*now));
    report.total = medianRun(first.measurement);
    std::ranges::copy(first.measurement.warnings, std::back_inserter(report.warnings));
    listWorks(*everything, first.measurement);
    const auto isWanted = [](const UndelegatedWork& each) { return !each.wanted.empty(); };
    if (std::ranges::any_of(report.works, isWanted)) {
        ET_ASSIGN(report.all, gainOf(*everything));
        ET_TRY(measureWorks());
    }
    // Differences within noise count as 0, whatever their size.
    std::ranges::stable_sort(report.works, std::ranges::greater(), [](const UndelegatedWork& each) {
        const bool isKnown = each.gain && each.gain->isCertain;
        return std::pair(isKnown ? each.gain->nanoseconds : 0.0, each.nanoseconds);
    });
    return std::move(report);
}

}  // namespace

double UndelegatedReport::outside() const {
    double sum = 0;
    for (const UndelegatedWork& each : works) {
        sum += each.nanoseconds;
    }
    return sum;
}

Result<UndelegatedReport> measureUndelegated(const UndelegatedSettings& settings) {
    ET_ASSIGN(WorkFolder folder, WorkFolder::make());
    return UndelegatedRun(settings, std::move(folder)).run();
}

}  // namespace et::tasks
