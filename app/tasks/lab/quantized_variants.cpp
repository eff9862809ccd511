#include "app/tasks/lab/quantized_variants.h"

#include "app/tasks/base/program_file.h"
#include "app/tasks/lab/case_runs.h"
#include "backends/xnnpack/quantize/range_rules.h"
#include "backends/xnnpack/quantize/weight_integers.h"
#include "runtime/kernels/builtin.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

namespace et::tasks {

using backends::reference::Interpreter;
using backends::xnnpack::Annotation;
using backends::xnnpack::ConstantChange;
using backends::xnnpack::PreparedModel;
using backends::xnnpack::QuantizationNumbers;
using backends::xnnpack::QuantizationSite;
using backends::xnnpack::QuantizedValue;
using backends::xnnpack::RemovedQuantizers;
using backends::xnnpack::SiteChoice;
using core::Result;

namespace {

constexpr int usualBits = 8;

/// The range that an observer's scale covers, which includes 0.
std::optional<backends::xnnpack::ValueRange> quantizedRange(
    const backends::xnnpack::RangeObserver& observer) {
    return observer.range().transform([](backends::xnnpack::ValueRange range) {
        return backends::xnnpack::ValueRange{.low = std::min(range.low, 0.0F),
                                             .high = std::max(range.high, 0.0F)};
    });
}

/// `recorded`: the quantizers come from a record.
Result<VariantCases> readAllCases(const VariantSettings& settings, const std::string& method,
                                  const etrecord::ExportedGraph& graph, bool recorded) {
    VariantCases cases;
    if (settings.calibration.empty() && (!recorded || settings.evaluation.empty())) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          recorded ? "no inputs to compare outputs on: give --evaluate"
                                   : "the graph has no quantizers: give calibration inputs with --calibrate");
    }
    if (!settings.calibration.empty()) {
        ET_ASSIGN(cases.calibration, readCases(settings.calibration, method, graph, settings.maxCases));
    }
    const auto& path = settings.evaluation.empty() ? settings.calibration : settings.evaluation;
    ET_ASSIGN(cases.evaluation, readCases(path, method, graph, settings.maxCases));
    return cases;
}

}  // namespace

Result<RecordedQuantizers> RecordedQuantizers::match(const RemovedQuantizers& removed, PreparedModel& of) {
    RecordedQuantizers made;
    made.model = &of;
    ET_ASSIGN(auto source, PreparedModel::make(*removed.record, of.method().name()));
    ET_ASSIGN(const auto names, backends::xnnpack::matchingValues({source->method(), source->operators()},
                                                                  {of.method(), of.operators()}));
    const auto named = [&](const std::string& value) {
        const auto found = names.find(value);
        return found == names.end() ? value : found->second;
    };
    for (const auto& [value, numbers] : removed.numbers) {
        made.numbers.emplace(named(value), numbers);
    }
    for (const std::string& value : removed.constants) {
        ET_ASSIGN(made.constants[named(value)], source->method().tensor(value));
    }
    const std::vector<SiteChoice> all(of.sites().size(), {.weight = true, .activations = true});
    Annotation whole = backends::xnnpack::annotate(of.method(), of.operators(), of.sites(), all);
    for (const auto& [value, numbers] : made.numbers) {
        const bool isWeight = std::ranges::contains(of.sites(), value, &QuantizationSite::weight);
        if (!isWeight && !std::ranges::contains(whole.values, value, &QuantizedValue::value)) {
            made.strangers.push_back(value);
        }
    }
    made.restrict(whole, false);
    made.shared.insert(whole.scales.begin(), whole.scales.end());
    return made;
}

std::string RecordedQuantizers::ruleOf(const QuantizationSite& site) const {
    const bool known =
        numbers.contains(site.output) || constants.contains(site.weight) ||
        std::ranges::any_of(site.operands, [&](std::string_view each) { return numbers.contains(each); });
    return known ? std::string() : "it is float in the quantized record";
}

