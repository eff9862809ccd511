#include "inspector/graph/graph_overlay.h"

#include "inspector/format/quantities.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/graph/graph_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace et::inspector {

using core::GraphNode;
using core::GraphNodeId;
using core::GraphValueId;
using core::ModelGraph;

namespace {

/// Light enough for dark text, and distinguishable by hue or lightness with any kind of colour vision.
constexpr std::array<std::string_view, 8> palette{"#8ec1e6", "#f2c36b", "#a9dcc0", "#d3a6c8",
                                                  "#f9f2a2", "#e58f5f", "#d5e6f5", "#9c9ad6"};
constexpr std::string_view otherColour = "#d9d9d9";
/// From low to high.
constexpr std::array<std::string_view, 6> ramp{"#fff7ec", "#fee8c8", "#fdd49e",
                                               "#fdbb84", "#fc8d59", "#ef6548"};

std::string family(const ModelGraph& graph, const GraphNode& node) {
    const std::string kind = readableKind(graph, node);
    if (kind.contains("quantize_per_") || kind.starts_with("choose_qparams")) {
        return "quantize, dequantize";
    }
    return kind.substr(0, kind.find('.'));
}

std::string dtypeOf(const ModelGraph& graph, const GraphNode& node) {
    if (node.outputs.empty()) {
        return {};
    }
    const std::string& type = graph.value(node.outputs.front()).type;
    return type.substr(0, type.find(' '));
}

/// A word for each box; empty if its nodes differ.
template <class Word>
std::vector<std::string> wordsOf(const ModelGraph& graph, const Diagram& diagram, Word word) {
    std::vector<std::string> words;
    for (const DiagramBox& box : diagram.boxes) {
        std::optional<std::string> common;
        for (const GraphNodeId id : box.nodes) {
            const std::string own = word(graph.node(id));
            common = !common || *common == own ? own : std::string();
        }
        words.push_back(common.value_or(""));
    }
    return words;
}

/// Assigns a colour to each of the most frequent words.
BoxColours byWord(const std::vector<std::string>& words, const Diagram& diagram, std::string title) {
    std::map<std::string, std::size_t> counts;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!words[i].empty()) {
            counts[words[i]] += diagram.boxes[i].nodes.size();
        }
    }
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, std::ranges::greater{}, [](const auto& each) { return each.second; });
    BoxColours colours{.fills = {}, .notes = {}, .title = std::move(title), .legend = {}};
    std::map<std::string, std::string_view> fills;
    std::size_t others = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const std::string_view colour = i < palette.size() ? palette[i] : otherColour;
        fills[sorted[i].first] = colour;
        if (i < palette.size()) {
            colours.legend.push_back(
                {std::string(colour), fmt::format("{} ({})", sorted[i].first, sorted[i].second)});
        } else {
            others += sorted[i].second;
        }
    }
    if (others > 0) {
        colours.legend.push_back({std::string(otherColour), fmt::format("others ({})", others)});
    }
    for (const std::string& word : words) {
        colours.fills.emplace_back(word.empty() ? std::string_view() : fills[word]);
    }
    colours.notes.resize(words.size());
    return colours;
}

/// Number shown by a box.
struct Amount {
    double amount = 0;
    bool part = false;  ///< belongs to more nodes than the box has
};
using Amounts = std::vector<std::optional<Amount>>;

/// Colour steps from low to high.
class Scale {
  public:
    /// Errors span many powers of ten; times and sizes do not.
    Scale(const Amounts& amounts, bool byPowers) : powers(byPowers) {
        for (const std::optional<Amount>& each : amounts) {
            if (each && each->amount > 0) {
                min = max > 0 ? std::min(min, each->amount) : each->amount;
                max = std::max(max, each->amount);
            }
        }
        if (powers && min == max) {
            min = max / 10;
        }
    }

    [[nodiscard]] bool empty() const { return max <= 0; }
    [[nodiscard]] double limit(std::size_t step) const {
        const double place = static_cast<double>(step + 1) / steps;
        return powers ? min * std::pow(max / min, place) : max * place * place;
    }
    [[nodiscard]] std::string_view colour(double amount) const {
        double place = 0;
        if (amount > 0) {
            place = powers ? std::log(amount / min) / std::log(max / min) : std::sqrt(amount / max);
        }
        const double step = std::ceil(place * steps) - 1;
        return ramp[static_cast<std::size_t>(std::clamp(step, 0.0, steps - 1))];
    }

  private:
    static constexpr auto steps = static_cast<double>(ramp.size());
    bool powers;
    double min = 0;
    double max = 0;
};

/// Shades by number; no colour for a box without one.
BoxColours byAmount(const Amounts& amounts, std::string title, double whole, bool powers, const auto& text) {
    const Scale scale(amounts, powers);
    BoxColours colours{.fills = {}, .notes = {}, .title = std::move(title), .legend = {}};
    for (std::size_t i = 0; !scale.empty() && i < ramp.size(); ++i) {
        colours.legend.push_back({std::string(ramp[i]), fmt::format("up to {}", text(scale.limit(i)))});
    }
    for (const std::optional<Amount>& each : amounts) {
        if (!each || scale.empty()) {
            colours.fills.emplace_back();
            colours.notes.emplace_back();
            continue;
        }
        colours.fills.emplace_back(scale.colour(each->amount));
        std::string note = each->part ? fmt::format("part of {}", text(each->amount)) : text(each->amount);
        note += whole > 0 ? fmt::format(", {}", format::readablePercent(each->amount / whole)) : "";
        colours.notes.push_back(std::move(note));
    }
    return colours;
}

