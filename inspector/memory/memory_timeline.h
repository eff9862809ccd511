#pragma once

#include "runtime/builder/memory_planner.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a method's memory plan does while the method runs, read off the program without running it.
namespace et::inspector {

/// Moments of a run: -1 is before the first instruction, the number of instructions after the last.
/// Instructions of several chains are counted through.
using Step = std::int64_t;

/// What a planned tensor is to the method.
enum class TensorKind : std::uint8_t {
    Input,
    Output,
    State,         ///< lives between executions: it has a first value, or is read before anything writes it
    Intermediate,  ///< all else that instructions use
    Scratch,       ///< room to work for one instruction, which nothing fills
    Unused         ///< no instruction uses it
};
/// "input", "output", …
[[nodiscard]] std::string_view tensorKindName(TensorKind kind);

/// Where an instruction stands.
struct InstructionPlace {
    std::size_t chain = 0;
    core::InstructionId instruction{-1};

    bool operator==(const InstructionPlace&) const = default;
};

/// A rectangle of the plan: memory of an arena for a part of the run.
struct PlannedTensor {
    program::ValueId value;
    std::vector<program::ValueId> aliases{};  ///< values that are views of it or of which it is one
    program::ArenaId arena;
    std::uint64_t offset = 0;  ///< in bytes from the start of the arena
    std::uint64_t bytes = 0;
    Step firstStep = 0;  ///< both included; firstStep > lastStep: never (TensorKind::Unused)
    Step lastStep = -1;
    TensorKind kind = TensorKind::Intermediate;
    std::string type;                            ///< "float32 [1, 16, 48, 48]"
    std::string_view name;                       ///< fully qualified name; mostly empty
    std::optional<InstructionPlace> producer{};  ///< the first instruction that writes it
    std::string producerName{};                  ///< its operator or backend; empty without one

    /// At its last step, its memory already is that of what an operator makes of it, in place.
    bool isHandedOn = false;

    [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
    /// The last step at which its memory is its own.
    [[nodiscard]] Step lastOwnStep() const { return isHandedOn ? lastStep - 1 : lastStep; }
    [[nodiscard]] bool aliveAt(Step step) const { return firstStep <= step && step <= lastOwnStep(); }
};

struct ArenaTimeline {
    program::ArenaId arena;
    std::uint64_t plannedBytes = 0;
    program::Device device{};
    std::vector<std::uint64_t> liveBytes{};  ///< by step, starting with step -1
    Step peakStep = -1;                      ///< the first with the most live bytes
    std::uint64_t peakBytes = 0;             ///< no plan can do with less, as long as the order stays
    std::vector<std::size_t> peakTensors{};  ///< positions in MemoryTimeline::tensors, largest first

    /// Part of the plan that not even the peak needs, 0 to 1.
    [[nodiscard]] double fragmentation() const {
        return plannedBytes <= peakBytes
                   ? 0
                   : static_cast<double>(plannedBytes - peakBytes) / static_cast<double>(plannedBytes);
    }
};

/// Two tensors of which one destroys the other.
struct PlanOverlap {
    std::size_t first = 0;  ///< positions in MemoryTimeline::tensors
    std::size_t second = 0;
    Step step = 0;  ///< the first at which both are alive
};

/// Two tensors that may have the same memory one after the other: the operator that reads the giver for the
/// last time computes each element of the taker from the one at the same place.
struct InPlaceChance {
    std::size_t giver = 0;  ///< positions in MemoryTimeline::tensors
    std::size_t taker = 0;
};

/// A constant of the program, or one that lies beside it.
struct ConstantTensor {
    program::ValueId value;
    std::string type;
    std::string_view name;  ///< may be empty
    std::uint64_t bytes = 0;
    bool external = false;  ///< in a .ptd file
    bool shared = false;    ///< another value has the same bytes, and they are counted there
};

struct DelegateBytes {
    program::DelegateId delegate;
    std::string_view backend;
    std::uint64_t payloadBytes = 0;
    std::size_t calls = 0;
    /// Of data of the program that the payload names, as its weights mostly are; what a delegate before it
    /// names too is counted there.
    std::uint64_t namedBytes = 0;
};

/// Memory of one method. Immutable; names are borrowed from the program.
struct MemoryTimeline {
    const program::Method* method = nullptr;
    std::vector<InstructionPlace> steps{};    ///< instructions by step
    std::vector<std::string> stepNames{};     ///< their operators and backends: "aten::add.out"
    std::vector<PlannedTensor> tensors{};     ///< by arena, then offset, then first step
    std::vector<ArenaTimeline> arenas{};      ///< those with planned bytes or tensors
    std::vector<PlanOverlap> overlaps{};      ///< a sound plan has none; the first thousand
    std::vector<InPlaceChance> inPlace{};     ///< in the order of steps, whether the plan takes them or not
    std::vector<ConstantTensor> constants{};  ///< largest first
    std::vector<DelegateBytes> delegates{};
    std::uint64_t callerBytes = 0;     ///< of inputs and outputs whose memory the caller brings
    std::size_t unboundedTensors = 0;  ///< whose size only a run can tell

    [[nodiscard]] std::uint64_t plannedBytes() const;
    /// Sum of the arenas' peaks.
    [[nodiscard]] std::uint64_t peakBytes() const;
    [[nodiscard]] std::uint64_t constantBytes() const;
    [[nodiscard]] std::uint64_t payloadBytes() const;
    /// Payloads and the named data that they use.
    [[nodiscard]] std::uint64_t delegateBytes() const;

    /// Of a method that outlives it; `named` are the named data of its program. Errors: Limit (lists that a
    /// damaged file repeats beyond all measure, more arenas than anybody plans).
    [[nodiscard]] static core::Result<MemoryTimeline> build(const program::Method& method,
                                                            std::span<const program::NamedData> named = {});
};

/// "at instruction 4", "before the first instruction".
[[nodiscard]] std::string stepText(const MemoryTimeline& timeline, Step step);
/// "values 3 and 7 overlap in arena 1 while both are alive at instruction 4".
[[nodiscard]] std::string describe(const PlanOverlap& overlap, const MemoryTimeline& timeline);

/// A way to plan.
struct PlanChoice {
    builder::PlanStrategy strategy = builder::PlanStrategy::Greedy;
    std::uint64_t alignment = builder::planAlignment;
};
/// Those that are worth a try.
[[nodiscard]] std::span<const PlanChoice> planChoices();
/// "greedy", "naive".
[[nodiscard]] std::string_view strategyName(builder::PlanStrategy strategy);

/// Another plan of the same tensors.
struct WhatIf {
    builder::PlanStrategy strategy = builder::PlanStrategy::Greedy;
    std::uint64_t alignment = builder::planAlignment;
    std::uint64_t bytes = 0;               ///< of all arenas
    std::vector<std::uint64_t> offsets{};  ///< by MemoryTimeline::tensors
};

/// Plans all arenas anew. Errors: Limit (more tensors than the planner takes, as planMemory()).
[[nodiscard]] core::Result<WhatIf> planAgain(const MemoryTimeline& timeline, builder::PlanStrategy strategy,
                                             std::uint64_t alignment);

}  // namespace et::inspector
