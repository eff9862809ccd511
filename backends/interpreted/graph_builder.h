#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Builds the exported graph that computes a payload.
namespace et::backends {

/// A tensor of the exported graph, with the dtype in which it is computed there.
struct MadeTensor {
    std::string name;
    core::ScalarType dtype = core::ScalarType::Float;
};

using Arguments = std::vector<etrecord::Argument>;
[[nodiscard]] etrecord::Argument tensorArgument(std::string name);
[[nodiscard]] etrecord::Argument tensorsArgument(const std::vector<MadeTensor>& tensors);
[[nodiscard]] etrecord::Argument wholeArgument(std::int64_t number);
[[nodiscard]] etrecord::Argument realArgument(double number);
[[nodiscard]] etrecord::Argument truthArgument(bool truth);
[[nodiscard]] etrecord::Argument textArgument(std::string_view text);
[[nodiscard]] etrecord::Argument wholesArgument(const std::vector<std::int64_t>& numbers);
[[nodiscard]] etrecord::Argument noArgument();

/// Adds operators to an exported graph. Each node of the payload becomes one or several operators, of which
/// the last has the name of the node: "n7".
class GraphBuilder {
  public:
    /// Adds an operator with one tensor as result. The last operator of a payload's node has its name.
    MadeTensor put(std::string_view target, Arguments arguments, core::ScalarType dtype);
    /// Adds an operator that returns a list of tensors.
    std::vector<MadeTensor> putList(std::string_view target, Arguments arguments, core::ScalarType dtype,
                                    std::size_t count);
    /// Adds an operator with several tensors as results.
    std::vector<MadeTensor> putSeveral(std::string_view target, Arguments arguments, core::ScalarType dtype,
                                       std::size_t count);
    /// Adds an operator with a number as result.
    std::string putNumber(std::string_view target, Arguments arguments);
    /// The tensor in another dtype.
    MadeTensor cast(const MadeTensor& from, core::ScalarType to);

    [[nodiscard]] etrecord::ExportedGraph& graph() { return made; }
    /// Metadata of a tensor in the graph.
    [[nodiscard]] static etrecord::TensorMeta metaOf(core::ScalarType dtype,
                                                     const std::vector<std::int64_t>& sizes);

  protected:
    std::string nextName();
    etrecord::Node& addOperator(std::string name, std::string_view target, Arguments arguments);
    /// Gives the last operator and its result the name of the payload's node.
    std::string renameLast(const std::string& name);
    /// Declares tensors named after the node, without adding them to its outputs.
    std::vector<MadeTensor> declareResults(const etrecord::Node& node, core::ScalarType dtype,
                                           std::size_t count);

    etrecord::ExportedGraph made;
    std::size_t position = 0;  ///< of the payload's node
    std::size_t helpers = 0;   ///< operators of this node so far
};

}  // namespace et::backends
