#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace et::executor {

/// What the memory is for that a running method takes.
enum class MemoryKind : std::uint8_t {
    PlannedArena,
    CopiedConstants,
    UnplannedIo,
    KernelPackedWeights,
    DelegatePackedWeights,
    DelegateWorkspace,
    GrowingTensors,
    Temporary,
    ProcessPeak,  ///< no allocator: the largest resident set of the process
};

struct MemoryKindTraits {
    MemoryKind kind;
    std::string_view name;  ///< for programs: "delegate_workspace"
    std::string_view text;  ///< in the names of allocators: "workspace"
    bool isNumbered;        ///< there are several: by arena or by delegate
};
[[nodiscard]] const MemoryKindTraits& traits(MemoryKind kind);

/// An allocator as our runtime names it in traces. An allocation event of one is memory that was taken then
/// and is kept: their sum over all runs is what the method holds.
struct Allocator {
    MemoryKind kind = MemoryKind::PlannedArena;
    std::string_view method{};  ///< empty: the process
    std::size_t number = 0;     ///< of the arena or the delegate

    friend bool operator==(const Allocator&, const Allocator&) = default;
};

/// "forward: planned memory 1", "forward: workspace of delegate 0", "process: peak resident memory".
[[nodiscard]] std::string allocatorName(const Allocator& allocator);

/// Undoes allocatorName(); nothing for the allocators of other runtimes. The method borrows `name`.
[[nodiscard]] std::optional<Allocator> allocatorOf(std::string_view name);

}  // namespace et::executor