void RecordedQuantizers::restrict(Annotation& annotation, bool others) const {
    std::erase_if(annotation.values,
                  [&](const QuantizedValue& each) { return !numbers.contains(each.value); });
    // Values that share a scale by the rules do so here, too, unless another quantizer wrote the record.
    std::map<std::tuple<std::size_t, float, std::int32_t>, std::size_t> known;
    annotation.scales.clear();
    for (QuantizedValue& each : annotation.values) {
        const QuantizationNumbers& own = numbers.find(each.value)->second;
        const auto [place, isNew] =
            known.try_emplace({each.scale, own.scale, own.zeroPoint}, annotation.scales.size());
        if (isNew) {
            annotation.scales.emplace_back();
        }
        each.scale = place->second;
        annotation.scales[each.scale].push_back(each.value);
    }
    std::erase_if(annotation.weights,
                  [&](std::size_t site) { return !constants.contains(model->sites()[site].weight); });
    if (others) {
        for (const std::string_view value : strangers) {
            annotation.values.push_back(
                {.value = value, .everyReader = true, .scale = annotation.scales.size()});
            annotation.scales.push_back({value});
        }
    }
}

std::optional<QuantizationNumbers> RecordedQuantizers::numbersOf(
    std::span<const std::string_view> values) const {
    const bool same = shared.contains(std::vector<std::string_view>(values.begin(), values.end())) ||
                      std::ranges::contains(strangers, values.front());
    return same ? std::optional(nearestNumbers(values)) : std::nullopt;
}

QuantizationNumbers RecordedQuantizers::nearestNumbers(std::span<const std::string_view> values) const {
    const auto found = numbers.find(values.front());
    return found == numbers.end() ? QuantizationNumbers() : found->second;
}

std::vector<ConstantChange> RecordedQuantizers::weights(const Annotation& annotation) const {
    std::vector<ConstantChange> changes;
    for (const std::size_t index : annotation.weights) {
        const QuantizationSite& site = model->sites()[index];
        if (const auto found = constants.find(site.weight); found != constants.end()) {
            changes.push_back({.op = site.op, .value = std::string(site.weight), .tensor = found->second});
        }
    }
    return changes;
}

QuantizedVariants::QuantizedVariants(const VariantSettings& given, std::string of)
    : settings(given),
      methodName(std::move(of)),
      options{.kernels = kernels::builtin(), .threads = single, .cancel = given.cancel} {
}

Result<std::unique_ptr<QuantizedVariants>> QuantizedVariants::open(const etrecord::Record& record,
                                                                   const std::string& method,
                                                                   const VariantSettings& settings) {
    std::unique_ptr<QuantizedVariants> made(new QuantizedVariants(settings, method));
    ET_TRY(made->prepare(record));
    ET_ASSIGN(made->reports, siteReports(*made->prepared, {.keep = settings.keep}));
    if (made->recorded) {
        for (std::size_t i = 0; i < made->reports.size(); ++i) {
            std::string& rule = made->reports[i].rule;
            rule = rule.empty() ? made->recorded->ruleOf(made->prepared->sites()[i]) : rule;
        }
    }
    ET_ASSIGN(made->cases,
              readAllCases(settings, method, made->prepared->method().graph(), made->recorded.has_value()));
    return made;
}

Result<> QuantizedVariants::findRangeRules() {
    std::vector<SiteChoice> choices = choicesOf(reports);
    for (bool changes = !recorded && !cases.calibration.empty(); changes;) {
        changes = false;
        const Annotation all = annotate(choices);
        ET_TRY(calibrate({&all, 1}));
        for (auto& rule : backends::xnnpack::rangeRules(*prepared, all, observed)) {
            if (!rule.isPossible) {
                choices[rule.site] = {};
                reports[rule.site].staticRule = rule.text;
                changes = true;
            }
            reports[rule.site].rangeRule = std::move(rule.text);
        }
    }
    return {};
}

