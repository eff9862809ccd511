#pragma once

#include "inspector/memory/memory_timeline.h"
#include "runtime/builder/plan_search.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"
#include "runtime/program/program.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// A smaller memory plan for the methods of a program: the same tensors, living as long, at other places.
namespace et::inspector {

/// The planner's time grows with the square of their number.
inline constexpr std::size_t maxReplannedTensors = 20'000;

/// How to plan.
enum class ReplanAlgorithm : std::uint8_t {
    Best,    ///< searches for the smallest plan
    Greedy,  ///< builder::PlanStrategy::Greedy
    Naive,   ///< nothing shares memory
    None     ///< leaves all plans alone
};

struct ReplanOptions {
    ReplanAlgorithm algorithm = ReplanAlgorithm::Best;
    std::uint64_t alignment = builder::planAlignment;  ///< in bytes, a power of two
    builder::PlanEffort effort{};                      ///< for each arena
    bool inPlace = false;  ///< lets operators by element write over what they read (InPlaceChance)
    bool larger = false;   ///< take the new plan also where the old one is smaller
};

/// What became of one arena of a method.
struct ArenaReplan {
    program::ArenaId arena;
    std::size_t tensors = 0;   ///< that were placed anew
    std::size_t inPlace = 0;   ///< of them, those that are written over what they are made of
    std::uint64_t before = 0;  ///< bytes
    std::uint64_t after = 0;   ///< equal to `before` where the plan stays
    std::uint64_t lowerBound =
        0;                  ///< no plan of these lifetimes with this alignment has less bytes; 0: not known
    bool smallest = false;  ///< proven
    std::string kept;       ///< why the plan stays; empty: it was changed, or could not become smaller
};

struct MethodReplan {
    std::string_view method;  ///< of the program
    std::vector<ArenaReplan> arenas;

    [[nodiscard]] std::uint64_t before() const;
    [[nodiscard]] std::uint64_t after() const;
};

/// Plans the methods anew, in place; they are methods of `program` or copies of some. Left alone, with a
/// reason: an arena that several methods have from memory id 2 on, since runtimes share those; one in which
/// tensors destroy each other, or that views reach in ways that the program does not tell. Errors: Limit (as
/// MemoryTimeline::build() and planMemory()).
[[nodiscard]] core::Result<std::vector<MethodReplan>> replan(std::span<program::Method> methods,
                                                             const ReplanOptions& options);

}  // namespace et::inspector
