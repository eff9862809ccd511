#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::bench {

/// Result of `et-inspect compare` for two programs.
struct Compared {
    std::string verdict;                 ///< of the total
    double ratio = 1;                    ///< of the totals
    double nanoseconds = 0;              ///< of an execution of A
    std::vector<std::string> operators;  ///< reported as slower or faster, with their ratios
    double seconds = 0;                  ///< duration of the comparison
};

/// Runs `program` (et-inspect). Returns nothing, and prints a line on stderr, if that fails.
[[nodiscard]] std::optional<Compared> compare(const std::filesystem::path& program,
                                              const std::filesystem::path& a, const std::filesystem::path& b,
                                              const std::vector<std::string>& options);

}  // namespace et::bench
