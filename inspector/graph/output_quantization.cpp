#include "inspector/graph/output_quantization.h"

#include "inspector/graph/graph_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

namespace et::inspector {

using core::GraphAttribute;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

/// Substrings in names of operators that only move elements or change their dtype.
constexpr std::array movers = std::to_array<std::string_view>(
    {"view", "reshape", "Reshape", "permute", "transpose", "Transpose", "::t_copy", "squeeze", "clone",
     "dim_order", "alias", "detach", "copy_", "slice", "Slice", "select", "expand", "Copy", "MoveCall"});

const std::string* find(const std::vector<GraphAttribute>& attributes, std::string_view name) {
    const auto found = std::ranges::find(attributes, name, &GraphAttribute::name);
    return found == attributes.end() ? nullptr : &found->text;
}

/// Scale of a quantized value, or of an operator that quantizes or dequantizes with one scale.
std::optional<double> scaleIn(const std::vector<GraphAttribute>& attributes) {
    const std::string* text = find(attributes, "scale");
    double scale = 0;
    if (text == nullptr) {
        return std::nullopt;
    }
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), scale);
    const bool isNumber =
        error == std::errc() && end == text->data() + text->size() && std::isfinite(scale) && scale > 0;
    return isNumber ? std::optional(scale) : std::nullopt;
}

/// Origin of a value.
struct Origin {
    bool activations = false;
    bool floatsBetween = false;
    bool integers = false;  ///< quantized, and not a weight
    bool computed = false;  ///< a float that was computed, not only moved or dequantized
    bool live = false;      ///< depends on an input, unlike weights
    bool half = false;      ///< computed from float16
    bool brain = false;     ///< computed from bfloat16
    std::optional<double> step{};
};

/// `programs`: dtype of a program's tensor; `inside`: of a value inside a delegate.
bool isOf(const GraphValue& value, std::string_view programs, std::string_view inside) {
    return value.type.starts_with(programs) || value.type.starts_with(inside);
}

class Walk {
  public:
    explicit Walk(const ModelGraph& of) : graph(of), origins(of.values().size()) {
        for (std::size_t i = 0; i < origins.size(); ++i) {
            origins[i].live = graph.values()[i].role == GraphValue::Role::Input;
        }
        for (const GraphNode& node : graph.nodes()) {
            visit(node);
        }
    }

    [[nodiscard]] const Origin& of(std::size_t value) const { return origins[value]; }

  private:
    void visit(const GraphNode& node) {
        const QuantizationRole role = quantizationRole(node);
        const bool moves = isConversion(node) || role != QuantizationRole::Compute ||
                           std::ranges::any_of(movers, [&](auto each) { return node.kind.contains(each); });
        Origin before;
        for (const GraphValueId id : node.inputs) {
            add(before, origins[id.value]);
        }
        for (const GraphValueId id : node.outputs) {
            origins[id.value] = after(node, graph.value(id), role, moves, before);
        }
    }

    /// Whether a node quantizes, dequantizes or changes the scale.
    static bool isConversion(const GraphNode& node) { return node.kind.contains("Convert"); }

    /// The first input with a step decides; it is the only input of a node that only moves elements.
    static void add(Origin& to, const Origin& from) {
        to.activations |= from.activations;
        to.floatsBetween |= from.floatsBetween;
        to.computed |= from.computed;
        to.live |= from.live;
        to.half |= from.half;
        to.brain |= from.brain;
        to.step = to.step ? to.step : from.step;
    }

    static Origin after(const GraphNode& node, const GraphValue& value, QuantizationRole role, bool moves,
                        const Origin& before) {
        Origin made = before;
        made.half |= before.live && isOf(value, "float16 ", "fp16 ");
        made.brain |= before.live && isOf(value, "bfloat16 ", "bf16 ");
        made.integers = isQuantized(node, value, role);
        if (made.integers) {
            made.floatsBetween |= before.activations && before.computed;
            made.activations = true;
            made.computed = false;
            made.step = scaleIn(value.attributes);
            made.step = made.step ? made.step : moves ? scaleOf(node, role, before) : std::nullopt;
        } else if (!moves) {
            made.computed = true;
            made.step.reset();
        } else if (role == QuantizationRole::Dequantize) {
            made.step = before.activations ? scaleIn(node.attributes) : std::nullopt;
        }
        return made;
    }

    static std::optional<double> scaleOf(const GraphNode& node, QuantizationRole role, const Origin& before) {
        return role == QuantizationRole::Quantize ? scaleIn(node.attributes) : before.step;
    }

    /// Decided by the value's description (inside a delegate), or by the operator.
    static bool isQuantized(const GraphNode& node, const GraphValue& value, QuantizationRole role) {
        if (find(value.attributes, "quantization") != nullptr) {
            return true;
        }
        const bool ownOperator =
            node.kind.contains("quantized_") && !node.kind.contains("quantized_decomposed");
        const bool integers = value.type.starts_with("int8") || value.type.starts_with("uint8") ||
                              value.type.starts_with("int16");
        return (role == QuantizationRole::Quantize || ownOperator) && integers;
    }

    const ModelGraph& graph;
    std::vector<Origin> origins;  ///< by value
};

}  // namespace

std::vector<OutputQuantization> outputQuantization(const ModelGraph& graph, const program::Method& method) {
    const Walk walk(graph);
    std::vector<OutputQuantization> found;
    for (const program::ValueId id : method.outputs) {
        const std::string name = fmt::format("v{}", id.value);
        const auto output = std::ranges::find_if(graph.values(), [&](const GraphValue& value) {
            return value.role == GraphValue::Role::Output && value.name == name;
        });
        if (output == graph.values().end()) {
            found.emplace_back();
            continue;
        }
        const Origin& origin = walk.of(static_cast<std::size_t>(output - graph.values().begin()));
        found.push_back({.activations = origin.activations,
                         .floatsBetween = origin.floatsBetween,
                         .step = origin.integers || !origin.computed ? origin.step : std::nullopt,
                         .reducedFloat = origin.brain  ? std::optional(core::ScalarType::BFloat16)
                                         : origin.half ? std::optional(core::ScalarType::Half)
                                                       : std::nullopt});
    }
    return found;
}

}  // namespace et::inspector
