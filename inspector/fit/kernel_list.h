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

/// What a runtime has of an operator.
struct KernelSupport {
    bool anyDtype = false;           ///< a kernel for all dtypes: what registries call the fallback
    std::set<std::int8_t> dtypes{};  ///< that a kernel was built for; a tensor of another one ends the run
    std::set<std::string> keys{};    ///< kernels for these arguments only: "v1/6;0,1|6;0,1|6;0,1"

    /// Takes up what `other` has, too.
    void add(const KernelSupport& other);
};

/// What answers that a list has a kernel or not.
enum class KernelMatch : std::uint8_t {
    Fits,
    NoOperator,
    NoDtype,   ///< the operator is there, not for a dtype of the call
    NoKernel,  ///< it is there for arguments of other dtypes or dim orders only
};

/// The kernels of a runtime: what it was built with, as a list, a selective build's YAML or a binary tells.
struct KernelList {
    std::map<std::string, KernelSupport, std::less<>> operators{};  ///< by full name: "aten::add.out"
    std::set<std::string, std::less<>> allOverloads{};              ///< "aten::add": with whatever overload
    bool everything = false;                                        ///< include_all_operators
    bool listsDtypes = true;  ///< false of a binary: dtypes are nowhere in it
    bool listsPrims = true;   ///< false: operators of executorch_prim are part of the runtime, and not listed
    std::optional<std::set<std::string, std::less<>>> backends{};  ///< nothing: it does not tell
    std::string kind{};                                            ///< "a list", "selected operators", …
    std::vector<std::string> notes{};                              ///< what to know of it, a clause each

    void add(std::string_view name, const KernelSupport& support);
    [[nodiscard]] KernelMatch match(std::string_view name, const KernelUse& use) const;
    /// The dtypes of a call that an operator of the list lacks.
    [[nodiscard]] std::set<std::int8_t> missingDtypes(std::string_view name, const KernelUse& use) const;

  private:
    /// Null: the operator is not there.
    [[nodiscard]] const KernelSupport* find(std::string_view name) const;
};

/// Reads a list of operators, one or several a line, each with what it is there for, if not for everything:
///
///     aten::add.out
///     aten::mul.out float32 int8
///     aten::cat.out v1/6;0,1|6;0,1
///
/// Errors: Format (names the line).
[[nodiscard]] core::Result<KernelList> readKernelText(std::string_view text, std::string_view file);

/// Reads selected_operators.yaml (`operators`, `et_kernel_metadata`), functions.yaml (a list of `op` or
/// `func` with `kernels`), and the JSON of an operator dictionary. Errors: readSettings()'s; Format.
[[nodiscard]] core::Result<KernelList> readKernelSettings(std::string_view text, std::string_view file);

}  // namespace et::inspector
