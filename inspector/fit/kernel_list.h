#pragma once

#include "inspector/fit/kernel_use.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Kernels that a runtime has for an operator.
struct KernelSupport {
    bool anyDtype = false;           ///< has a kernel for all dtypes, called fallback in registries
    std::set<std::int8_t> dtypes{};  ///< supported by a kernel; a tensor of another dtype aborts the run
    std::set<std::string> keys{};    ///< kernels for specific arguments only: "v1/6;0,1|6;0,1|6;0,1"

    /// Merges the kernels of `other`.
    void add(const KernelSupport& other);
};

/// Result of looking up a kernel.
enum class KernelMatch : std::uint8_t {
    Fits,
    NoOperator,
    NoDtype,   ///< operator exists, but not for a dtype of the call
    NoKernel,  ///< exists only for other dtypes or dim orders
};

/// Kernels of a runtime build, from a list, a selective build's YAML or a binary.
struct KernelList {
    std::map<std::string, KernelSupport, std::less<>> operators{};  ///< by full name: "aten::add.out"
    std::set<std::string, std::less<>> allOverloads{};              ///< "aten::add": with any overload
    bool everything = false;                                        ///< include_all_operators
    bool listsDtypes = true;  ///< false for a binary, which does not contain dtypes
    bool listsPrims = true;   ///< false: operators of executorch_prim are part of the runtime, and not listed
    std::optional<std::set<std::string, std::less<>>> backends{};  ///< empty: unknown
    std::string kind{};                                            ///< "a list", "selected operators", …
    std::vector<std::string> notes{};                              ///< hints about the list, one clause each

    void add(std::string_view name, const KernelSupport& support);
    [[nodiscard]] KernelMatch match(std::string_view name, const KernelUse& use) const;
    /// Dtypes of a call that an operator of the list does not support.
    [[nodiscard]] std::set<std::int8_t> missingDtypes(std::string_view name, const KernelUse& use) const;

  private:
    /// Null if the list does not contain the operator.
    [[nodiscard]] const KernelSupport* find(std::string_view name) const;
};

/// Reads a list of operators, one or several per line, each optionally followed by its dtypes or keys:
///
///     aten::add.out
///     aten::mul.out float32 int8
///     aten::cat.out v1/6;0,1|6;0,1
///
/// Errors: Format (names the line).
[[nodiscard]] core::Result<KernelList> readKernelText(std::string_view text, std::string_view file);

/// Reads selected_operators.yaml (`operators`, `et_kernel_metadata`), functions.yaml (a list of `op` or
/// `func` with `kernels`), and the JSON of an operator dictionary. Errors: as readSettings(); Format.
[[nodiscard]] core::Result<KernelList> readKernelSettings(std::string_view text, std::string_view file);

}  // namespace et::inspector
