#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// A net as seen by an exporter: the single description from which program and ETRecord are built.
namespace et::samples {

/// Index into Net::tensors.
using TensorId = core::StrongId<struct NetTensorTag, std::uint32_t>;

struct Tensor {
    std::string name;  ///< name in the Edge graph
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
};

/// A parameter or buffer of a module with its value.
struct Attribute {
    TensorId tensor;
    std::string target;     ///< "features.0.0.weight"
    bool parameter = true;  ///< false: a buffer
    std::vector<std::byte> data;
};

/// An argument of an operator with its name in the schema.
struct OperationArgument {
    std::string_view name;
    std::variant<std::monostate, TensorId, std::int64_t, double, bool, std::vector<std::int64_t>> value;
    bool isDefault = false;  ///< omitted in the Edge graph, but passed to the kernel
};

/// An operator of the Edge graph.
struct Operation {
    std::string node;         ///< "aten_convolution_default_1"
    std::string_view op;      ///< "aten.convolution.default"
    std::string_view kernel;  ///< "aten::convolution.out"; empty: a view of the memory of its first argument
    std::vector<OperationArgument> arguments;  ///< without the out arguments
    std::vector<TensorId> results;
    std::int64_t debugHandle = 0;
    std::string source;         ///< node of the exported program from which it was lowered, "conv2d_1"
    std::string_view sourceOp;  ///< "aten.conv2d.default"
    std::vector<etrecord::ModuleFrame> modules;  ///< outermost first
    std::string stackTrace;
};

/// A parameter and its gradient, both outputs of the program.
struct NetGradient {
    TensorId parameter;
    TensorId gradient;
};

struct Net {
    std::vector<Tensor> tensors;
    std::vector<Attribute> attributes;
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
    std::vector<NetGradient> gradients;  ///< of a net that is trained: its first output is the loss
    std::vector<Operation> operations;

    /// Outputs of the Edge graph: `outputs`, then the gradients.
    [[nodiscard]] std::vector<TensorId> graphOutputs() const;
    /// Outputs of the program: those of the graph, then the trained parameters.
    [[nodiscard]] std::vector<TensorId> programOutputs() const;
    [[nodiscard]] bool isTrained(TensorId parameter) const;
    [[nodiscard]] const Tensor& tensor(TensorId id) const { return tensors[id.value]; }
};

}  // namespace et::samples
