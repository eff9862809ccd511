#include "backends/xnnpack/quantize/range_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace et::backends::xnnpack {
namespace {

float furthest(const ValueNumbers& numbers) {
    return numbers.finite ? std::max(std::abs(numbers.finite->low), std::abs(numbers.finite->high)) : 0;
}

class RuleFinder {
  public:
    RuleFinder(const PreparedModel& of, const Annotation& quantized, const Observations& observed)
        : model(of), annotation(quantized), observations(observed) {}

    [[nodiscard]] std::optional<RangeRule> of(std::size_t index) const {
        const QuantizationSite& site = model.sites()[index];
        std::vector<std::string_view> values;
        std::ranges::copy_if(site.operands, std::back_inserter(values),
                             [&](std::string_view value) { return scaleOf(value) != nullptr; });
        if (scaleOf(site.output) != nullptr) {
            values.push_back(site.output);
        }
        for (const std::string_view value : values) {
            if (std::string text = missing(value); !text.empty()) {
                return RangeRule{.site = index, .isPossible = false, .text = std::move(text)};
            }
        }
        for (const std::string_view value : values) {
            if (std::string text = unfit(value); !text.empty()) {
                return RangeRule{.site = index, .isPossible = true, .text = std::move(text)};
            }
        }
        if (std::string text = lost(site, values); !text.empty()) {
            return RangeRule{.site = index, .isPossible = true, .text = std::move(text)};
        }
        return std::nullopt;
    }

  private:
    /// The values that share the scale of a quantized value; null for other values.
    [[nodiscard]] const std::vector<std::string_view>* scaleOf(std::string_view value) const {
        const auto found = std::ranges::find(annotation.values, value, &QuantizedValue::value);
        return found == annotation.values.end() ? nullptr : &annotation.scales[found->scale];
    }

    /// The step of a quantized value; nothing if its range has none.
    [[nodiscard]] std::optional<float> stepOf(std::string_view value) const {
        const auto* const values = scaleOf(value);
        const auto observer = values == nullptr ? observations.end() : observations.find(*values);
        const auto range = observer == observations.end() ? std::nullopt : observer->second->range();
        const float step = range ? affineNumbers(*range, activationIntegers).scale : 0;
        return range && std::isfinite(step) ? std::optional(step) : std::nullopt;
    }

    /// Returns "its constant "mask"", or the name of the operator that computes the value.
    [[nodiscard]] std::string nameOf(std::string_view value) const {
        const auto& edge = model.method();
        const auto* input = edge.input(value);
        if (input != nullptr && edge.isConstant(value)) {
            return fmt::format("its constant \"{}\"", core::printable(input->target));
        }
        const auto op = model.operators().producer(value);
        return core::printable(op ? model.operators()[*op].name : value);
    }

    /// Why a value has no scale.
    [[nodiscard]] std::string missing(std::string_view value) const {
        const ValueNumbers numbers = model.numbersSeen(value);
        if (!numbers.finite) {
            return fmt::format("{} held no finite number in any calibration case", nameOf(value));
        }
        return stepOf(value) ? std::string()
                             : fmt::format("no scale covers the numbers of {}: {:.4g} to {:.4g}",
                                           nameOf(value), numbers.finite->low, numbers.finite->high);
    }

    /// Numbers that no range contains.
    [[nodiscard]] std::string unfit(std::string_view value) const {
        const ValueNumbers numbers = model.numbersSeen(value);
        if (!numbers.minusInfinity && !numbers.plusInfinity && !numbers.notANumber) {
            return {};
        }
        const std::string_view number = numbers.minusInfinity ? "-inf" : numbers.plusInfinity ? "inf" : "NaN";
        return fmt::format("{} of {} does not fit a quantized range{}", number, nameOf(value),
                           numbers.minusInfinity ? ": a mask would be lost" : "");
    }

    /// An operand of a sum or concatenation whose numbers all become 0.
    [[nodiscard]] std::string lost(const QuantizationSite& site,
                                   const std::vector<std::string_view>& values) const {
        const bool joins = site.kind == SiteKind::Add || site.kind == SiteKind::Concatenate;
        const auto step = stepOf(site.output);
        if (!joins || !step || values.size() < 2) {
            return {};
        }
        const auto reach = [&](std::string_view value) { return furthest(model.numbersSeen(value)); };
        const std::string_view widest = *std::ranges::max_element(site.operands, {}, reach);
        for (const std::string_view value : site.operands) {
            if (reach(value) > 0 && reach(value) < *step / 2) {
                return fmt::format("its step of {:.4g}, set by {:.4g} of {}, rounds every number of {} to 0",
                                   *step, furthestNumber(widest), nameOf(widest), nameOf(value));
            }
        }
        return {};
    }

    [[nodiscard]] float furthestNumber(std::string_view value) const {
        const ValueRange range = model.numbersSeen(value).finite.value_or(ValueRange());
        return std::abs(range.low) > std::abs(range.high) ? range.low : range.high;
    }

    const PreparedModel& model;
    const Annotation& annotation;
    const Observations& observations;
};

}  // namespace

std::vector<RangeRule> rangeRules(const PreparedModel& model, const Annotation& annotation,
                                  const Observations& observations) {
    const RuleFinder finder(model, annotation, observations);
    std::vector<RangeRule> rules;
    for (std::size_t i = 0; i < model.sites().size(); ++i) {
        const QuantizationSite& site = model.sites()[i];
        const auto output = std::ranges::find(annotation.values, site.output, &QuantizedValue::value);
        const bool isStatic = site.rule.empty() && output != annotation.values.end() && output->everyReader;
        if (auto rule = isStatic ? finder.of(i) : std::nullopt) {
            rules.push_back(*std::move(rule));
        }
    }
    return rules;
}

}  // namespace et::backends::xnnpack
