#pragma once

#include "backends/lowering/computed_constants.h"
#include "backends/lowering/edge_method.h"
#include "backends/reference/reference_value.h"
#include "runtime/core/result.h"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Values of a graph that are equal in every run: parameters, buffers and constants, the results of moving
/// (permute, view) or dequantizing them, and what other operators compute from them, if it is not larger.
class Constants {
  public:
    /// Both must outlive it.
    Constants(lowering::EdgeMethod& of, const kernels::KernelRegistry& kernels)
        : method(of), computed(of, kernels) {}

    [[nodiscard]] bool has(std::string_view value) const;
    /// Whether the node only computes a constant, so that nothing runs.
    [[nodiscard]] bool isFolded(const etrecord::Node& node) const;
    /// Row-major. Errors: those of EdgeMethod::tensor() and ComputedConstants::compute(); InvalidArgument
    /// (not a constant, mismatching sizes).
    [[nodiscard]] core::Result<reference::ReferenceTensor> get(std::string_view value);

  private:
    [[nodiscard]] bool isDequantized(const etrecord::Node& node) const;
    [[nodiscard]] bool isComputed(const etrecord::Node& node) const;
    void keep(std::string_view value, const reference::ReferenceTensor& tensor);
    core::Result<reference::ReferenceTensor> evaluated(const etrecord::Node& node, std::string_view value);
    core::Result<reference::ReferenceTensor> make(std::string_view value);
    core::Result<reference::ReferenceTensor> dequantized(const etrecord::Node& node);
    core::Result<std::vector<double>> numbers(const etrecord::Node& node, std::string_view argument,
                                              std::size_t count);

    lowering::EdgeMethod& method;
    lowering::ComputedConstants computed;
    std::map<std::string, reference::ReferenceTensor, std::less<>> known;
    std::deque<std::string> large;  ///< large values in `known`, oldest first
};

}  // namespace et::backends::xnnpack
