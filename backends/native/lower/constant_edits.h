#pragma once

#include "runtime/core/scalar_type.h"
#include "runtime/native/graph.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Steps of replacing quantized weights in the graphs of the ExecuTorch Native format.
namespace et::backends::native {

/// Whether a value is only the weight of linear layers.
[[nodiscard]] bool isLinearWeight(const et::native::Graph& graph, const std::string& name);

[[nodiscard]] et::native::TensorMeta metaOf(core::ScalarType type, const std::vector<std::size_t>& sizes);

/// A name that the method does not have yet.
[[nodiscard]] std::string newName(const et::native::Method& method, std::string name);

/// Rows and columns of a matrix of fixed sizes.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> matrixSizes(
    const et::native::TensorMeta& meta);

/// The dtype of the layer that reads the weight.
[[nodiscard]] core::ScalarType computedTypeOf(const et::native::Graph& graph, const std::string& name);

/// Adds an operator that computes the constant's values, and replaces the constant by its operands.
class Replacement {
  public:
    Replacement(et::native::Method& in, std::size_t at) : method(in), constant(in.constants[at]), index(at) {}

    void add(const std::string& parameter, const std::string& key, et::native::TensorMeta meta);
    void add(et::native::Argument argument) { node.inputs.push_back(std::move(argument)); }

    void finish(std::string_view target, core::ScalarType dtype, std::size_t rows, std::size_t columns);

  private:
    et::native::Method& method;
    const et::native::Constant constant;  // a copy: the list changes
    std::size_t index;
    et::native::Node node;
    std::vector<et::native::Constant> operands;
};

}  // namespace et::backends::native
