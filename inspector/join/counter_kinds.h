#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace et::inspector {

/// Events counted while operators run.
enum class Counter : std::uint8_t {
    Cycles,
    Instructions,
    CacheMisses,
    BranchMisses,
    PageFaults,
    ContextSwitches,
    Migrations,
};
inline constexpr std::size_t counterKinds = 7;

struct CounterTraits {
    Counter counter;
    std::string_view name;  ///< column name; stable, used in JSON
    bool ofProcessor;  ///< counted by the processor, independent of the kernel; else by the kernel itself
    std::string_view meaning;
};
inline constexpr std::array<CounterTraits, counterKinds> counterTraits{{
    {Counter::Cycles, "cycles", true, "cycles of the processor outside of the kernel"},
    {Counter::Instructions, "instructions", true, "instructions that ended, outside of the kernel"},
    {Counter::CacheMisses, "cache_misses", true, "accesses that the last level of the caches did not have"},
    {Counter::BranchMisses, "branch_misses", true, "branches that went another way than was guessed"},
    {Counter::PageFaults, "page_faults", false, "pages that the kernel had to give, or to fetch"},
    {Counter::ContextSwitches, "context_switches", false, "times that a thread left its core"},
    {Counter::Migrations, "migrations", false, "times that a thread came to another core"},
}};
[[nodiscard]] constexpr const CounterTraits& traitsOf(Counter counter) {
    return counterTraits[static_cast<std::size_t>(counter)];
}

}  // namespace et::inspector
