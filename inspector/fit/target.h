#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Something that a program may need of a runtime beside operators and backends.
enum class Feature : std::uint8_t {
    Segments,         ///< data behind the program's tables
    InlineConstants,  ///< constants inside of the tables, as before September 2024
    NamedData,        ///< blobs by name
    ExternalData,     ///< weights in a .ptd file
    InitialState,     ///< mutable tensors that start with a value
    DynamicShapes,    ///< tensors whose sizes have only a bound
    UnboundedShapes,  ///< tensors whose memory is found when they are there
    DimOrders,        ///< tensors that do not lie row by row
    ControlFlow,      ///< jumps
    Devices,          ///< planned memory that is not the processor's
};
struct FeatureTraits {
    Feature feature;
    std::string_view name;    ///< in the target's file: "named_data"
    std::string_view remedy;  ///< what to change in the export
};
[[nodiscard]] const FeatureTraits& traits(Feature feature);

/// What a device has. What is not said is not checked.
struct Target {
    std::string name{};
    unsigned pointerBytes = 0;                 ///< 4 or 8; 0: as this machine
    std::optional<std::uint64_t> alignment{};  ///< of constants, payloads and planned tensors, in bytes
    std::optional<std::set<std::string>> backends{};  ///< that it has
    std::set<Feature> lacks{};
    std::optional<std::uint64_t> methodBytes{};     ///< pool for what loading a method makes
    std::vector<std::uint64_t> plannedBytes{};      ///< pools by arena, from 1 on; empty: not said
    bool plannedTogether = false;                   ///< plannedBytes has one pool for all arenas
    std::optional<std::uint64_t> temporaryBytes{};  ///< pool for what kernels need while they run
    std::optional<std::uint64_t> ioBytes{};         ///< pool for inputs and outputs that are not planned
    std::optional<std::uint64_t> stackBytes{};
    std::optional<std::uint64_t> flashBytes{};  ///< for the files
    std::optional<std::uint64_t> ramBytes{};    ///< for all pools, and what is copied out of the files
    bool inPlace = true;                        ///< data is read where the file lies; false: it is copied
};

/// Reads a target's file, YAML or JSON (docs/fit.md has its keys). Errors: readSettings()'s; Format (an
/// unknown key, a number that is none: names key and line).
[[nodiscard]] core::Result<Target> readTarget(std::string_view text, std::string_view file);

}  // namespace et::inspector
