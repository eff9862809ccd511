#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/lowering/partitioner.h"
#include "backends/xnnpack/lower/constants.h"
#include "backends/xnnpack/payload/node_traits.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

class PartConversion;
struct OperatorRow;

/// The library's support for an operator with int8 operands and results.
enum class Integers : std::uint8_t {
    None,      ///< none: operands are dequantized first
    Any,       ///< all scales
    OneScale,  ///< if operands and result have the same scale and zero point
    Product    ///< with constant weights that have one scale per channel
};

/// Input of a partitioning rule.
struct NodeQuery {
    const lowering::EdgeMethod& method;
    const Constants& constants;
    const std::vector<bool>& taken;  ///< by NodeIndex; for earlier nodes
    const lowering::NodeFilter& mayTake;
    const etrecord::Node& node;

    [[nodiscard]] std::string_view operand(std::string_view argument) const;
    [[nodiscard]] std::size_t rankOf(std::string_view value) const;
};

/// Conversion of an Edge operator to nodes of a payload.
struct OperatorRow {
    std::string_view op;  ///< "aten.add.Tensor"
    NodeKind kind;        ///< the resulting node, or the first node of its converter
    /// Rule that rejects a node, in addition to the common rules; empty: accepted. Null: no additional rule.
    std::string (*refuse)(const NodeQuery& question);
    core::Result<> (*convert)(PartConversion& to, const etrecord::Node& node, const OperatorRow& row);
    Integers integers = Integers::None;
    bool floats = true;        ///< supports tensors that are all float32, or all float16
    bool scalars = false;      ///< supports operands without dimensions that are computed in each run
    bool brainFloats = false;  ///< supports tensors that are all bfloat16
};

/// The operand of an operator with one operand.
[[nodiscard]] std::string_view operandOf(const etrecord::Node& node);

// Operator families, each in the file of that name.
[[nodiscard]] std::span<const OperatorRow> elementwiseRows();
[[nodiscard]] std::span<const OperatorRow> productRows();
[[nodiscard]] std::span<const OperatorRow> convolutionRows();
[[nodiscard]] std::span<const OperatorRow> imageRows();
[[nodiscard]] std::span<const OperatorRow> arrangementRows();
[[nodiscard]] std::span<const OperatorRow> quantizerRows();

/// Null for an operator that delegates do not support.
[[nodiscard]] const OperatorRow* operatorRow(std::string_view op);

/// Why a node is not delegated; empty: it is accepted. Call for nodes in graph order.
[[nodiscard]] std::string whyNot(const NodeQuery& question);

}  // namespace et::backends::xnnpack
