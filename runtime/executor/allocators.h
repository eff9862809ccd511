#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace et::executor {

/// Purpose of memory used by a running method.
enum class MemoryKind : std::uint8_t {
    PlannedArena,
    CopiedConstants,
    UnplannedIo,
    KernelPackedWeights,
    DelegatePackedWeights,
    DelegateWorkspace,
    GrowingTensors,
    Temporary,
    ProcessPeak,  ///< not an allocator: the largest resident set of the process
};

struct MemoryKindInfo {
    MemoryKind kind;
    std::string_view name;  ///< machine-readable: "delegate_workspace"
    std::string_view text;  ///< in allocator names: "workspace"
    bool isNumbered;        ///< there is one per arena or delegate
};
[[nodiscard]] const MemoryKindInfo& traits(MemoryKind kind);

/// An allocator as named by our runtime in traces. Its allocation events record memory that is kept: their
/// sum over all runs is the memory held by the method.
struct Allocator {
    MemoryKind kind = MemoryKind::PlannedArena;
    std::string_view method{};  ///< empty: the whole process
    std::size_t number = 0;     ///< index of the arena or delegate

    friend bool operator==(const Allocator&, const Allocator&) = default;
};

/// "forward: planned memory 1", "forward: workspace of delegate 0", "process: peak resident memory".
[[nodiscard]] std::string allocatorName(const Allocator& allocator);

/// Inverse of allocatorName(); nothing for allocators of other runtimes. The method borrows `name`.
[[nodiscard]] std::optional<Allocator> parseAllocator(std::string_view name);

}  // namespace et::executor
