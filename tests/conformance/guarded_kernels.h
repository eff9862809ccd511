#pragma once

#include "runtime/kernels/registry.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace et::conformance {

/// Arguments of one operator call.
struct ObservedCall {
    std::set<std::int8_t> dtypes{};  ///< dtypes of all tensors, including those in lists
    std::string key{};               ///< "v1/6;0,1|…" of the direct tensor arguments
    std::string listedKey{};         ///< including tensors in lists
};

/// The kernels of the build, each wrapped in a guard that sees its arguments. Only one instance at a time:
/// the guards are stateless functions.
class GuardedKernels {
  public:
    /// Returns whether the call is allowed. Called before each kernel.
    using Rule = std::function<bool(std::string_view name, const ObservedCall& call)>;

    /// Includes only operators for which `has` returns true.
    GuardedKernels(const std::function<bool(std::string_view name)>& has, Rule rule);
    ~GuardedKernels();
    GuardedKernels(const GuardedKernels&) = delete;
    GuardedKernels& operator=(const GuardedKernels&) = delete;

    [[nodiscard]] const kernels::KernelRegistry& registry() const { return table; }

  private:
    kernels::KernelRegistry table;
};

}  // namespace et::conformance
