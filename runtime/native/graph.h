#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Graphs of the ExecuTorch Native format: methods of a package (.ptn) and delegates of NativeBackend.
// Names and targets are those of torch.export. Format: docs/reference/formats.md.
namespace et::native {

/// Range of a dimension.
struct Dim {
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;  ///< negative: unbounded

    [[nodiscard]] bool isDynamic() const { return minimum != maximum; }
    bool operator==(const Dim&) const = default;
};

/// Integers with one scale for each group along the last dimension: value = scale * ((stored + minimum) -
/// zero point). They are stored without padding, low bits first.
struct AffineGroups {
    std::string scaleKey;  ///< of a stored tensor
    std::int8_t scaleType = 0;
    std::int32_t minimum = 0;
    std::int32_t maximum = 0;
    std::int32_t groupSize = 0;  ///< 0: the whole dimension
    std::string zeroPointKey{};  ///< empty: symmetric
    std::int8_t zeroPointType = 0;

    bool operator==(const AffineGroups&) const = default;
};

/// Blocks of a layout that the name of its codec implies: "gguf:q4k", "mxfp4".
struct PackedCodec {
    std::string codec;

    bool operator==(const PackedCodec&) const = default;
};

using Quantization = std::variant<std::monostate, AffineGroups, PackedCodec>;

struct TensorMeta {
    std::int8_t scalarType = 0;  ///< core::scalarType() code, converted from the format's; uint8 if quantized
    std::vector<Dim> sizes{};    ///< logical, also if quantized
    /// Order in the exporter's memory, outermost first; empty: contiguous. Stored bytes are always row-major.
    std::vector<std::uint8_t> dimOrder{};
    Quantization quantization{};

    [[nodiscard]] bool isQuantized() const { return !std::holds_alternative<std::monostate>(quantization); }
    bool operator==(const TensorMeta&) const = default;
};

struct Graph;

/// Reference to a tensor of the same graph.
struct TensorName {
    std::string name;
    bool operator==(const TensorName&) const = default;
};
/// A number, or a reference to one of the same graph.
template <class T>
struct ScalarOrName {
    T value{};
    std::string name{};  ///< not empty: `value` is unused
    bool operator==(const ScalarOrName&) const = default;
};
using IntOrName = ScalarOrName<std::int64_t>;
struct ScalarTypeCode {
    std::int8_t code = 0;  ///< core::scalarType() code
    bool operator==(const ScalarTypeCode&) const = default;
};
/// References to tensors of the same graph; nothing represents None.
struct TensorNames {
    std::vector<std::optional<std::string>> names;
    bool isOptional = false;  ///< a `Tensor?[]`
    bool operator==(const TensorNames&) const = default;
};
/// A branch or a loop body. Names inside it are its own.
struct Subgraph {
    std::string name;
    std::shared_ptr<const Graph> graph;  ///< never null
};

/// monostate represents None. Layouts, devices and memory formats are strings ("torch.strided", "cpu").
using ArgumentValue = std::variant<std::monostate, TensorName, IntOrName, ScalarOrName<double>,
                                   ScalarOrName<bool>, std::string, ScalarTypeCode, std::vector<IntOrName>,
                                   std::vector<double>, std::vector<bool>, TensorNames, Subgraph>;

struct Argument {
    std::string name;  ///< of the operator's parameter; may be empty
    ArgumentValue value{};
    bool isMutated = false;  ///< written in place
};

struct Output {
    enum class Kind : std::uint8_t { Tensor, TensorList, Int, Bool, Float };

    Kind kind = Kind::Tensor;
    std::string name;                  ///< empty for a list
    std::vector<std::string> names{};  ///< of a list's elements
    std::string aliasOf{};             ///< an input with the same storage; empty: none

    bool operator==(const Output&) const = default;
};

struct Node {
    enum class Kind : std::uint8_t { Call, Placeholder, Output };

    Kind kind = Kind::Call;
    std::string name;
    std::string target;  ///< "torch.ops.aten.add.Tensor"; empty for placeholders and the output
    std::vector<Argument> inputs{};
    std::vector<Output> outputs{};
    std::vector<std::pair<std::string, std::string>> metadata{};
};

/// Nodes in an order in which each value is defined before its use.
struct Graph {
    std::vector<Node> nodes;
    std::vector<std::string> inputs;  ///< user inputs of a method, operands of a subgraph
    std::vector<std::string> outputs;
    std::map<std::string, TensorMeta, std::less<>> tensors;  ///< of inputs, intermediate values and outputs
};

/// An input of a method's graph with data in the package.
struct Constant {
    enum class Kind : std::uint8_t { Parameter = 1, Buffer = 2, Tensor = 3 };

    std::string name;  ///< in the graph
    std::string key;   ///< of the stored tensor: its qualified name
    TensorMeta meta{};
    Kind kind = Kind::Parameter;
    bool isMutable = false;  ///< the stored data are the initial values of state
};

/// State without data in the package: zero at load.
struct MutableBuffer {
    std::string name;  ///< in the graph
    std::string key;   ///< qualified name; methods share a buffer of the same one
};

struct OutputSpec {
    enum class Kind : std::uint8_t { UserOutput, BufferMutation, InputMutation };

    std::string name;
    Kind kind = Kind::UserOutput;
    /// The key of a mutated buffer, or the name of a mutated input.
    std::string target{};
};

struct Method {
    std::string name;
    Graph graph{};
    std::vector<Constant> constants{};
    std::vector<OutputSpec> outputSpecs{};  ///< parallel to graph.outputs
    std::vector<MutableBuffer> mutableBuffers{};

    /// Metadata of a value of the graph: an input, an intermediate value or a constant. Null if it is no
    /// tensor.
    [[nodiscard]] const TensorMeta* tensor(std::string_view valueName) const;
};

struct Program {
    std::string version;
    std::vector<Method> methods;

    [[nodiscard]] const Method* find(std::string_view methodName) const;
};

/// A mutable buffer that a method reads and no method writes: its values are always zero. Usually a constant
/// that was registered as a non-persistent buffer.
struct LostConstant {
    const Method* method;
    const MutableBuffer* buffer;
};
[[nodiscard]] std::vector<LostConstant> lostConstants(const Program& program);

}  // namespace et::native
