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

// Computes smaller memory plans for the methods of a program: same tensors and lifetimes, other offsets.
namespace et::inspector {

/// Gives each planned tensor separate memory, so that parts of the method may extend its lifetime; views stay
/// inside their base tensors. replan() packs the tensors again. Does not change a method in which tensors
/// overlap, or that views access in ways the program does not specify. Errors: Limit (as
/// MemoryTimeline::build()).
[[nodiscard]] core::Result<> spreadPlan(program::Method& method);

/// Limit on the number of tensors, since planning time is quadratic in it.
inline constexpr std::size_t maxReplannedTensors = 20'000;

/// Planning algorithm.
enum class ReplanAlgorithm : std::uint8_t {
    Best,    ///< searches for the smallest plan
    Greedy,  ///< builder::PlanStrategy::Greedy
    Naive,   ///< no memory is reused
    None     ///< keeps all plans
};

struct ReplanOptions {
    ReplanAlgorithm algorithm = ReplanAlgorithm::Best;
    std::uint64_t alignment = builder::planAlignment;  ///< in bytes, a power of two
    builder::PlanEffort effort{};                      ///< per arena
    bool inPlace = false;  ///< allow elementwise operators to overwrite their inputs (InPlaceCandidate)
    bool larger = false;   ///< use the new plan even if it is larger
};

/// Result of replanning one arena of a method.
struct ArenaReplan {
    program::ArenaId arena;
    std::size_t tensors = 0;   ///< number of tensors placed
    std::size_t inPlace = 0;   ///< number of those that overwrite their input
    std::uint64_t before = 0;  ///< bytes
    std::uint64_t after = 0;   ///< equal to `before` if the plan was kept
    std::uint64_t lowerBound =
        0;                  ///< lower bound for any plan of these lifetimes with this alignment; 0: unknown
    bool smallest = false;  ///< proven
    std::string kept;       ///< reason for keeping the plan; empty: it was changed, or could not be reduced
};

struct MethodReplan {
    std::string_view method;  ///< borrowed from the program
    std::vector<ArenaReplan> arenas;

    [[nodiscard]] std::uint64_t before() const;
    [[nodiscard]] std::uint64_t after() const;
};

/// Replans the methods in place; they are methods of `program` or copies of some. Kept, with a reason: arenas
/// with memory id 2 or above used by several methods, since runtimes share those; arenas in which tensors
/// overlap, or that views access in ways the program does not specify. Errors: Limit (as
/// MemoryTimeline::build() and planMemory()).
[[nodiscard]] core::Result<std::vector<MethodReplan>> replan(std::span<program::Method> methods,
                                                             const ReplanOptions& options);

}  // namespace et::inspector
