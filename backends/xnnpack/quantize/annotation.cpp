#include "backends/xnnpack/quantize/annotation.h"

#include "backends/reference/node_values.h"

#include <algorithm>
#include <map>
#include <utility>

namespace et::backends::xnnpack {
namespace {

/// Values quantized so far, in classes that share a scale.
class SharedScales {
  public:
    explicit SharedScales(const lowering::EdgeMethod& of) : method(of) {}

    QuantizedValue& at(std::string_view value) {
        const auto [place, isNew] = index.try_emplace(value, values.size());
        if (isNew) {
            values.push_back({.value = value, .scale = values.size()});
            parents.push_back(parents.size());
        }
        return values[place->second];
    }
    [[nodiscard]] bool isQuantizedForAll(std::string_view value) const {
        const auto place = index.find(value);
        return place != index.end() && values[place->second].everyReader;
    }
    void share(std::string_view left, std::string_view right) {
        const std::size_t first = root(at(left).scale);
        parents[root(at(right).scale)] = first;
    }
    void read(std::string_view value, std::size_t op) { at(value).readers.push_back(op); }

    /// Numbers the classes; values are in graph order.
    Annotation finish() && {
        std::ranges::sort(values, {}, [&](const QuantizedValue& each) { return placeOf(each.value); });
        Annotation made;
        std::map<std::size_t, std::size_t> numbers;
        for (QuantizedValue& each : values) {
            each.scale = numbers.try_emplace(root(each.scale), numbers.size()).first->second;
            made.scales.resize(numbers.size());
            made.scales[each.scale].push_back(each.value);
        }
        made.values = std::move(values);
        return made;
    }

  private:
    [[nodiscard]] std::size_t root(std::size_t of) const {
        while (parents[of] != of) {
            of = parents[of];
        }
        return of;
    }
    /// Inputs in order, then results of nodes.
    [[nodiscard]] std::pair<std::size_t, std::size_t> placeOf(std::string_view value) const {
        if (const auto node = method.producer(value)) {
            return {1, *node};
        }
        const auto& specs = method.graph().inputSpecs;
        return {0, static_cast<std::size_t>(std::ranges::find(specs, value, &etrecord::InputSpec::value) -
                                            specs.begin())};
    }

    const lowering::EdgeMethod& method;
    std::map<std::string_view, std::size_t> index;
    std::vector<QuantizedValue> values;
    std::vector<std::size_t> parents;
};

void addSite(const QuantizationSite& site, SharedScales& scales) {
    for (const std::string_view operand : site.operands) {
        scales.read(operand, site.op);
    }
    scales.at(site.output).everyReader = true;
    if (site.kind == SiteKind::Concatenate || site.kind == SiteKind::AveragePool) {
        for (const std::string_view operand : site.operands) {
            scales.share(operand, site.output);
        }
    }
}

/// The first value read by an operator's first node; empty if it reads none.
std::string_view firstOperand(const lowering::EdgeMethod& method, const ExportedOperator& op) {
    const auto& inputs = method.node(op.nodes.front()).inputs;
    return inputs.empty() ? std::string_view() : lowering::valueName(&inputs.front());
}

/// Operators whose results a pattern quantizes, or would quantize without the relu.
std::vector<bool> annotatedOperators(const ExportedOperators& operators,
                                     std::span<const QuantizationSite> sites,
                                     std::span<const SiteChoice> choices) {
    std::vector<bool> annotated(operators.all().size(), false);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        const bool isStatic = choices[i].scheme.kind == SchemeKind::Static8;
        if (isStatic && sites[i].rule.empty() && (choices[i].weight || choices[i].activations)) {
            annotated[sites[i].op] = true;
            if (sites[i].relu) {
                annotated[*sites[i].relu] = true;
            }
        }
    }
    return annotated;
}

void addWeights(std::span<const QuantizationSite> sites, std::span<const SiteChoice> choices,
                Annotation& made) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
        const QuantizationScheme& scheme = choices[i].scheme;
        if (!sites[i].rule.empty() || !choices[i].weight) {
            continue;
        }
        if (scheme.kind == SchemeKind::Half) {
            made.halves.push_back(i);
        } else if (sites[i].hasWeight()) {
            made.weights.push_back(i);
            if (scheme.kind != SchemeKind::Static8) {
                made.others.emplace(i, scheme);
            }
        }
    }
}

}  // namespace

QuantizationScheme Annotation::schemeOf(std::size_t site) const {
    const auto found = others.find(site);
    return found == others.end() ? QuantizationScheme() : found->second;
}

Annotation annotate(const lowering::EdgeMethod& method, const ExportedOperators& operators,
                    std::span<const QuantizationSite> sites, std::span<const SiteChoice> choices) {
    SharedScales scales(method);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        const bool isStatic = choices[i].scheme.kind == SchemeKind::Static8;
        if (sites[i].rule.empty() && isStatic && choices[i].activations) {
            addSite(sites[i], scales);
        }
    }
    const std::vector<bool> annotated = annotatedOperators(operators, sites, choices);
    for (std::size_t i = 0; i < operators.all().size(); ++i) {
        const ExportedOperator& op = operators[i];
        const std::string_view operand = firstOperand(method, op);
        if (annotated[i] || !sharesScale(op) || op.output.empty() || !scales.isQuantizedForAll(operand)) {
            continue;
        }
        scales.at(op.output).everyReader = true;
        scales.read(operand, i);
        scales.share(operand, op.output);
    }
    Annotation made = std::move(scales).finish();
    addWeights(sites, choices, made);
    return made;
}

}  // namespace et::backends::xnnpack