Amounts bytesOf(const ModelGraph& graph, const Diagram& diagram) {
    Amounts amounts;
    for (const DiagramBox& box : diagram.boxes) {
        std::optional<Amount> sum;
        for (const GraphNodeId id : box.nodes) {
            for (const GraphValueId value : graph.node(id).outputs) {
                sum = Amount{sum.value_or(Amount{}).amount + static_cast<double>(graph.value(value).bytes)};
            }
        }
        amounts.push_back(sum);
    }
    return amounts;
}

void add(std::optional<Amount>& to, double amount, bool adds) {
    if (!to || to->part) {
        to = Amount{amount};
    } else {
        to->amount = adds ? to->amount + amount : std::max(to->amount, amount);
    }
}

/// Numbers of the parts for the boxes that contain all of their nodes or, if a part is small, some.
Amounts amountsOf(const ModelGraph& graph, const Diagram& diagram, const GraphNumbers& numbers) {
    /// Maximum nodes of a part for labelling each of them as part of it. Labels on every node of a whole
    /// delegate call would be useless.
    constexpr std::size_t maxShared = 8;
    std::vector<std::optional<std::size_t>> boxOf(graph.nodes().size());
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
        for (const GraphNodeId id : diagram.boxes[i].nodes) {
            boxOf[id.value] = i;
        }
    }
    Amounts amounts(diagram.boxes.size());
    Amounts shared(diagram.boxes.size());
    for (const PartNumber& part : numbers.parts) {
        const auto first = boxOf[part.nodes.front().value];
        const bool together = std::ranges::all_of(
            part.nodes, [&](GraphNodeId id) { return first && boxOf[id.value] == first; });
        if (together) {
            add(amounts[*first], part.amount, numbers.adds);
        } else if (part.nodes.size() <= maxShared) {
            for (const GraphNodeId id : part.nodes) {
                if (const auto box = boxOf[id.value]) {
                    add(shared[*box], part.amount, false);
                }
            }
        }
    }
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        if (!amounts[i] && shared[i]) {
            amounts[i] = Amount{.amount = shared[i]->amount, .part = true};
        }
    }
    return amounts;
}

BoxColours byNumbers(const ModelGraph& graph, const Diagram& diagram, const GraphNumbers& numbers) {
    return byAmount(amountsOf(graph, diagram, numbers), numbers.title, numbers.adds ? numbers.whole : 0,
                    !numbers.adds, [&](double amount) {
                        return fmt::format("{:.3g}{}{}", amount, numbers.unit.empty() ? "" : " ",
                                           numbers.unit);
                    });
}

/// Colours distinguish neighbouring clusters and have no other meaning.
BoxColours byCluster(const ModelGraph& graph, const Diagram& diagram) {
    const QuantizedClusters clusters = quantizedClusters(graph);
    BoxColours colours{.fills = {},
                       .notes = std::vector<std::string>(diagram.boxes.size()),
                       .title = fmt::format("{} quantized clusters", clusters.count),
                       .legend = {}};
    std::size_t plain = 0;
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
        std::optional<std::size_t> one;
        bool several = false;
        for (const GraphNodeId id : diagram.boxes[i].nodes) {
            const auto& own = clusters.of[id.value];
            several |= one && own && one != own;
            one = own ? own : one;
            plain += own ? 0 : 1;
        }
        colours.fills.emplace_back(several ? otherColour : one ? palette[*one % palette.size()] : "");
        if (several) {
            colours.notes[i] = "several clusters";
        } else if (one) {
            colours.notes[i] = fmt::format("cluster {}", *one);
        }
    }
    if (clusters.count > 0) {
        colours.legend = {{std::string(palette[0]), "one cluster; adjacent clusters differ in colour"},
                          {std::string(otherColour), "several clusters"},
                          {"", fmt::format("in none ({} nodes)", plain)}};
    }
    return colours;
}

}  // namespace

std::span<const std::string_view> wordColours() {
    return palette;
}

std::span<const std::string_view> amountColours() {
    return ramp;
}

BoxColours coloursOf(const ModelGraph& graph, const Diagram& diagram, Overlay overlay,
                     const GraphNumbers& numbers) {
    const auto byWordOf = [&](std::string title, const auto& word) {
        return byWord(wordsOf(graph, diagram, word), diagram, std::move(title));
    };
    switch (overlay) {
        case Overlay::Kind:
            return byWordOf("operators", [&](const GraphNode& node) { return family(graph, node); });
        case Overlay::Dtype:
            return byWordOf("dtype of the output",
                            [&](const GraphNode& node) { return dtypeOf(graph, node); });
        case Overlay::Partition:
            return byWordOf("where it runs", [&](const GraphNode& node) { return partitionOf(graph, node); });
        case Overlay::Quantized:
            return byCluster(graph, diagram);
        case Overlay::Bytes:
            return byAmount(bytesOf(graph, diagram), "bytes of the outputs", 0, false, [](double bytes) {
                return format::readableBytes(static_cast<std::uint64_t>(bytes));
            });
        case Overlay::Time:
        case Overlay::Error:
        case Overlay::Sensitivity:
            break;
    }
    return byNumbers(graph, diagram, numbers);
}

}  // namespace et::inspector
