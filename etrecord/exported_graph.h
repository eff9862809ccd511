#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"

namespace et::etrecord {

using NodeIndex = std::uint32_t;

/// A size that may be symbolic: a number, or an expression with the value seen at export.
struct SymInt {
    std::int64_t value = 0;  ///< the number, or the expression's hint (0 where it has none)
    std::string expression;  ///< "s0*2"; empty for a plain number
};

/// What exporting knew of a tensor.
struct TensorMeta {
    std::int8_t scalarType = 0;  ///< core::scalarType() code (translated from torch.export's own numbering)
    std::vector<SymInt> sizes;
    std::vector<SymInt> strides;
    bool requiresGrad = false;
    std::string device;
};

/// Reference to a value of the graph by its name (tensor, symbolic int, bool or float, custom object).
struct ValueRef {
    std::string name;
    bool operator==(const ValueRef&) const = default;
};
/// A subgraph of a control-flow operator.
struct GraphRef;

/// One argument or result of a node. `kind` keeps the serializer's spelling ("as_tensor", "as_ints", …), so
/// that nothing that a file holds is lost even where we do not interpret it.
struct Argument {
    std::string name;  ///< schema name of the argument; empty where the file has none
    std::string kind;
    std::variant<std::monostate, ValueRef, std::vector<std::optional<ValueRef>>, std::int64_t, double, bool, std::string,
                 std::vector<SymInt>, std::vector<double>, std::vector<bool>, std::vector<std::string>,
                 std::shared_ptr<const GraphRef>>
        value;
};

/// One frame of `nn_module_stack`, outermost first.
struct ModuleFrame {
    std::string path;  ///< key, "L__self___conv"
    std::string fqn;   ///< "conv"; empty for the root
    std::string type;  ///< "torch.nn.modules.conv.Conv2d"
};

/// One step of a node's history (`from_node`), newest first.
struct NodeSource {
    std::string name;
    std::string target;
    std::string pass;    ///< pass_name
    std::string action;  ///< "create", "replace", …
    std::int64_t graphId = 0;
};

/// One operator of a graph.
struct Node {
    std::string name;    ///< "aten_convolution_default"
    std::string target;  ///< as serialized: "executorch.exir.dialects.edge.ops.aten.convolution.default"
    std::string op;      ///< as the reference prints op types: "aten.convolution.default"
    std::vector<Argument> inputs;
    std::vector<Argument> outputs;
    std::string stackTrace;                  ///< empty where the file has none
    std::vector<ModuleFrame> moduleStack;
    std::vector<core::DebugHandle> debugHandles;  ///< none where exporting gave none
    std::vector<NodeSource> history;
    std::vector<std::pair<std::string, std::string>> metadata;  ///< every entry as found, in file order
};

/// One input of the graph and what it is (a user input, a parameter, a buffer, a constant).
struct InputSpec {
    std::string kind;    ///< "user_input", "parameter", "buffer", "tensor_constant", …
    std::string value;   ///< name in the graph
    std::string target;  ///< "conv.weight"; empty for user inputs
    bool persistent = true;
};
struct OutputSpec {
    std::string kind;  ///< "user_output", "buffer_mutation", …
    std::string value;
    std::string target;
};

/// A serialized exported program: its graph, signature and the facts around it. Immutable.
struct ExportedGraph {
    std::vector<Argument> inputs;
    std::vector<Argument> outputs;
    std::vector<Node> nodes;
    std::map<std::string, TensorMeta, std::less<>> tensors;  ///< by value name
    std::map<std::string, SymInt, std::less<>> symInts;
    std::vector<InputSpec> inputSpecs;
    std::vector<OutputSpec> outputSpecs;
    std::string dialect;    ///< "EDGE", "TRAINING" (ATen), …: the verifier that the file names, else `dialect`
    std::int64_t schemaMajor = 0;
    std::int64_t schemaMinor = 0;

    /// Nodes by debug handle, in graph order; several nodes may carry one handle. Empty for a stranger.
    [[nodiscard]] std::span<const NodeIndex> nodesOf(core::DebugHandle handle) const;
    std::map<core::DebugHandle, std::vector<NodeIndex>> nodesByHandle;
};

struct GraphRef {
    std::string name;
    ExportedGraph graph;
};

/// Reads the JSON of one exported program. `name` stands in errors as the field's root (the zip entry).
/// Errors: Format (names the JSON path), Limit (nesting, sizes).
[[nodiscard]] core::Result<ExportedGraph> parseExportedGraph(core::Bytes json, std::string_view name);

}  // namespace et::etrecord
