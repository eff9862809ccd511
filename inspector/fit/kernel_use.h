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

/// One way in which a program calls an operator.
struct KernelUse {
    /// Dtypes of all tensors among the arguments, those in lists too.
    std::set<std::int8_t> dtypes{};
    /// Dtypes that the numbers among the arguments have as tensors would have them: int64, float64, bool.
    std::set<std::int8_t> numbers{};
    /// "v1/6;0,1|6;0,1": dtype and dim order of each tensor, as a runtime looks for a kernel; empty: none.
    std::string key{};
    /// The same with the tensors in lists, as selective builds list it.
    std::string listedKey{};
    std::vector<core::InstructionId> instructions{};  ///< of the first chain that has one
};

/// An operator that a method needs, in all ways in which it is called.
struct OperatorUse {
    std::string name;  ///< "aten::add.out"
    std::vector<KernelUse> uses{};
};

/// What a method calls, by name. An operator that the method lists but no instruction calls has no uses: a
/// runtime does not look for it.
[[nodiscard]] std::vector<OperatorUse> operatorsOf(const program::Method& method);

/// "v1/6;0,1|4;" of tensors.
[[nodiscard]] std::string kernelKey(const std::vector<const program::TensorInfo*>& tensors);

/// The dtypes that a key names; nothing where it is none.
[[nodiscard]] std::optional<std::set<std::int8_t>> dtypesOfKey(std::string_view key);

/// Operators of this namespace come with every runtime, whatever kernels it was built with.
inline constexpr std::string_view primNamespace = "executorch_prim::";

}  // namespace et::inspector
