#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"

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

namespace et::etrecord {

using NodeIndex = std::uint32_t;

/// A value that may be symbolic: plain, or an expression with the value seen at export. In an argument of
/// kind `as_sym_ints` the expression is the name of a value of the graph.
template <class T>
struct Symbolic {
    T value{};               ///< the plain value, or the expression's hint (zero if absent)
    std::string expression;  ///< "s0*2"; empty for a plain value
    bool operator==(const Symbolic&) const = default;
};
using SymInt = Symbolic<std::int64_t>;
using SymFloat = Symbolic<double>;
using SymBool = Symbolic<bool>;

/// Scalar type of a code that torch.export leaves unknown or that this build does not support.
inline constexpr std::int8_t unknownScalarType = -1;

/// Tensor metadata from the export.
struct TensorMeta {
    std::int8_t scalarType = unknownScalarType;  ///< core::scalarType() code, converted from torch.export's
    std::vector<SymInt> sizes;                   ///< in elements
    std::vector<SymInt> strides;                 ///< in elements
    bool requiresGrad = false;
    std::string device;  ///< "cpu", "cuda:1"
    SymInt storageOffset{};
    std::int64_t layout = 0;  ///< torch.export's code: 7 is strided
    bool operator==(const TensorMeta&) const = default;
};

/// Reference to a value of the graph by name (tensor, symbolic int, bool or float, custom object).
struct ValueRef {
    std::string name;
    std::string className{};  ///< class of a custom object; empty otherwise
    bool operator==(const ValueRef&) const = default;
};
/// Subgraph of a control-flow operator.
struct GraphRef;

/// One argument or result of a node. `kind` keeps the serializer's spelling, so that uninterpreted kinds are
/// preserved. The content of `value` depends on the kind:
///   as_none                                  monostate
///   as_tensor as_custom_obj                  ValueRef
///   as_optional_tensor                       ValueRef or monostate
///   as_sym_int as_sym_float as_sym_bool      ValueRef, or the plain number or boolean
///   as_tensors as_optional_tensors           list of ValueRef; nullopt represents None
///   as_int as_memory_format as_layout        int64 (the latter two in torch.export's numbering);
///                                            as_int: bool if the file has one (Python's True is an int)
///   as_scalar_type                           int64: a core::scalarType() code, or unknownScalarType
///   as_float; as_floats; as_complex          double; list of them; list of real and imaginary part
///   as_bool; as_bools                        bool; list of them
///   as_string as_operator as_device          string ("cuda:1")
///   as_strings                               list of strings
///   as_ints as_sym_ints                      list of SymInt
///   as_nested_tensors as_int_lists           list of Arguments (as_tensors, as_ints)
///   as_sym_floats as_sym_bools               list of Arguments (as_sym_float, as_sym_bool)
///   as_string_to_argument                    list of Arguments named by their key
///   as_graph                                 GraphRef
///   any other                                string: the unchanged JSON text
struct Argument {
    using Value =
        std::variant<std::monostate, ValueRef, std::vector<std::optional<ValueRef>>, std::int64_t, double,
                     bool, std::string, std::vector<SymInt>, std::vector<double>, std::vector<bool>,
                     std::vector<std::string>, std::shared_ptr<const GraphRef>, std::vector<Argument>>;
    std::string name;  ///< schema name of the argument; empty if the file has none
    std::string kind;  ///< "as_tensor"
    Value value{};
};
/// Deep comparison: subgraphs are compared by content.
[[nodiscard]] bool operator==(const Argument& left, const Argument& right);

/// One frame of `nn_module_stack`, outermost first.
struct ModuleFrame {
    std::string path;  ///< key, "L__self___conv"
    std::string fqn;   ///< "conv"; empty for the root
    std::string type;  ///< "torch.nn.modules.conv.Conv2d"; empty if the export has none
    bool operator==(const ModuleFrame&) const = default;
};

/// One step of a node's history (`from_node`), newest first. A step derived from several nodes is followed by
/// all of them, each with its own history, one level deeper.
struct NodeSource {
    std::string name;
    std::string target;
    std::string pass;    ///< pass_name
    std::string action;  ///< "create", "replace", …
    std::int64_t graphId = 0;
    std::uint32_t depth = 0;  ///< 0: direct source of this node
    bool operator==(const NodeSource&) const = default;
};

/// One operator of a graph.
struct Node {
    std::string name;    ///< "aten_convolution_default"
    std::string target;  ///< as serialized: "executorch.exir.dialects.edge.ops.aten.convolution.default"
    std::string op;      ///< operatorName(target), the op type that the reference prints:
                         ///< "aten.convolution.default"
    std::vector<Argument> inputs;
    std::vector<Argument> outputs;
    std::string stackTrace;  ///< empty if the file has none
    std::vector<ModuleFrame> moduleStack;
    std::vector<core::DebugHandle> debugHandles;                ///< empty if the export has none
    std::vector<std::pair<std::string, std::string>> metadata;  ///< all entries, unchanged, in file order

