#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Profiles that tools of accelerator vendors write: times of the operators inside a delegate.
namespace et::inspector {

/// Unit of the times of a profile.
enum class ProfileUnit : std::uint8_t {
    Nanoseconds,
    Cycles,  ///< of a clock whose frequency the profile does not contain
    Share,   ///< of the delegate call, from 0 to 1
};

/// Columns that a profile has in addition to name and time, in its order.
using ProfileColumns = std::vector<std::pair<std::string, std::string>>;

/// An operator or layer of a profile.
struct ProfiledOperator {
    std::string name;             ///< unique in the profile
    std::vector<double> times{};  ///< one per run, in the unit of the profile; empty: the profile has none
    ProfileColumns columns{};
};

/// A profile, as read from a file.
struct VendorProfile {
    std::string_view tool{};                   ///< "QNN profile viewer"
    std::vector<std::string_view> backends{};  ///< ids of the delegates that it may describe; empty: any
    ProfileUnit unit = ProfileUnit::Nanoseconds;
    std::vector<ProfiledOperator> operators{};
    std::vector<double> callTimes{};  ///< nanoseconds of the whole call, one per run; empty: not measured
    ProfileColumns columns{};         ///< of the whole call

    /// Number of runs: the most that an operator has.
    [[nodiscard]] std::size_t runs() const;
};

/// Whether a file starts as a profile of a tool that readProfile() supports.
[[nodiscard]] bool isVendorProfile(core::Bytes bytes);

/// Reads a profile. Errors: Format (no profile, or a field is missing or not a number; names the line or
/// element), Limit (more than maxProfileBytes, operators or columns).
[[nodiscard]] core::Result<VendorProfile> readProfile(const core::MappedFile& file);

inline constexpr std::size_t maxProfileBytes = std::size_t{64} << 20U;
inline constexpr std::size_t maxProfiledOperators = 100'000;
/// Maximum number of times of all operators.
inline constexpr std::size_t maxProfiledTimes = 4'000'000;

}  // namespace et::inspector
