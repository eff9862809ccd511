#pragma once

#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/numeric_gap.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// Who makes and who reads what in an exported graph, and what its quantizing nodes are.
namespace et::inspector {

enum class NodeRole : std::uint8_t {
    Compute,
    Quantize,          ///< real numbers to whole ones
    Dequantize,        ///< the other way
    ChooseParameters,  ///< finds scale and zero point at run time
};

/// By the name of its operator.
[[nodiscard]] NodeRole roleOf(const etrecord::Node& node);

/// Scale and zero point of a node that quantizes or dequantizes a whole tensor with numbers that the graph
/// holds.
[[nodiscard]] std::optional<QuantizationParameters> parametersOf(const etrecord::Node& node);

/// The integers that a quantizing node may give: its quant_min and quant_max; nothing where the graph
/// does not hold them.
[[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> wholeRangeOf(const etrecord::Node& node);

/// Whether its result follows from its arguments: not random numbers, nor memory that was never written.
[[nodiscard]] bool isDetermined(const etrecord::Node& node);

/// Immutable; the graph must live as long.
class GraphWalk {
  public:
    explicit GraphWalk(const etrecord::ExportedGraph& walked);

    [[nodiscard]] const etrecord::ExportedGraph& graph() const { return *source; }
    [[nodiscard]] const etrecord::Node& node(etrecord::NodeIndex index) const { return source->nodes[index]; }
    /// Nothing for an input of the graph.
    [[nodiscard]] std::optional<etrecord::NodeIndex> producerOf(std::string_view value) const;
    /// In graph order, each once.
    [[nodiscard]] std::span<const etrecord::NodeIndex> consumersOf(std::string_view value) const;
    [[nodiscard]] bool isGraphOutput(std::string_view value) const { return outputs.contains(value); }
    /// Whether it follows from parameters, buffers and constants alone.
    [[nodiscard]] bool isConstant(etrecord::NodeIndex index) const { return constant[index]; }
    /// The name of the first result; empty for a node without any.
    [[nodiscard]] std::string_view resultOf(etrecord::NodeIndex index) const;
    [[nodiscard]] std::span<const std::string_view> resultsOf(etrecord::NodeIndex index) const {
        return written[index];
    }
    [[nodiscard]] std::span<const std::string_view> inputsOf(etrecord::NodeIndex index) const {
        return read[index];
    }

  private:
    const etrecord::ExportedGraph* source;
    std::map<std::string_view, etrecord::NodeIndex> producers;
    std::map<std::string_view, std::vector<etrecord::NodeIndex>> consumers;
    std::set<std::string_view> outputs;
    std::vector<std::vector<std::string_view>> read;     ///< by node
    std::vector<std::vector<std::string_view>> written;  ///< likewise
    std::vector<bool> constant;
};

}  // namespace et::inspector
