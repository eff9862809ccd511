#pragma once

#include "etdump/trace.h"
#include "inspector/join/counter_kinds.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector {

/// Identifies a trace, so that counters are not shown for one that was recorded later.
struct TraceMark {
    std::uint64_t events = 0;
    std::uint64_t firstStart = 0;  ///< ticks of the first event; 0: none

    bool operator==(const TraceMark&) const = default;
};
[[nodiscard]] TraceMark markOf(const etdump::Trace& trace);

/// Counters of an instruction, as means per execution; empty: not counted.
using CountsOfInstruction = std::array<std::optional<double>, counterKinds>;

/// Counters recorded with a trace (`et-inspect run --counters`).
struct InstructionCounts {
    std::string method{};
    TraceMark trace{};
    std::map<std::pair<std::int64_t, std::int64_t>, CountsOfInstruction> instructions{};  ///< chain, index
    std::shared_ptr<const core::MappedFile> file{};                                       ///< the source file

    /// Path of the counter file that belongs to a trace.
    [[nodiscard]] static std::filesystem::path fileOf(const std::filesystem::path& trace);
    /// Errors: Io, Format (names file and field), Limit (more than 64 MB).
    [[nodiscard]] static core::Result<std::shared_ptr<const InstructionCounts>> open(
        const std::filesystem::path& file);
    /// Errors: Format, Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<const InstructionCounts>> parse(
        std::shared_ptr<const core::MappedFile> file);
};

}  // namespace et::inspector
