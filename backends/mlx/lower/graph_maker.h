#pragma once

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

/// A tensor of the exported graph, with the dtype in which it is computed there.
struct MadeTensor {
    std::string name;
    core::ScalarType dtype = core::ScalarType::Float;
};

/// Dtype that carries a dtype of a payload in the exported graph: quantized words are int32, other unsigned
/// integers of more than 8 bits int64.
[[nodiscard]] core::ScalarType carriedType(core::ScalarType dtype);

using Arguments = std::vector<etrecord::Argument>;
[[nodiscard]] etrecord::Argument tensorArgument(std::string name);
[[nodiscard]] etrecord::Argument tensorsArgument(const std::vector<MadeTensor>& tensors);
[[nodiscard]] etrecord::Argument wholeArgument(std::int64_t number);
[[nodiscard]] etrecord::Argument realArgument(double number);
[[nodiscard]] etrecord::Argument truthArgument(bool truth);
[[nodiscard]] etrecord::Argument textArgument(std::string_view text);
[[nodiscard]] etrecord::Argument wholesArgument(const std::vector<std::int64_t>& numbers);
[[nodiscard]] etrecord::Argument noArgument();

/// Makes the exported graph of a payload, node by node.
class GraphMaker {
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

    /// Adds an operator with one tensor as result. The last operator of a payload's node has its name.
    MadeTensor put(std::string_view target, Arguments arguments, core::ScalarType dtype);
    /// Adds an operator that returns a list of tensors.
    std::vector<MadeTensor> putList(std::string_view target, Arguments arguments, core::ScalarType dtype,
                                    std::size_t count);
    /// Adds an operator with a number as result.
    std::string putNumber(std::string_view target, Arguments arguments);
    /// The tensor in another dtype.
    MadeTensor cast(const MadeTensor& from, core::ScalarType to);

    /// Adds an operator with these results.
    std::vector<MadeTensor> putSeveral(std::string_view target, Arguments arguments, core::ScalarType dtype,
                                       std::size_t count);
    /// An item as an argument: a number, or the name of a value.
    [[nodiscard]] core::Result<etrecord::Argument> numberArgument(const Item& item) const;
    [[nodiscard]] core::Result<etrecord::Argument> numbersArgument(const std::vector<Item>& items) const;

    [[nodiscard]] etrecord::ExportedGraph& graph() { return made; }
    /// Metadata of a tensor in the graph.
    [[nodiscard]] static etrecord::TensorMeta metaOf(core::ScalarType dtype,
                                                     const std::vector<std::int64_t>& sizes);

  private:
    friend class ControlFlow;

    core::Result<> addNode(const Node& node);
    core::Result<> addResult(const Node& node, MadeTensor result);
    core::Result<> addSplit(const Node& node);
    core::Result<> addKernel(const Node& node);
    core::Result<> addInteger(const Node& node);
    std::string nextName();
    /// Declares tensors named after the node, without adding them to its outputs.
    std::vector<MadeTensor> declareResults(const etrecord::Node& node, core::ScalarType dtype,
                                           std::size_t count);
    etrecord::Node& addOperator(std::string name, std::string_view target, Arguments arguments);
    /// Gives the last operator and its result the name of the payload's node.
    std::string renameLast(const std::string& name);

    const Payload& payload;
    ResultTypes types;
    etrecord::ExportedGraph made;
    std::map<TensorNumber, MadeTensor> tensors;
    std::map<ValueNumber, std::string> values;
    std::size_t position = 0;     ///< of the payload's node
    std::size_t helpers = 0;      ///< operators of this node so far
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
