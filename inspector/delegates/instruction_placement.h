#pragma once

#include "inspector/delegates/delegates.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <optional>
#include <string>

namespace et::inspector {

/// Delegate or kernel that runs an instruction; if it is a kernel, also the likely reason.
struct InstructionPlacement {
    std::string backend{};                  ///< of the called delegate; empty: a kernel of the runtime
    std::optional<std::size_t> delegate{};  ///< index of that delegate in its method
    std::string op{};                       ///< "view_copy"; empty for a delegate
    std::size_t alike = 0;           ///< number of operators with this name in the method, including this one
    std::size_t alikeDelegated = 0;  ///< number of those that a delegate runs
    /// The delegate calls of one backend that this instruction separates.
    struct Split {
        std::string backend;
        core::InstructionId before{-1};
        core::InstructionId after{-1};
    };
    std::optional<Split> splits{};
    std::string why{};  ///< one line; empty for a delegate
};

/// For the method's first chain. Empty if neither a kernel nor a delegate runs there. No file contains the
/// partitioner's decisions: `why` is inferred from where operators of the same name run.
[[nodiscard]] std::optional<InstructionPlacement> findPlacement(const MethodDelegates& delegates,
                                                                core::InstructionId at);

}  // namespace et::inspector