/// Prepares the float graph and the recorded quantizers.
Result<> QuantizedVariants::prepare(const etrecord::Record& record) {
    ET_ASSIGN(const bool isQuantized, backends::xnnpack::hasQuantizers(record, methodName));
    if (isQuantized && !settings.quantized.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "the graph is already quantized: give the record of the float model first, then "
                          "the quantized one");
    }
    if (isQuantized) {
        ET_ASSIGN(const auto removed, backends::xnnpack::removeQuantizers(record, methodName, options));
        ET_ASSIGN(prepared, PreparedModel::make(*removed.record, methodName));
        ET_ASSIGN(recorded, RecordedQuantizers::match(removed, *prepared));
        return {};
    }
    ET_ASSIGN(prepared, PreparedModel::make(record, methodName));
    if (!settings.quantized.empty()) {
        ET_ASSIGN(const auto other, openRecord(settings.quantized));
        const auto named = [&](core::Error error) {
            return std::move(error).in(settings.quantized.string());
        };
        ET_ASSIGN(const auto removed,
                  backends::xnnpack::removeQuantizers(*other, methodName, options).transform_error(named));
        ET_ASSIGN(recorded, RecordedQuantizers::match(removed, *prepared).transform_error(named));
    }
    return {};
}

QuantizerSource QuantizedVariants::source() const {
    return !recorded                    ? QuantizerSource::Calibration
           : settings.quantized.empty() ? QuantizerSource::Record
                                        : QuantizerSource::Both;
}

Result<> QuantizedVariants::runFloat(const backends::reference::NodeObserver& observer) {
    ET_ASSIGN(const auto interpreter, Interpreter::edge(prepared->record(), methodName, options));
    for (const CalibrationCase& each : cases.evaluation) {
        ET_ASSIGN(auto outputs, interpreter->run(each, observer));
        floatOutputs.push_back(std::move(outputs));
    }
    return {};
}

QuantizedVariants::Annotation QuantizedVariants::annotate(std::span<const SiteChoice> choices,
                                                          bool others) const {
    Annotation made =
        backends::xnnpack::annotate(prepared->method(), prepared->operators(), prepared->sites(), choices);
    if (recorded) {
        recorded->restrict(made, others);
    }
    return made;
}

Result<> QuantizedVariants::calibrate(std::span<const Annotation> annotations) {
    if (cases.calibration.empty()) {
        return {};
    }
    if (!recorded) {
        return prepared->calibrate(cases.calibration, annotations, settings.observer, options, observed);
    }
    std::vector<Annotation> unknown(annotations.begin(), annotations.end());
    for (Annotation& each : unknown) {
        std::erase_if(each.scales, [&](const auto& values) { return recorded->numbersOf(values); });
    }
    return prepared->calibrate(cases.calibration, unknown, settings.observer, options, observed);
}

Result<> QuantizedVariants::calibrateDraws(std::span<const Annotation> annotations, unsigned draws) {
    if (recorded) {
        return {};
    }
    for (unsigned draw = 1; draw <= draws; ++draw) {
        ET_TRY(prepared->calibrate(cases.calibration, annotations, settings.observer, options,
                                   drawn.emplace_back(), draw));
    }
    return {};
}

Result<QuantizedVariants::Numbers> QuantizedVariants::numbersOf(const Annotation& annotation) const {
    if (!recorded) {
        return PreparedModel::numbersOf(annotation, observed);
    }
    Numbers numbers;
    for (const auto& values : annotation.scales) {
        auto known = recorded->numbersOf(values);
        if (const auto seen = observed.find(values); !known && seen != observed.end()) {
            ET_ASSIGN(const Numbers found,
                      PreparedModel::numbersOf({.values = {}, .scales = {values}, .weights = {}}, observed));
            known = found.front();
        }
        numbers.push_back(known ? *known : recorded->nearestNumbers(values));
    }
    return numbers;
}

