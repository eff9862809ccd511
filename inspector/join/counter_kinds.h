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

struct CounterInfo {
    Counter counter;
    std::string_view name;  ///< column name; stable, used in JSON
    bool ofProcessor;  ///< counted by the processor, independent of the kernel; else by the kernel itself
    std::string_view title;  ///< column header in the window
    std::string_view meaning;
};
inline constexpr std::array<CounterInfo, counterKinds> counterInfos{{
    {Counter::Cycles, "cycles", true, "Cycles", "CPU cycles in user mode"},
    {Counter::Instructions, "instructions", true, "Processor instructions",
     "instructions retired in user mode"},
    {Counter::CacheMisses, "cache_misses", true, "Cache misses", "misses of the last-level cache"},
    {Counter::BranchMisses, "branch_misses", true, "Branch misses", "mispredicted branches"},
    {Counter::PageFaults, "page_faults", false, "Page faults", "page faults, minor and major"},
    {Counter::ContextSwitches, "context_switches", false, "Context switches",
     "context switches of its threads"},
    {Counter::Migrations, "migrations", false, "Migrations", "moves of a thread to another core"},
}};
[[nodiscard]] constexpr const CounterInfo& infoOf(Counter counter) {
    return counterInfos[static_cast<std::size_t>(counter)];
}

}  // namespace et::inspector