    /// Source nodes of this node, from its metadata entry `from_node`. Such entries are half of a record's
    /// text, so they are parsed on demand. Empty if there is none or it cannot be parsed.
    [[nodiscard]] std::vector<NodeSource> history() const;
    bool operator==(const Node&) const = default;
};

/// One input of the graph and its kind (user input, parameter, buffer, constant).
struct InputSpec {
    std::string kind;    ///< "user_input", "parameter", "buffer", "tensor_constant", …
    std::string value;   ///< name in the graph; empty for a user input that is a plain value
    std::string target;  ///< "conv.weight"; empty for user inputs; the unchanged JSON text for an unknown
                         ///< kind
    bool persistent = true;
    Argument argument{};  ///< the whole argument of a user input, the value of a constant input
    bool operator==(const InputSpec&) const = default;
};
struct OutputSpec {
    std::string kind;     ///< "user_output", "buffer_mutation", …
    std::string value;    ///< as in InputSpec
    std::string target;   ///< "cache"; empty for user outputs
    Argument argument{};  ///< the whole argument of a user output
    bool operator==(const OutputSpec&) const = default;
};

/// Bounds of a symbolic size; empty if unbounded.
struct RangeConstraint {
    std::optional<std::int64_t> minimum;
    std::optional<std::int64_t> maximum;
    bool operator==(const RangeConstraint&) const = default;
};

/// A serialized exported program: its graph, signature and related data. Immutable.
struct ExportedGraph {
    template <class T>
    using ByName = std::map<std::string, T, std::less<>>;

    std::vector<Argument> inputs;
    std::vector<Argument> outputs;
    std::vector<Node> nodes;
    ByName<TensorMeta> tensors;  ///< by value name
    ByName<SymInt> symInts;
    ByName<SymFloat> symFloats;
    ByName<SymBool> symBools;
    ByName<std::string> customObjects;  ///< class by value name
    bool singleTensorReturn = false;    ///< the subgraph returns a tensor, not a list of one

    // The remaining fields belong to a whole program and are empty for a subgraph.
    std::vector<InputSpec> inputSpecs;
    std::vector<OutputSpec> outputSpecs;
    ByName<RangeConstraint> rangeConstraints;  ///< by symbol
    ByName<std::int64_t> opsetVersions;        ///< by operator namespace
    std::string moduleCallGraph;  ///< calling conventions of the modules: the unchanged JSON text
    std::string dialect;  ///< "EDGE", "TRAINING" (ATen), …: the verifier named in the file, else `dialect`
    std::string torchVersion;  ///< empty if the file has none
    std::int64_t schemaMajor = 0;
    std::int64_t schemaMinor = 0;

    /// Nodes by debug handle, in graph order; several nodes may have the same handle. Empty for an unknown
    /// handle. Nodes of subgraphs are indexed in their own graph.
    [[nodiscard]] std::span<const NodeIndex> nodesOf(core::DebugHandle handle) const;
    std::map<core::DebugHandle, std::vector<NodeIndex>> nodesByHandle;  ///< filled by indexHandles()
    /// Fills nodesByHandle from the nodes; for graphs that are built rather than read.
    void indexHandles();

    bool operator==(const ExportedGraph&) const = default;
};

struct GraphRef {
    std::string name;
    ExportedGraph graph;
    bool operator==(const GraphRef&) const = default;
};

/// The text of a `from_node` entry with this history; Node::history() parses it.
[[nodiscard]] std::string serializeHistory(std::span<const NodeSource> history);

/// Python's name of the function of a serialized target, printed by the reference as op type: Edge operators
/// keep their namespace ("aten.mm.default"), torch's own lose it ("torch.ops.aten.sym_size.int" ->
/// "sym_size.int"), plain functions are their last component ("_operator.add" -> "add").
[[nodiscard]] std::string_view operatorName(std::string_view target);

/// Reads the JSON of one exported program. `name` is the root in error messages (the zip entry). Errors:
/// Format (names the JSON path), Limit (nesting, sizes).
[[nodiscard]] core::Result<ExportedGraph> parseExportedGraph(core::Bytes json, std::string_view name);

/// The JSON of one exported program in the layout of schema version 5, which parseExportedGraph() reads back.
/// Metadata entries are written unchanged; stack trace, module stack and handles are added if a node has no
/// entry of that name.
[[nodiscard]] std::string serializeExportedGraph(const ExportedGraph& graph);

}  // namespace et::etrecord
