#pragma once

#include "bundled_program/verify.h"

#include <cstdint>
#include <span>

namespace et::tasks {

/// Number of files per verdict.
struct VerifySummary {
    std::uint64_t passed = 0;
    std::uint64_t failed = 0;
    std::uint64_t errors = 0;
    std::uint64_t cases = 0;
};
[[nodiscard]] VerifySummary summarize(std::span<const bundled_program::FileReport> reports);

}  // namespace et::tasks
