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

/// Producers and consumers of the values of an exported graph, and the roles of its quantizing nodes.
namespace et::inspector {

enum class NodeRole : std::uint8_t {
    Compute,
    Quantize,          ///< real numbers to integers
    Dequantize,        ///< integers to real numbers
    ChooseParameters,  ///< computes scale and zero point at run time
};

/// Determines the role from the operator's name.
[[nodiscard]] NodeRole roleOf(const etrecord::Node& node);

/// Scale and zero point of a node that quantizes or dequantizes a whole tensor with parameters stored in the
/// graph.
[[nodiscard]] std::optional<QuantizationParameters> parametersOf(const etrecord::Node& node);

/// Integer range of a quantizing node (quant_min and quant_max); nothing if the graph does not contain it.
[[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> wholeRangeOf(const etrecord::Node& node);

/// Whether the result is determined by the arguments, unlike random numbers or uninitialized memory.
[[nodiscard]] bool isDetermined(const etrecord::Node& node);

/// Index of an exported graph. Immutable; the graph must outlive it.
class GraphWalk {
  public:
    explicit GraphWalk(const etrecord::ExportedGraph& walked);

    [[nodiscard]] const etrecord::ExportedGraph& graph() const { return *source; }
    [[nodiscard]] const etrecord::Node& node(etrecord::NodeIndex index) const { return source->nodes[index]; }
    /// Nothing if the value is an input of the graph.
    [[nodiscard]] std::optional<etrecord::NodeIndex> producerOf(std::string_view value) const;
    /// In graph order, unique.
    [[nodiscard]] std::span<const etrecord::NodeIndex> consumersOf(std::string_view value) const;
    [[nodiscard]] bool isGraphOutput(std::string_view value) const { return outputs.contains(value); }
    /// Whether the node depends only on parameters, constants and buffers that the graph does not change.
    [[nodiscard]] bool isConstant(etrecord::NodeIndex index) const { return constant[index]; }
    /// Name of the first result; empty for a node without results.
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
