#pragma once

#include "inspector/program_diff/detail/steps.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

namespace et::inspector::program_diff::detail {

/// Difference between the elements of two constants.
struct ElementDifference {
    std::uint64_t elements = 0;   ///< bytes if the dtype is not readable
    std::uint64_t different = 0;  ///< 0: none
    std::optional<double>
        maxAbsolute;  ///< infinite if only one side has a NaN or infinity; nothing: no numbers
};

/// Compares constants. Each pair of byte ranges is compared once, and the total is limited to a small
/// multiple of the file sizes, since a malicious file may refer to the same bytes a million times.
class ConstantComparer {
  public:
    explicit ConstantComparer(std::uint64_t fileBytes) : budget(spareBytes + timesAllowed * fileBytes) {}

    /// Errors: Limit.
    [[nodiscard]] core::Result<ElementDifference> compare(const ConstantData& before,
                                                          const ConstantData& after);

  private:
    static constexpr std::uint64_t spareBytes = std::uint64_t{64} << 20;
    static constexpr std::uint64_t timesAllowed = 8;
    using Key = std::tuple<const std::byte*, std::size_t, const std::byte*, std::size_t>;

    std::uint64_t budget;
    std::map<Key, ElementDifference> known;
};

}  // namespace et::inspector::program_diff::detail
