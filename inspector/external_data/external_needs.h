#pragma once

#include "runtime/program/program.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Data that a program reads by name and does not contain.
struct ExternalNeed {
    std::string name;
    const program::TensorInfo* tensor = nullptr;  ///< null: a delegate's
    std::string_view backend{};                   ///< of the delegate; empty for a tensor
    std::string type{};       ///< as a delegate declares it: "float32 [16, 12]"; empty: not known
    bool isRequired = false;  ///< the program does not load without it
    /// Not required, and the program contains other data of the delegate: this may have been omitted, as
    /// buffers of zeros are.
    bool isOptional = false;
    /// SHA-256 of `hashedBefore` followed by the data, as 64 hexadecimal digits; empty: not known.
    std::string sha256{};
    std::string hashedBefore{};
};

struct ExternalNeeds {
    std::vector<ExternalNeed> needs;  ///< each name once
    /// Ids of backends whose payloads are not understood, so that they may need more.
    std::vector<std::string_view> unknownBackends;

    [[nodiscard]] const ExternalNeed* find(std::string_view name) const;
};

/// `candidates`: names that are needed if they occur in a payload that is not understood. The result refers
/// to `program`.
[[nodiscard]] ExternalNeeds externalNeeds(const program::Program& program,
                                          std::span<const std::string_view> candidates = {});

}  // namespace et::inspector
