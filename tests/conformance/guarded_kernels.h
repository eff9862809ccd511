#pragma once

#include "runtime/kernels/registry.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace et::conformance {

/// What an operator was called with.
struct ObservedCall {
    std::set<std::int8_t> dtypes{};  ///< of all tensors, those in lists too
    std::string key{};               ///< "v1/6;0,1|…" of the tensors that are arguments themselves
    std::string listedKey{};         ///< of those in lists, too
};

/// The kernels of the build, each with a guard before it that sees what it is called with. One at a time: the
/// guards are functions without a state of their own.
class GuardedKernels {
  public:
    /// Whether an operator may run so. Called before each kernel.
    using Rule = std::function<bool(std::string_view name, const ObservedCall& call)>;

    /// Only operators that `has` names.
    GuardedKernels(const std::function<bool(std::string_view name)>& has, Rule rule);
    ~GuardedKernels();
    GuardedKernels(const GuardedKernels&) = delete;
    GuardedKernels& operator=(const GuardedKernels&) = delete;

    [[nodiscard]] const kernels::KernelRegistry& registry() const { return table; }

  private:
    kernels::KernelRegistry table;
};

}  // namespace et::conformance
