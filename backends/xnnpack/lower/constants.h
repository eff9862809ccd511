#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/reference/reference_value.h"
#include "runtime/core/result.h"

#include <string_view>
#include <unordered_map>

namespace et::backends::xnnpack {

/// Values of a graph that are the same in every run: parameters, buffers and constants, and what operators
/// that only move elements (permute, view) make of them.
class Constants {
  public:
    explicit Constants(lowering::EdgeMethod& of) : method(of) {}

    [[nodiscard]] bool has(std::string_view value) const;
    /// Whether the node only moves the elements of a constant, so that nothing is left to run.
    [[nodiscard]] bool isFolded(const etrecord::Node& node) const;
    /// Row-major. Errors: as EdgeMethod::tensor(); InvalidArgument (no constant, sizes that do not fit).
    [[nodiscard]] core::Result<reference::ReferenceTensor> get(std::string_view value);

  private:
    core::Result<reference::ReferenceTensor> make(std::string_view value);

    lowering::EdgeMethod& method;
    std::unordered_map<std::string_view, reference::ReferenceTensor> known;
};

}  // namespace et::backends::xnnpack
