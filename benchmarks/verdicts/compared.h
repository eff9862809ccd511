#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::bench {

/// What `et-inspect compare` said of two programs.
struct Compared {
    std::string verdict;                 ///< of the total
    double ratio = 1;                    ///< of the totals
    double nanoseconds = 0;              ///< of an execution of A
    std::vector<std::string> operators;  ///< that were called slower or faster, with their ratios
    double seconds = 0;                  ///< that it took
};

/// Runs `program` (et-inspect); nothing, and a line on stderr, where that fails.
[[nodiscard]] std::optional<Compared> compare(const std::filesystem::path& program,
                                              const std::filesystem::path& a, const std::filesystem::path& b,
                                              const std::vector<std::string>& options);

}  // namespace et::bench
