#pragma once

#include "backends/reference/archived_tensors.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace et::backends::lowering {

using etrecord::NodeIndex;

/// The Edge graph of one method with what lowering asks of it: who makes and who reads a value, what it is,
/// and the elements of parameters, buffers and constants. The record must live as long.
class EdgeMethod {
  public:
    /// Errors: NotFound (no such method), as the readers of the record's archives; InvalidArgument (two nodes
    /// make one value, or one reads what no node before makes: names the node).
    [[nodiscard]] static core::Result<EdgeMethod> open(const etrecord::Record& record,
                                                       std::string_view method);

    /// The body of control flow: it has no tensors of its own. Errors: InvalidArgument (as open()).
    [[nodiscard]] static core::Result<EdgeMethod> subgraph(const etrecord::ExportedGraph& graph);

    /// The row-major elements of a parameter, buffer or constant by its target; nothing for a stranger.
    using TensorSource =
        std::function<core::Result<std::optional<reference::ReferenceTensor>>(std::string_view target)>;
    /// A graph that no record holds. It must live as long. Errors: InvalidArgument (as open()).
    [[nodiscard]] static core::Result<EdgeMethod> of(std::string_view method,
                                                     const etrecord::ExportedGraph& graph,
                                                     TensorSource tensors);

    /// The record; null where the graph is of none, and for a subgraph.
    [[nodiscard]] const etrecord::Record* archive() const { return record; }
    [[nodiscard]] const std::string& name() const { return method; }
    [[nodiscard]] const etrecord::ExportedGraph& graph() const { return *source; }
    [[nodiscard]] const etrecord::Node& node(NodeIndex index) const { return source->nodes[index]; }

    /// The node that makes a value; nothing for an input and for a stranger.
    [[nodiscard]] std::optional<NodeIndex> producer(std::string_view value) const;
    /// Nodes that read a value, in graph order, each once.
    [[nodiscard]] std::span<const NodeIndex> users(std::string_view value) const;
    /// Whether the caller or a buffer gets the value.
    [[nodiscard]] bool isOutput(std::string_view value) const { return outputs.contains(value); }
    /// Null for a value without a tensor's description.
    [[nodiscard]] const etrecord::TensorMeta* meta(std::string_view value) const;
    /// Null for what is no input of the graph.
    [[nodiscard]] const etrecord::InputSpec* input(std::string_view value) const;
    /// A parameter, buffer or constant that no run changes.
    [[nodiscard]] bool isConstant(std::string_view value) const;
    /// A buffer that runs change.
    [[nodiscard]] bool isMutated(std::string_view value) const { return mutated.contains(value); }

    /// The row-major elements that a parameter, buffer or constant has at the start. Errors: NotFound (the
    /// record has none: names it), Mismatch (it is not what the graph says), as ArchivedTensors::find().
    [[nodiscard]] core::Result<reference::ReferenceTensor> tensor(std::string_view value);

  private:
    using Names = std::unordered_set<std::string_view>;

    EdgeMethod(std::string_view name, const etrecord::ExportedGraph& graph, TensorSource tensors);
    core::Result<> index();
    core::Result<> indexNode(NodeIndex index);
    void findMutated();

    std::string method;
    const etrecord::ExportedGraph* source = nullptr;
    const etrecord::Record* record = nullptr;
    TensorSource findTensor;
    std::unordered_map<std::string_view, NodeIndex> producers;
    std::unordered_map<std::string_view, std::vector<NodeIndex>> readers;
    std::unordered_map<std::string_view, const etrecord::InputSpec*> inputs;
    Names known;  ///< all values of the graph
    Names outputs;
    Names mutated;
};

/// Whether a tensor has the dtype and the sizes that a graph says.
[[nodiscard]] bool describes(const etrecord::TensorMeta& meta, const core::Tensor& tensor);

/// What the caller gives: a tensor, or a value of another kind.
[[nodiscard]] bool isUserInput(const etrecord::InputSpec& spec);

/// The argument of a node by its name in the schema; null where it is left out.
[[nodiscard]] const etrecord::Argument* findArgument(const etrecord::Node& node, std::string_view name);
/// The name of the value that an argument is; empty where it is none.
[[nodiscard]] std::string_view valueName(const etrecord::Argument* argument);

}  // namespace et::backends::lowering
