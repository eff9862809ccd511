#include "app/tasks/lab/recorded_quantizers.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

namespace et::tasks {

using backends::xnnpack::Annotation;
using backends::xnnpack::ConstantChange;
using backends::xnnpack::PreparedModel;
using backends::xnnpack::QuantizationNumbers;
using backends::xnnpack::QuantizationSite;
using backends::xnnpack::QuantizedValue;
using backends::xnnpack::RemovedQuantizers;
using backends::xnnpack::SiteChoice;
using core::Result;

Result<RecordedQuantizers> RecordedQuantizers::match(const RemovedQuantizers& removed, PreparedModel& of) {
    RecordedQuantizers made;
    made.model = &of;
    ET_ASSIGN(auto source, PreparedModel::make(*removed.record, of.method().name()));
    ET_ASSIGN(const auto names,
              backends::xnnpack::matchingValues(source->method().graph(), of.method().graph()));
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

}  // namespace et::tasks
