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

// Overview of a session: time of a run by category, variation between runs, memory by use, and what runs each
// instruction.
namespace et::inspector {

/// Category of a run's time.
enum class RunPart : std::uint8_t {
    Delegated,  ///< whole delegate calls
    Kernels,    ///< kernels of the runtime that compute
    Copies,     ///< kernels of the runtime that only move data
    Overhead    ///< between the instructions
};
struct RunPartInfo {
    RunPart part;
    std::string_view name;  ///< "kernels"
    std::string_view one;   ///< "kernel"
    format::Meaning meaning;
};
/// In the order of RunPart.
[[nodiscard]] std::span<const RunPartInfo> runParts();

/// An instruction, and what runs it.
struct RunStep {
    std::int64_t chain = 0;
    core::InstructionId instruction{-1};
    RunPart part = RunPart::Kernels;
    std::string name;  ///< "add", the backend, "DELEGATE_CALL" if it is unknown
    double time = 0;   ///< of one run; 0: not measured
};

/// Time of one run of a block by category, from typical times in the unit of the blocks.
struct RunSplit {
    std::string block;   ///< "Execute"
    std::string method;  ///< empty: unknown
    std::size_t runs = 0;
    double total = 0;
    std::array<double, 4> parts{};  ///< by RunPart; they sum to `total`
    std::vector<RunStep> steps{};   ///< those in the trace, by chain and instruction
    std::vector<double> samples{};  ///< times of whole runs in order
};

/// Blocks that ran instructions, by number of runs, descending. Empty without times.
[[nodiscard]] std::vector<RunSplit> runSplits(const EventBlocks& blocks);

/// "62.1 % delegated, 30.0 % kernels, 6.9 % copies, 1.0 % overhead"; parts that round to 0 are omitted.
[[nodiscard]] std::string describe(const RunSplit& split);

/// A part of a method's memory.
struct MemoryPart {
    std::string name;  ///< "planned", "workspace of delegate 0"
    std::uint64_t bytes = 0;
    bool measured = false;  ///< measured in a run, not derived from the program
};
struct MethodMemory {
    std::string method;
    std::uint64_t planned = 0;
    std::uint64_t peak = 0;  ///< maximum simultaneously live bytes; 0: unknown
    std::vector<MemoryPart> parts{};
};

/// Instructions of a method's first chain, in order.
struct MethodSteps {
    std::string method;
    std::vector<RunStep> steps{};
};

struct Dashboard {
    TimeScale scale = TimeScale::Milliseconds;  ///< of all times
    std::vector<RunSplit> runs{};
    std::vector<MethodMemory> memory{};
    std::vector<MethodSteps> methods{};  ///< of the program, else of the trace
};

/// measuredMemory() of the most recently opened trace that has any: a new recording takes precedence over an
/// older trace.
[[nodiscard]] std::vector<MeasuredBytes> newestMeasured(const Session& session,
                                                        const program::Method& method);

}  // namespace et::inspector
