#include "inspector/profiles/vendor_profile.h"

#include "inspector/profiles/detail/readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;

/// A kind of profile.
struct ProfileFormat {
    bool (*matches)(std::string_view start);
    core::Result<VendorProfile> (*read)(core::Bytes bytes);
};

constexpr std::array profileFormats{
    ProfileFormat{profiles::detail::isQnnCsv, profiles::detail::readQnnCsv},
    ProfileFormat{profiles::detail::isTensorRtJson, profiles::detail::readTensorRtJson},
    ProfileFormat{profiles::detail::isVelaCsv, profiles::detail::readVelaCsv},
    ProfileFormat{profiles::detail::isComputePlanJson, profiles::detail::readComputePlanJson},
    ProfileFormat{profiles::detail::isStreamlineCsv, profiles::detail::readStreamlineCsv},
};

const ProfileFormat* formatOf(core::Bytes bytes) {
    constexpr std::size_t detected = std::size_t{1} << 16U;
    const std::string_view start = core::textOf(bytes).substr(0, detected);
    const auto* const found =
        std::ranges::find_if(profileFormats, [&](const ProfileFormat& each) { return each.matches(start); });
    return found == profileFormats.end() ? nullptr : found;
}

}  // namespace

std::size_t VendorProfile::runs() const {
    std::size_t most = 0;
    for (const ProfiledOperator& each : operators) {
        most = std::max(most, each.times.size());
    }
    return most;
}

bool isVendorProfile(core::Bytes bytes) {
    return formatOf(bytes) != nullptr;
}

core::Result<VendorProfile> readProfile(const core::MappedFile& file) {
    const core::Where where{.file = file.name(), .field = {}, .offset = {}};
    const ProfileFormat* const format = formatOf(file.bytes());
    if (format == nullptr) {
        return fail(ErrorCode::Format, "expected a profile of a vendor's tool", where);
    }
    if (file.bytes().size() > maxProfileBytes) {
        return fail(ErrorCode::Limit,
                    fmt::format("expected a profile of at most {} bytes, got {}", maxProfileBytes,
                                file.bytes().size()),
                    where);
    }
    auto profile = format->read(file.bytes());
    if (!profile) {
        return std::unexpected(std::move(profile).error().in(file.name()));
    }
    if (profile->operators.empty()) {
        return fail(ErrorCode::Format, fmt::format("the {} contains no operators", profile->tool), where);
    }
    return profile;
}

}  // namespace et::inspector
