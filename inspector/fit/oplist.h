#pragma once

#include "inspector/fit/kernel_use.h"
#include "runtime/program/program.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace et::inspector {

/// Requirements of an operator for a selective build.
struct ListedOperator {
    std::set<std::string> programs{};  ///< programs that call it
    std::set<std::string> keys{};      ///< "v1/6;0,1|6;0,1", including tensors in lists; empty: no tensor
                                       ///< arguments
    std::set<std::int8_t> dtypes{};    ///< of those keys
    std::set<std::int8_t> numbers{};   ///< dtypes of plain numbers among its arguments
    std::map<std::string, std::size_t> instructions{};  ///< number of instructions, by key
};

/// A program with its name in `debug_info`.
struct NamedProgram {
    const program::Program* program = nullptr;
    std::string name{};
};

/// Operators of all methods of all programs, by name. Operators that no instruction calls are omitted.
[[nodiscard]] std::map<std::string, ListedOperator> operatorList(std::span<const NamedProgram> programs);

/// Optional content of a list.
struct OplistOptions {
    /// Adds a key for the dtypes of plain numbers of each operator, for kernels that are specialised by these
    /// too.
    bool numbers = false;
};

/// selected_operators.yaml, the input of ExecuTorch's build (`gen_all_oplist.py`,
/// `gen_selected_op_variants.py`).
[[nodiscard]] std::string oplistYaml(const std::map<std::string, ListedOperator>& operators,
                                     const OplistOptions& options);

}  // namespace et::inspector
