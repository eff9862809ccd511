#pragma once

#include "inspector/fit/kernel_use.h"
#include "runtime/program/program.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace et::inspector {

/// What a selective build needs of an operator.
struct ListedOperator {
    std::set<std::string> programs{};  ///< that call it
    std::set<std::string> keys{};  ///< "v1/6;0,1|6;0,1", tensors of lists included; empty: it takes no tensor
    std::set<std::int8_t> dtypes{};                     ///< of those keys
    std::set<std::int8_t> numbers{};                    ///< that plain numbers have among its arguments
    std::map<std::string, std::size_t> instructions{};  ///< how many, by key
};

/// A program to list, with its name for `debug_info`.
struct NamedProgram {
    const program::Program* program = nullptr;
    std::string name{};
};

/// The operators of all methods of all programs, by name. Operators that no instruction calls are left out.
[[nodiscard]] std::map<std::string, ListedOperator> operatorList(std::span<const NamedProgram> programs);

/// What else a list has.
struct OplistOptions {
    /// A key for the dtypes of plain numbers of each operator, for kernels that are compiled by them, too.
    bool numbers = false;
};

/// selected_operators.yaml, as ExecuTorch's build takes it (`gen_all_oplist.py`,
/// `gen_selected_op_variants.py`).
[[nodiscard]] std::string oplistYaml(const std::map<std::string, ListedOperator>& operators,
                                     const OplistOptions& options);

}  // namespace et::inspector
