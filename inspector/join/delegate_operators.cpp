#include "inspector/join/xnnpack_operators.h"

#include "inspector/names/operator_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::inspector::detail {

namespace {

/// Operators of XNNPACK and of Edge that come in equal numbers. Empty texts fill up.
struct Kind {
    std::string_view what;  ///< for people, in the plural
    std::array<std::string_view, 5> identifiers;
    std::array<std::string_view, 4> nodes;
    bool products = false;  ///< nodes are all that isProduct() says
};
constexpr std::array kinds{
    Kind{"convolutions and matrix products",
         {"Convolution", "Deconvolution", "Fully Connected", "Dynamic Fully Connected",
          "Batch Matrix Multiply"},
         {},
         true},
    Kind{"sums", {"Add"}, {"add"}},
    Kind{"differences", {"Subtract"}, {"sub", "rsub"}},
    Kind{"multiplications", {"Multiply", "Square"}, {"mul", "square", "pow"}},
    Kind{"softmaxes", {"Softmax"}, {"_softmax", "softmax"}},
    Kind{"sigmoids", {"Sigmoid"}, {"sigmoid"}},
    Kind{"hyperbolic tangents", {"TanH", "Tanh"}, {"tanh"}},
    Kind{"reciprocal square roots", {"Reciprocal Square Root"}, {"rsqrt"}},
    Kind{"GELUs", {"GELU"}, {"gelu"}},
    Kind{"means", {"Mean", "Global Average Pooling"}, {"mean"}},
};

/// Operators that XNNPACK adds, leaves out or fuses as it likes.
constexpr std::array<std::string_view, 6> uncounted{"Transpose",      "Copy",  "Convert",
                                                    "Static Reshape", "Slice", "Clamp"};

/// Operators that XNNPACK may run as several of the above; with one of them, counting says nothing.
constexpr std::array<std::string_view, 4> composites{"scaled_dot_product_attention", "hardswish",
                                                     "hardsigmoid", "native_layer_norm"};

std::string_view typeOf(std::string_view identifier) {
    return identifier.substr(0, identifier.find(" ("));
}

bool has(std::span<const std::string_view> list, std::string_view text) {
    return !text.empty() && std::ranges::contains(list, text);
}

bool isKnown(std::string_view type) {
    return has(uncounted, type) ||
           std::ranges::any_of(kinds, [type](const Kind& kind) { return has(kind.identifiers, type); });
}

bool isOf(const Kind& kind, std::string_view node) {
    return kind.products ? isProduct(node) : has(kind.nodes, node);
}

/// True for "Convolution (NHWC, QC8) IGEMM #1": one of its data types is quantized.
bool isQuantized(std::string_view identifier) {
    const std::size_t open = identifier.find('(');
    const std::string_view types = identifier.substr(0, identifier.find(')'));
    return open < types.size() && types.substr(open).contains(", Q");
}

/// Numbers of operators that ran, and the fewest and most that the record allows.
struct Count {
    std::size_t ran = 0, fewest = 0, most = 0;
};

Count countOf(const Kind& kind, std::span<const std::string_view> identifiers,
              std::span<const TakenNode> nodes, const etrecord::ExportedGraph& graph) {
    Count count;
    count.ran =
        static_cast<std::size_t>(std::ranges::count_if(identifiers, [&kind](std::string_view identifier) {
            return has(kind.identifiers, typeOf(identifier));
        }));
    for (const TakenNode& taken : nodes) {
        if (isOf(kind, nodeOperator(graph.nodes[taken.node].op))) {
            ++count.most;
            count.fewest += taken.shared ? 0 : 1;
        }
    }
    return count;
}

std::optional<Difference> compareCounts(std::span<const std::string_view> identifiers,
                                        std::span<const TakenNode> nodes,
                                        const etrecord::ExportedGraph& graph) {
    // An operator that we do not know could be any of the nodes; too many of a known one is too many still.
    const bool allKnown = std::ranges::all_of(identifiers, isKnown, typeOf);
    for (const Kind& kind : kinds) {
        const Count count = countOf(kind, identifiers, nodes, graph);
        if (count.ran > count.most || ((allKnown || kind.products) && count.ran < count.fewest)) {
            return Difference{.ran = fmt::format("{} {} in {}", count.ran, kind.what, xnnpackBackend),
                              .says = std::to_string(count.ran > count.most ? count.most : count.fewest)};
        }
    }
    return std::nullopt;
}

std::optional<Difference> compareQuantization(std::span<const std::string_view> identifiers,
                                              std::span<const TakenNode> nodes,
                                              const etrecord::ExportedGraph& graph, bool graphQuantizes) {
    const auto quantized = std::ranges::find_if(identifiers, isQuantized);
    if (quantized != identifiers.end()) {
        return graphQuantizes
                   ? std::nullopt
                   : std::optional(Difference{.ran = std::string(*quantized), .says = "nothing quantized"});
    }
    const auto runs = [identifiers](std::span<const std::string_view> types) {
        return std::ranges::any_of(identifiers,
                                   [types](std::string_view id) { return has(types, typeOf(id)); });
    };
    const auto quantize = std::ranges::find_if(nodes, [&graph](const TakenNode& taken) {
        return !taken.shared && nodeOperator(graph.nodes[taken.node].op).starts_with("quantize");
    });
    const bool converts = runs(std::array<std::string_view, 1>{"Convert"});
    if (quantize == nodes.end() || converts || !runs(kinds.front().identifiers)) {
        return std::nullopt;
    }
    return Difference{.ran = fmt::format("nothing quantized in {}", xnnpackBackend),
                      .says = graph.nodes[quantize->node].op};
}

}  // namespace

bool isXnnpackOperator(std::string_view identifier) {
    const std::size_t number = identifier.rfind(" #");
    return number != std::string_view::npos && identifier.substr(0, number).contains(" (");
}

std::optional<Difference> compareXnnpack(std::span<const std::string_view> identifiers,
                                         std::span<const TakenNode> nodes,
                                         const etrecord::ExportedGraph& graph, bool graphQuantizes) {
    const bool composite = std::ranges::any_of(nodes, [&graph](const TakenNode& taken) {
        return has(composites, nodeOperator(graph.nodes[taken.node].op));
    });
    if (composite) {
        return std::nullopt;
    }
    auto difference = compareCounts(identifiers, nodes, graph);
    return difference ? difference : compareQuantization(identifiers, nodes, graph, graphQuantizes);
}

}  // namespace et::inspector::detail
