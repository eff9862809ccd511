#pragma once

#include "runtime/core/strong_id.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// A distinct combination of argument types with which a program calls an operator.
struct KernelUse {
    /// Dtypes of all tensor arguments, including those in lists.
    std::set<std::int8_t> dtypes{};
    /// Dtypes of the numeric arguments as tensors: int64, float64, bool.
    std::set<std::int8_t> numbers{};
    /// "v1/6;0,1|6;0,1": dtype and dim order of each tensor, as used by the runtime's kernel lookup; empty:
    /// none.
    std::string key{};
    /// The same including tensors in lists, as listed by selective builds.
    std::string listedKey{};
    std::vector<core::InstructionId> instructions{};  ///< of the first chain with such a call
};

/// An operator required by a method, with all its uses.
struct OperatorUse {
    std::string name;  ///< "aten::add.out"
    std::vector<KernelUse> uses{};
};

/// Operators of a method, by name. An operator that is listed but not called has no uses: runtimes do not
/// look it up.
[[nodiscard]] std::vector<OperatorUse> operatorsOf(const program::Method& method);

/// Kernel key of tensors: "v1/6;0,1|4;".
[[nodiscard]] std::string kernelKey(const std::vector<const program::TensorInfo*>& tensors);

/// The dtypes in a key; empty if it is not a key.
[[nodiscard]] std::optional<std::set<std::int8_t>> dtypesOfKey(std::string_view key);

/// Namespace of operators built into every runtime.
inline constexpr std::string_view primNamespace = "executorch_prim::";

}  // namespace et::inspector
