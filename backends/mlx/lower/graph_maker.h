#pragma once

#include "backends/interpreted/graph_builder.h"
#include "backends/mlx/payload.h"
#include "backends/mlx/result_types.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::mlx {

/// Dtype that carries a dtype of a payload in the exported graph: quantized words are int32, other unsigned
/// integers of more than 8 bits int64.
[[nodiscard]] core::ScalarType carriedType(core::ScalarType dtype);

/// Makes the exported graph of a payload, node by node.
class GraphMaker : public GraphBuilder {
  public:
    explicit GraphMaker(const Payload& of) : payload(of), types(of) {}

    /// Defines an input of the graph.
    void defineTensor(TensorNumber tensor, const std::string& name);
    void defineValue(ValueNumber value, const std::string& name);

    /// Errors: Unsupported (a node that cannot be computed), Format (a tensor that is read before it is
    /// written); both name the node.
    [[nodiscard]] core::Result<> addChain(std::uint32_t chain);

    /// Current name of a tensor. Errors: Format (nothing wrote it).
    [[nodiscard]] core::Result<MadeTensor> tensor(TensorNumber number) const;
    [[nodiscard]] core::Result<std::string> value(ValueNumber number) const;
    [[nodiscard]] bool isDefined(TensorNumber number) const { return tensors.contains(number); }
    [[nodiscard]] const ResultTypes& resultTypes() const { return types; }

    /// An item as an argument: a number, or the name of a value.
    [[nodiscard]] core::Result<etrecord::Argument> numberArgument(const Item& item) const;
    [[nodiscard]] core::Result<etrecord::Argument> numbersArgument(const std::vector<Item>& items) const;

  private:
    friend class ControlFlow;

    core::Result<> addNode(const Node& node);
    core::Result<> addResult(const Node& node, MadeTensor result);
    core::Result<> addSplit(const Node& node);
    core::Result<> addKernel(const Node& node);
    core::Result<> addInteger(const Node& node);

    const Payload& payload;
    ResultTypes types;
    std::map<TensorNumber, MadeTensor> tensors;
    std::map<ValueNumber, std::string> values;
    std::uint64_t converted = 0;  ///< nodes, with those of branches that several nodes run
};

/// Converts a node with one tensor as result. Errors: as GraphMaker::addChain().
using ConvertNode = core::Result<MadeTensor> (*)(GraphMaker& maker, const Node& node);
/// Null if the kind cannot be computed, or does not have one tensor as result.
[[nodiscard]] ConvertNode conversionOf(std::string_view kind);

using Conversions = std::map<std::string_view, ConvertNode>;
void addElementwise(Conversions& to);
void addShapes(Conversions& to);
void addProducts(Conversions& to);
void addReductions(Conversions& to);

/// Converts a Metal kernel, recognized by its name and operands; returns its results. Errors: Unsupported (an
/// unknown kernel; names it), as above.
[[nodiscard]] core::Result<std::vector<MadeTensor>> convertKernel(GraphMaker& maker, const Node& node);

/// A required tensor of a node. Errors: Format.
[[nodiscard]] core::Result<MadeTensor> tensorOf(const GraphMaker& maker, const Node& node,
                                                std::string_view field);
/// Nothing if it is omitted.
[[nodiscard]] core::Result<std::optional<MadeTensor>> optionalOf(const GraphMaker& maker, const Node& node,
                                                                 std::string_view field);
/// The tensor, or None.
[[nodiscard]] core::Result<etrecord::Argument> optionalArgument(const GraphMaker& maker, const Node& node,
                                                                std::string_view field);
/// Type of a tensor with a known rank. Errors: Unsupported.
[[nodiscard]] core::Result<TensorType> typeOf(const GraphMaker& maker, const Node& node,
                                              std::string_view field);
/// The numbers of a field that has a list or one. Errors: Format.
[[nodiscard]] core::Result<etrecord::Argument> numbersOf(const GraphMaker& maker, const Node& node,
                                                         std::string_view field);

}  // namespace et::backends::mlx