QuantizedVariants::Ranges QuantizedVariants::ranges(const std::vector<std::string_view>& values) const {
    if (const auto known = recorded ? recorded->numbersOf(values) : std::nullopt) {
        return {.used = backends::xnnpack::rangeOf(*known, backends::xnnpack::activationIntegers)};
    }
    const auto found = observed.find(values);
    return found == observed.end()
               ? Ranges()
               : Ranges{.used = quantizedRange(*found->second), .calibrated = found->second->seen()};
}

Result<std::shared_ptr<const etrecord::Record>> QuantizedVariants::recordOf(
    const Annotation& annotation, std::span<const backends::xnnpack::QuantizationNumbers> numbers,
    std::span<const backends::xnnpack::ConstantChange> changes) const {
    return prepared->quantized(annotation, numbers, changes);
}

Result<std::shared_ptr<const etrecord::Record>> QuantizedVariants::record(
    const Annotation& annotation) const {
    ET_ASSIGN(const auto numbers, numbersOf(annotation));
    if (!recorded) {
        return recordOf(annotation, numbers, {});
    }
    Annotation activations = annotation;
    activations.weights.clear();
    return recordOf(activations, numbers, recorded->weights(annotation));
}

Result<OutputError> QuantizedVariants::measureRecord(const etrecord::Record& variant) const {
    ET_ASSIGN(const auto outputs, runCases(variant, methodName, cases.evaluation, options, settings.threads));
    return measureOutputError(floatOutputs, outputs);
}

Result<OutputError> QuantizedVariants::measureWith(
    std::span<const backends::xnnpack::ConstantChange> changes) const {
    ET_ASSIGN(const auto variant, recordOf({}, {}, changes));
    return measureRecord(*variant);
}

Result<OutputError> QuantizedVariants::measure(const Annotation& annotation) const {
    ET_ASSIGN(const auto variant, record(annotation));
    return measureRecord(*variant);
}

Result<std::vector<OutputError>> QuantizedVariants::measureDraws(const Annotation& annotation) const {
    std::vector<OutputError> measured;
    for (const auto& observations : drawn) {
        ET_ASSIGN(const auto numbers, PreparedModel::numbersOf(annotation, observations));
        ET_ASSIGN(const auto variant, recordOf(annotation, numbers, {}));
        ET_ASSIGN(measured.emplace_back(), measureRecord(*variant));
    }
    return measured;
}

Result<OutputError> QuantizedVariants::measureWeights(
    const Annotation& annotation, std::span<const backends::xnnpack::ConstantChange> weights,
    int activationBits) const {
    ET_ASSIGN(auto numbers, numbersOf(annotation));
    // Each step is divided into several: the ranges are kept, regardless of the minimum scale for eight bits.
    const std::int32_t parts = std::int32_t{1} << (activationBits - usualBits);
    for (backends::xnnpack::QuantizationNumbers& each : numbers) {
        each = {.scale = each.scale / static_cast<float>(parts),
                .zeroPoint = each.zeroPoint * parts,
                .integers = backends::xnnpack::integersOf(activationBits)};
    }
    Annotation activations = annotation;
    activations.weights.clear();
    ET_ASSIGN(const auto variant, recordOf(activations, numbers, weights));
    return measureRecord(*variant);
}

Result<OutputError> QuantizedVariants::measureBits(const Annotation& annotation, Bits bits) const {
    std::vector<backends::xnnpack::ConstantChange> weights;
    if (recorded && (bits.weights == usualBits || source() == QuantizerSource::Record)) {
        weights = recorded->weights(annotation);
    } else {
        for (const std::size_t index : annotation.weights) {
            const auto& site = prepared->sites()[index];
            ET_ASSIGN(const auto weight, prepared->method().tensor(site.weight));
            weights.push_back(
                {.op = site.op,
                 .value = std::string(site.weight),
                 .tensor = backends::xnnpack::roundedChannels(weight.view, site.weightAxis(), bits.weights)});
        }
    }
    return measureWeights(annotation, weights, bits.activations);
}

}  // namespace et::tasks
