#include "inspector/graph/graph_overlay.h"

#include "inspector/graph/graph_labels.h"
#include "inspector/report/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace et::inspector {

using core::GraphNode;
using core::GraphNodeId;
using core::GraphValueId;
using core::ModelGraph;

namespace {

/// Light enough for dark letters on all of them, and apart for people who see colours differently.
constexpr std::array<std::string_view, 8> palette{"#a6cee3", "#fdbf6f", "#b2df8a", "#cab2d6",
                                                  "#fb9a99", "#ffff99", "#8dd3c7", "#fccde5"};
constexpr std::string_view otherColour = "#d9d9d9";
/// From little to much.
constexpr std::array<std::string_view, 6> ramp{"#fff7ec", "#fee8c8", "#fdd49e",
                                               "#fdbb84", "#fc8d59", "#ef6548"};

std::string family(const GraphNode& node) {
    const std::string kind = shortKind(node.kind);
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

/// A word for each box; none where its nodes differ.
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

/// A colour for each of the most frequent words.
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

/// Shades by number; nothing where a box has none.
BoxColours byAmount(const std::vector<std::optional<double>>& amounts, std::string title, double whole,
                    const auto& text) {
    double most = 0;
    for (const std::optional<double>& amount : amounts) {
        most = std::max(most, amount.value_or(0));
    }
    BoxColours colours{.fills = {}, .notes = {}, .title = std::move(title), .legend = {}};
    const auto steps = static_cast<double>(ramp.size());
    for (std::size_t i = 0; most > 0 && i < ramp.size(); ++i) {
        const double limit = most * std::pow(static_cast<double>(i + 1) / steps, 2);
        colours.legend.push_back({std::string(ramp[i]), fmt::format("up to {}", text(limit))});
    }
    for (const std::optional<double>& amount : amounts) {
        if (!amount || most <= 0) {
            colours.fills.emplace_back();
            colours.notes.emplace_back();
            continue;
        }
        const double shade = std::ceil(std::sqrt(*amount / most) * steps) - 1;
        colours.fills.emplace_back(ramp[static_cast<std::size_t>(std::clamp(shade, 0.0, steps - 1))]);
        colours.notes.push_back(
            whole > 0 ? fmt::format("{}, {}", text(*amount), report::readablePercent(*amount / whole))
                      : text(*amount));
    }
    return colours;
}

std::vector<std::optional<double>> bytesOf(const ModelGraph& graph, const Diagram& diagram) {
    std::vector<std::optional<double>> amounts;
    for (const DiagramBox& box : diagram.boxes) {
        std::optional<double> sum;
        for (const GraphNodeId id : box.nodes) {
            for (const GraphValueId value : graph.node(id).outputs) {
                sum = sum.value_or(0) + static_cast<double>(graph.value(value).bytes);
            }
        }
        amounts.push_back(sum);
    }
    return amounts;
}

std::vector<std::optional<double>> timesOf(const ModelGraph& graph, const Diagram& diagram,
                                           const InstructionTimes& times) {
    std::map<core::InstructionId, std::size_t> nodes;
    for (const GraphNode& node : graph.nodes()) {
        if (node.instruction) {
            ++nodes[*node.instruction];
        }
    }
    std::vector<std::optional<double>> amounts;
    for (const DiagramBox& box : diagram.boxes) {
        std::map<core::InstructionId, std::size_t> own;
        for (const GraphNodeId id : box.nodes) {
            if (const auto& instruction = graph.node(id).instruction) {
                ++own[*instruction];
            }
        }
        std::optional<double> sum;
        for (const auto& [instruction, count] : own) {
            const auto found = times.times.find(instruction);
            if (found != times.times.end() && count == nodes[instruction]) {
                sum = sum.value_or(0) + found->second;
            }
        }
        amounts.push_back(sum);
    }
    return amounts;
}

}  // namespace

BoxColours coloursOf(const ModelGraph& graph, const Diagram& diagram, Overlay overlay,
                     const InstructionTimes& times) {
    switch (overlay) {
        case Overlay::Kind:
            return byWord(wordsOf(graph, diagram, family), diagram, "operators");
        case Overlay::Dtype:
            return byWord(
                wordsOf(graph, diagram, [&](const GraphNode& node) { return dtypeOf(graph, node); }), diagram,
                "dtype of the output");
        case Overlay::Bytes:
            return byAmount(bytesOf(graph, diagram), "bytes of the outputs", 0, [](double bytes) {
                return report::readableBytes(static_cast<std::uint64_t>(bytes));
            });
        case Overlay::Time:
            break;
    }
    double whole = 0;
    for (const auto& [instruction, time] : times.times) {
        whole += time;
    }
    return byAmount(timesOf(graph, diagram, times), "time of one run", whole,
                    [&](double time) { return fmt::format("{:.4g} {}", time, times.unit); });
}

}  // namespace et::inspector
