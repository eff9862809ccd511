#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace et::core {

/// Releases of ExecuTorch with a stable file format.
// NOLINTNEXTLINE(readability-identifier-naming): the underscore separates the two numbers of a version
enum class Release : std::uint8_t { V1_0, V1_1, V1_2, V1_3, V1_4, V1_5, V1_6, Newest = V1_6 };

inline constexpr std::array allReleases{Release::V1_0, Release::V1_1, Release::V1_2, Release::V1_3,
                                        Release::V1_4, Release::V1_5, Release::V1_6};

/// "1.6"
[[nodiscard]] constexpr std::string_view name(Release release) {
    constexpr std::array<std::string_view, allReleases.size()> names{"1.0", "1.1", "1.2", "1.3",
                                                                     "1.4", "1.5", "1.6"};
    return names[static_cast<std::size_t>(release)];
}

/// The releases that contain something, both ends included.
struct ReleaseRange {
    Release first = Release::V1_0;
    Release last = Release::Newest;

    [[nodiscard]] constexpr bool contains(Release release) const {
        return first <= release && release <= last;
    }
    bool operator==(const ReleaseRange&) const = default;
};

}  // namespace et::core
