#pragma once

#include "inspector/format/palette.h"
#include "inspector/join/event_blocks.h"
#include "inspector/memory/measured_memory.h"
#include "inspector/session/session.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A session at one look: where a run's time goes, how steady the runs are, what the memory is made of, and
// who runs which instruction.
namespace et::inspector {

/// What a run's time is spent on.
enum class RunPart : std::uint8_t {
    Delegated,  ///< calls of delegates, as a whole
    Kernels,    ///< the runtime's own kernels that compute
    Copies,     ///< the runtime's own kernels that only move data
    Overhead    ///< between the instructions
};
struct RunPartTraits {
    RunPart part;
    std::string_view name;  ///< "kernels"
    std::string_view one;   ///< "kernel"
    report::Meaning meaning;
};
/// In the order of RunPart.
[[nodiscard]] std::span<const RunPartTraits> runParts();

/// An instruction, and who runs it.
struct RunStep {
    std::int64_t chain = 0;
    core::InstructionId instruction{-1};
    RunPart part = RunPart::Kernels;
    std::string name;  ///< "add", the backend, "DELEGATE_CALL" where it is unknown
    double time = 0;   ///< of one run; 0: not measured
};

/// How one run of a block splits up, from typical times in the unit of the blocks.
struct RunSplit {
    std::string block;   ///< "Execute"
    std::string method;  ///< empty: unknown
    std::size_t runs = 0;
    double total = 0;
    std::array<double, 4> parts{};  ///< by RunPart; they add up to `total`
    std::vector<RunStep> steps{};   ///< that the trace has, by chain and instruction
    std::vector<double> samples{};  ///< whole runs in their order
};

/// Blocks that ran instructions, those with most runs first. Empty without times.
[[nodiscard]] std::vector<RunSplit> runSplits(const EventBlocks& blocks);

/// "62.1 % delegated, 30.0 % kernels, 6.9 % copies, 1.0 % overhead"; parts that round to nothing are left
/// out.
[[nodiscard]] std::string describe(const RunSplit& split);

/// A part of what a method holds.
struct MemoryPart {
    std::string name;  ///< "planned", "workspace of delegate 0"
    std::uint64_t bytes = 0;
    bool measured = false;  ///< by a run, not read off the program
};
struct MethodMemory {
    std::string method;
    std::uint64_t planned = 0;
    std::uint64_t peak = 0;  ///< alive at once, at most; 0: unknown
    std::vector<MemoryPart> parts{};
};

/// A method's first chain in its order.
struct MethodSteps {
    std::string method;
    std::vector<RunStep> steps{};
};

struct Dashboard {
    TimeScale scale = TimeScale::Milliseconds;  ///< of all times
    std::vector<RunSplit> runs{};
    std::vector<MethodMemory> memory{};
    std::vector<MethodSteps> methods{};  ///< of the program, or else of the trace
};

/// measuredMemory() of the trace opened last that has any: what was just recorded stands beside an older
/// trace.
[[nodiscard]] std::vector<MeasuredBytes> newestMeasured(const Session& session,
                                                        const program::Method& method);

}  // namespace et::inspector
