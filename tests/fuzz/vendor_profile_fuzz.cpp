// Fuzzes the profiles of vendors' tools, and the traces that they become.
#include "inspector/profiles/profiled_trace.h"
#include "inspector/profiles/vendor_profile.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto file =
        et::core::MappedFile::fromMemory(std::vector<std::byte>(bytes.begin(), bytes.end()), "profile");
    auto profile = et::inspector::readProfile(*file);
    if (!profile) {
        std::ignore = profile.error().toString();
        return 0;
    }
    std::vector<et::inspector::VendorProfile> profiles;
    profiles.push_back(*std::move(profile));
    const auto alone = et::inspector::addProfiles({}, profiles, "profile");
    if (!alone) {
        std::ignore = alone.error().toString();
        return 0;
    }
    // A trace with operators inside its calls gets no others.
    std::ignore = et::inspector::addProfiles({.trace = alone->trace}, std::move(profiles), "profile");
    return 0;
}
