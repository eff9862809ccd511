#include "inspector/join/delegate_operators.h"

#include "inspector/names/operator_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::inspector::join::detail {
namespace {

using executor::Backend;
using executor::OperatorFamily;
using executor::TraceConventions;
using Names = std::span<const std::string_view>;

bool isSpoken(const Backend& backend, Names names) {
    const auto isOperator = backend.traceConventions().isOperator;
    return isOperator != nullptr && std::ranges::any_of(names, isOperator);
}

bool isOf(const OperatorFamily& family, std::string_view node) {
    return family.products ? names::detail::isProduct(node) : std::ranges::contains(family.nodes, node);
}

/// Whether a backend may compute the node as a product: a batch norm that follows none, as a convolution.
bool mayBeOf(const OperatorFamily& family, std::string_view node) {
    return family.products && node.contains("batch_norm");
}

/// Number of operators that ran, and the minimum and maximum according to the record.
struct Count {
    std::size_t ran = 0, min = 0, max = 0;
};

/// Compares the operators of one call with the nodes lowered to it.
class CallComparison {
  public:
    CallComparison(const Backend& of, Names operators, std::span<const TakenNode> taken,
                   const etrecord::ExportedGraph& inside)
        : backend(of), traits(of.traceConventions()), names(operators), nodes(taken), graph(inside) {}

    [[nodiscard]] bool hasComposite() const {
        return std::ranges::any_of(nodes, [this](const TakenNode& taken) {
            return std::ranges::contains(traits.composites, operatorOf(taken));
        });
    }

    [[nodiscard]] std::optional<Difference> compareCounts() const {
        // An unknown operator could be any of the nodes; an excess of a known one is a contradiction.
        const bool allKnown =
            std::ranges::all_of(names, [this](std::string_view name) { return isKnown(traits.type(name)); });
        for (const OperatorFamily& family : traits.families) {
            const Count count = countOf(family);
            if (count.ran > count.max || ((allKnown || family.products) && count.ran < count.min)) {
                return Difference{.ran = fmt::format("{} {} in {}", count.ran, family.what, backend.name()),
                                  .says = std::to_string(count.ran > count.max ? count.max : count.min)};
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Difference> compareQuantization(bool graphQuantizes) const {
        const auto quantized =
            traits.isQuantized == nullptr ? names.end() : std::ranges::find_if(names, traits.isQuantized);
        if (quantized != names.end()) {
            return graphQuantizes ? std::nullopt
                                  : std::optional(Difference{.ran = std::string(*quantized),
                                                             .says = "nothing quantized"});
        }
        const auto quantize = std::ranges::find_if(nodes, [this](const TakenNode& taken) {
            return !taken.shared && operatorOf(taken).starts_with("quantize");
        });
        if (quantize == nodes.end() || runsAny(traits.conversions) || !runsProduct()) {
            return std::nullopt;
        }
        return Difference{.ran = fmt::format("nothing quantized in {}", backend.name()),
                          .says = graph.nodes[quantize->node].op};
    }

  private:
    [[nodiscard]] std::string_view operatorOf(const TakenNode& taken) const {
        return names::detail::nodeOperator(graph.nodes[taken.node].op);
    }

    [[nodiscard]] bool isKnown(std::string_view type) const {
        return std::ranges::contains(traits.uncounted, type) ||
               std::ranges::any_of(traits.families, [type](const OperatorFamily& family) {
                   return std::ranges::contains(family.operators, type);
               });
    }

    [[nodiscard]] bool runsAny(Names types) const {
        return std::ranges::any_of(
            names, [&](std::string_view name) { return std::ranges::contains(types, traits.type(name)); });
    }

    [[nodiscard]] bool runsProduct() const {
        return std::ranges::any_of(traits.families, [this](const OperatorFamily& family) {
            return family.products && runsAny(family.operators);
        });
    }

    [[nodiscard]] Count countOf(const OperatorFamily& family) const {
        Count count;
        count.ran = static_cast<std::size_t>(std::ranges::count_if(names, [&](std::string_view name) {
            return std::ranges::contains(family.operators, traits.type(name));
        }));
        for (const TakenNode& taken : nodes) {
            if (isOf(family, operatorOf(taken))) {
                ++count.max;
                count.min += taken.shared ? 0 : 1;
            } else if (mayBeOf(family, operatorOf(taken))) {
                ++count.max;
            }
        }
        return count;
    }

    const Backend& backend;
    const TraceConventions& traits;
    Names names;
    std::span<const TakenNode> nodes;
    const etrecord::ExportedGraph& graph;
};

}  // namespace

const Backend* backendOfOperators(std::span<const Backend* const> backends, Names names,
                                  std::string_view preferred) {
    const Backend* own = executor::findBackend(backends, preferred);
    if (own != nullptr && isSpoken(*own, names)) {
        return own;
    }
    const auto found =
        std::ranges::find_if(backends, [&](const Backend* each) { return isSpoken(*each, names); });
    return found == backends.end() ? nullptr : *found;
}

std::optional<Difference> compareOperators(const Backend& backend, Names names,
                                           std::span<const TakenNode> nodes,
                                           const etrecord::ExportedGraph& graph, bool graphQuantizes) {
    const CallComparison comparison(backend, names, nodes, graph);
    if (comparison.hasComposite()) {
        return std::nullopt;
    }
    auto difference = comparison.compareCounts();
    return difference ? difference : comparison.compareQuantization(graphQuantizes);
}

}  // namespace et::inspector::join::detail
