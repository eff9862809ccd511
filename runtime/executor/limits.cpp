#include "runtime/executor/limits.h"

#include <fmt/format.h>

namespace et::executor {

core::Result<> MemoryBudget::take(std::uint64_t bytes) {
    if (bytes > limit - used) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("expected a memory need of at most {} bytes, got {}", limit,
                                      bytes > UINT64_MAX - used ? UINT64_MAX : used + bytes));
    }
    used += bytes;
    return {};
}

}  // namespace et::executor
