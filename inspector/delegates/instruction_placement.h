#pragma once

#include "inspector/delegates/delegates.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <optional>
#include <string>

namespace et::inspector {

/// Who runs an instruction, and of one that no delegate runs, what the files tell of why.
struct InstructionPlacement {
    std::string backend{};  ///< of the delegate that it calls; empty: the runtime's own kernel
    std::optional<std::size_t> delegate{};  ///< number of that delegate in its method
    std::string op{};                       ///< "view_copy"; empty for a delegate
    std::size_t alike = 0;                  ///< operators of this name in the method, this one among them
    std::size_t alikeDelegated = 0;         ///< of those, how many a delegate runs
    /// The delegate calls of one backend before and after it, which it keeps apart.
    struct Split {
        std::string backend;
        core::InstructionId before{-1};
        core::InstructionId after{-1};
    };
    std::optional<Split> splits{};
    std::string why{};  ///< one line; empty for a delegate
};

/// Of the method's first chain. Nothing: neither a kernel nor a delegate runs there. What a partitioner
/// thought is in no file: `why` says what follows from where operators of the same name run.
[[nodiscard]] std::optional<InstructionPlacement> placementOf(const MethodDelegates& delegates,
                                                              core::InstructionId at);

}  // namespace et::inspector
