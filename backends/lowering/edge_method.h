#pragma once

#include "backends/reference/archived_tensors.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace et::backends::lowering {

using etrecord::NodeIndex;

/// The Edge graph of one method with queries for lowering: producers and users of values, their metadata, and
/// the elements of parameters, buffers and constants. The record must outlive it.
class EdgeMethod {
  public:
    /// Errors: NotFound (no such method), those of the readers of the record's archives; InvalidArgument (two
    /// nodes produce one value, or one reads a value that no earlier node produces; names the node).
    [[nodiscard]] static core::Result<EdgeMethod> open(const etrecord::Record& record,
                                                       std::string_view method);

    /// The body of control flow, which has no tensors. Errors: InvalidArgument (as for open()).
    [[nodiscard]] static core::Result<EdgeMethod> subgraph(const etrecord::ExportedGraph& graph);

    /// Returns the row-major elements of a parameter, buffer or constant by its target; nothing if unknown.
    using TensorSource =
        std::function<core::Result<std::optional<reference::ReferenceTensor>>(std::string_view target)>;
    /// A graph without a record. The graph must outlive it. Errors: InvalidArgument (as for open()).
    [[nodiscard]] static core::Result<EdgeMethod> of(std::string_view method,
                                                     const etrecord::ExportedGraph& graph,
                                                     TensorSource tensors);

    /// The record; null for a graph without a record, and for a subgraph.
    [[nodiscard]] const etrecord::Record* archive() const { return record; }
    [[nodiscard]] const std::string& name() const { return method; }
    [[nodiscard]] const etrecord::ExportedGraph& graph() const { return *source; }
    [[nodiscard]] const etrecord::Node& node(NodeIndex index) const { return source->nodes[index]; }

    /// The node that produces a value; nothing for an input or an unknown value.
    [[nodiscard]] std::optional<NodeIndex> producer(std::string_view value) const;
    /// Nodes that read a value, in graph order, without duplicates.
    [[nodiscard]] std::span<const NodeIndex> users(std::string_view value) const;
    /// Whether the value is returned to the caller or stored in a buffer.
    [[nodiscard]] bool isOutput(std::string_view value) const { return outputs.contains(value); }
    /// Null for a value without tensor metadata.
    [[nodiscard]] const etrecord::TensorMeta* meta(std::string_view value) const;
    /// Null for a value that is not an input of the graph.
    [[nodiscard]] const etrecord::InputSpec* input(std::string_view value) const;
    /// Whether it is a parameter, buffer or constant that no run changes.
    [[nodiscard]] bool isConstant(std::string_view value) const;
    /// Whether it is a buffer that runs change.
    [[nodiscard]] bool isMutated(std::string_view value) const { return mutated.contains(value); }

    /// Gives buffers that methods share a place in a memory arena of `bytes`, by target. Other methods may
    /// change them.
    void shareBuffers(std::map<std::string, std::uint64_t, std::less<>> offsets, std::uint64_t bytes);
    /// Where a buffer that methods share is in their arena; nothing for another value.
    [[nodiscard]] std::optional<std::uint64_t> sharedOffset(std::string_view value) const;
    [[nodiscard]] std::uint64_t sharedBytes() const { return bytesOfShared; }

    /// Initial row-major elements of a parameter, buffer or constant. Errors: NotFound (the record lacks it;
    /// names it), Mismatch (it differs from the graph's metadata), those of ArchivedTensors::find().
    [[nodiscard]] core::Result<reference::ReferenceTensor> tensor(std::string_view value);
    /// The same, but elements may be unaligned: only for copying the bytes.
    [[nodiscard]] core::Result<reference::ReferenceTensor> storedTensor(std::string_view value);

  private:
    using Names = std::unordered_set<std::string_view>;

    EdgeMethod(std::string_view name, const etrecord::ExportedGraph& graph, TensorSource tensors);
    core::Result<> index();
    core::Result<> indexNode(NodeIndex index);
    void findMutated();
    core::Result<reference::ReferenceTensor> tensor(std::string_view value, const TensorSource& from) const;

    std::string method;
    const etrecord::ExportedGraph* source = nullptr;
    const etrecord::Record* record = nullptr;
    TensorSource findTensor;
    TensorSource findStored;  ///< elements may be unaligned
    std::unordered_map<std::string_view, NodeIndex> producers;
    std::unordered_map<std::string_view, std::vector<NodeIndex>> readers;
    std::unordered_map<std::string_view, const etrecord::InputSpec*> inputs;
    Names known;  ///< all values of the graph
    Names outputs;
    Names mutated;
    std::map<std::string, std::uint64_t, std::less<>> sharedOffsets;  ///< by target
    std::uint64_t bytesOfShared = 0;
};

/// Whether a tensor has the dtype and sizes of the graph's metadata.
[[nodiscard]] bool describes(const etrecord::TensorMeta& meta, const core::Tensor& tensor);

/// Whether the caller provides the input: a tensor, or a value of another kind.
[[nodiscard]] bool isUserInput(const etrecord::InputSpec& spec);

/// The argument of a node by its schema name; null if omitted.
[[nodiscard]] const etrecord::Argument* findArgument(const etrecord::Node& node, std::string_view name);
/// Name of the value that an argument refers to; empty if it refers to none.
[[nodiscard]] std::string_view valueName(const etrecord::Argument* argument);

}  // namespace et::backends::lowering
