#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// A runtime feature that a program may require besides operators and backends.
enum class Feature : std::uint8_t {
    Segments,         ///< data after the program's tables
    InlineConstants,  ///< constants inside the tables, as before September 2024
    NamedData,        ///< named blobs
    ExternalData,     ///< weights in a .ptd file
    InitialState,     ///< mutable tensors with an initial value
    DynamicShapes,    ///< tensors whose sizes only have an upper bound
    UnboundedShapes,  ///< tensors whose memory is allocated at run time
    DimOrders,        ///< tensors that are not row-major
    ControlFlow,      ///< jumps
    Devices,          ///< planned memory on other devices
};
struct FeatureInfo {
    Feature feature;
    std::string_view name;    ///< in the target file: "named_data"
    std::string_view remedy;  ///< what to change in the export
};
[[nodiscard]] const FeatureInfo& traits(Feature feature);

/// Properties of a device. Unspecified ones are not checked.
struct Target {
    std::string name{};
    unsigned pointerBytes = 0;                 ///< 4 or 8; 0: that of this machine
    std::optional<std::uint64_t> alignment{};  ///< of constants, payloads and planned tensors, in bytes
    std::optional<std::set<std::string>> backends{};  ///< available backends
    std::set<Feature> lacks{};
    std::optional<std::uint64_t> methodBytes{};     ///< pool for loading a method
    std::vector<std::uint64_t> plannedBytes{};      ///< pools by arena, starting at 1; empty: unspecified
    bool plannedTogether = false;                   ///< plannedBytes is one pool for all arenas
    std::optional<std::uint64_t> temporaryBytes{};  ///< pool for temporary memory of kernels
    std::optional<std::uint64_t> ioBytes{};         ///< pool for unplanned inputs and outputs
    std::optional<std::uint64_t> stackBytes{};
    std::optional<std::uint64_t> flashBytes{};  ///< for the files
    std::optional<std::uint64_t> ramBytes{};    ///< for all pools, and data copied from the files
    bool inPlace = true;                        ///< data is read in place; false: it is copied
};

/// Reads a target file, YAML or JSON (keys: docs/how_to/check_fit.md). Errors: as readSettings(); Format (an
/// unknown key, an invalid number: names key and line).
[[nodiscard]] core::Result<Target> readTarget(std::string_view text, std::string_view file);

}  // namespace et::inspector
