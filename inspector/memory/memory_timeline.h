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

// Use of a method's memory plan over an execution, computed from the program without running it.
namespace et::inspector {

/// Point in time of a run: -1 is before the first instruction, the number of instructions after the last.
/// Instructions of several chains are numbered consecutively.
using Step = std::int64_t;

/// Role of a planned tensor in its method.
enum class TensorKind : std::uint8_t {
    Input,
    Output,
    State,  ///< keeps its contents between executions: it has an initial value, or is read before it is
            ///< written
    Intermediate,  ///< any other tensor that instructions use
    Scratch,       ///< working memory of one instruction, never filled by another
    Unused,
    // Of training methods; only with a program.
    Loss,
    Gradient,
    Parameter  ///< state that training changes
};
/// "input", "output", …
[[nodiscard]] std::string_view tensorKindName(TensorKind kind);

/// Position of an instruction in a method.
struct ChainPosition {
    std::size_t chain = 0;
    core::InstructionId instruction{-1};

    bool operator==(const ChainPosition&) const = default;
};

/// A value that an instruction made the same tensor as another (MoveCall), so that it uses the memory of
/// that.
struct MovedValue {
    program::ValueId value;
    Step since = 0;  ///< step of the move
    Step until = 0;  ///< last step that needs the memory under the name of `value`
};

/// A rectangle of the plan: memory of an arena for a range of steps.
struct PlannedTensor {
    program::ValueId value;
    std::vector<program::ValueId> aliases{};  ///< values that are views of it, or that it is a view of
    program::ArenaId arena;
    std::uint64_t offset = 0;  ///< in bytes from the start of the arena
    std::uint64_t bytes = 0;
    Step firstStep = 0;  ///< both inclusive; firstStep > lastStep: never (TensorKind::Unused)
    Step lastStep = -1;
    TensorKind kind = TensorKind::Intermediate;
    std::string type;                         ///< "float32 [1, 16, 48, 48]"
    std::string_view name;                    ///< fully qualified name; usually empty
    std::optional<ChainPosition> producer{};  ///< the first instruction that writes it
    std::string producerName{};               ///< its operator or backend; empty without one

    std::vector<MovedValue> moved{};  ///< values that share its memory after a move; lastStep includes them
    Step lastUse = -1;                ///< as lastStep, without the values in `moved`

    /// Whether its memory is already reused at its last step by the result of an in-place operator.
    bool isHandedOn = false;

    [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
    /// The last step at which it owns its memory.
    [[nodiscard]] Step lastOwnStep() const { return isHandedOn ? lastStep - 1 : lastStep; }
    [[nodiscard]] bool aliveAt(Step step) const { return firstStep <= step && step <= lastOwnStep(); }
};

struct ArenaTimeline {
    program::ArenaId arena;
    std::uint64_t plannedBytes = 0;
    program::Device device{};
    std::vector<std::uint64_t> liveBytes{};  ///< by step, starting with step -1
    Step peakStep = -1;                      ///< the first step with the most live bytes
    std::uint64_t peakBytes = 0;             ///< lower bound of any plan with the same instruction order
    std::vector<std::size_t> peakTensors{};  ///< indices into MemoryTimeline::tensors, largest first

    /// Fraction (0 to 1) of the plan that is unused even at the peak.
    [[nodiscard]] double fragmentation() const {
        return plannedBytes <= peakBytes
                   ? 0
                   : static_cast<double>(plannedBytes - peakBytes) / static_cast<double>(plannedBytes);
    }
};

/// Two tensors whose overlap corrupts one of them.
struct PlanOverlap {
    std::size_t first = 0;  ///< indices into MemoryTimeline::tensors
    std::size_t second = 0;
    Step step = 0;  ///< the first step at which both are alive
    /// The value in the memory of `first` that is overwritten, if the plan is wrong only because of a move.
    std::optional<program::ValueId> movedTo{};
};

/// Two tensors that could share memory: the operator that reads the giver for the last time computes each
/// element of the taker from the element at the same index.
struct InPlaceCandidate {
    std::size_t giver = 0;  ///< indices into MemoryTimeline::tensors
    std::size_t taker = 0;
};

/// A constant in the program or in an external file.
struct ConstantTensor {
    program::ValueId value;
    std::string type;
    std::string_view name;  ///< may be empty
    std::uint64_t bytes = 0;
    bool external = false;  ///< in a .ptd file
    bool shared = false;    ///< another value has the same bytes, which are counted there
};

struct DelegateBytes {
    program::DelegateId delegate;
    std::string_view backend;
    std::uint64_t payloadBytes = 0;
    std::size_t calls = 0;
    /// Bytes of the program's named data that the payload refers to (usually its weights), except those
    /// already counted for a preceding delegate.
    std::uint64_t namedBytes = 0;
};

/// Memory of one method over time. Immutable; names are borrowed from the program.
struct MemoryTimeline {
    const program::Method* method = nullptr;
    std::vector<ChainPosition> steps{};       ///< instructions by step
    std::vector<std::string> stepNames{};     ///< their operators and backends: "aten::add.out"
    std::vector<PlannedTensor> tensors{};     ///< by arena, then offset, then first step
    std::vector<ArenaTimeline> arenas{};      ///< only arenas with planned bytes or tensors
    std::vector<PlanOverlap> overlaps{};      ///< empty for a valid plan; at most the first thousand
    std::vector<InPlaceCandidate> inPlace{};  ///< in step order, whether or not the plan uses them
    std::vector<ConstantTensor> constants{};  ///< largest first
    std::vector<DelegateBytes> delegates{};
    std::uint64_t callerBytes = 0;     ///< of inputs and outputs whose memory the caller provides
    std::size_t unboundedTensors = 0;  ///< tensors whose size is known only at run time

    [[nodiscard]] std::uint64_t plannedBytes() const;
    /// Sum of the arenas' peaks.
    [[nodiscard]] std::uint64_t peakBytes() const;
    [[nodiscard]] std::uint64_t constantBytes() const;
    [[nodiscard]] std::uint64_t payloadBytes() const;
    /// Payloads and the named data they use.
    [[nodiscard]] std::uint64_t delegateBytes() const;

    /// `method` must outlive the result. Errors: Limit (a damaged file repeats lists excessively, or has too
    /// many arenas).
    [[nodiscard]] static core::Result<MemoryTimeline> build(const program::Method& method);
    /// As above, with what other parts of the program declare: DelegateBytes::namedBytes, and the kinds and
    /// names of the tensors of a training method. `program` must outlive the result.
    [[nodiscard]] static core::Result<MemoryTimeline> build(const program::Program& program,
                                                            const program::Method& method);
};

/// "at instruction 4", "before the first instruction".
[[nodiscard]] std::string stepText(const MemoryTimeline& timeline, Step step);
/// "values 3 and 7 overlap in arena 1 while both are alive at instruction 4".
[[nodiscard]] std::string describe(const PlanOverlap& overlap, const MemoryTimeline& timeline);

/// Parameters of a memory planner.
struct PlanChoice {
    builder::PlanStrategy strategy = builder::PlanStrategy::Greedy;
    std::uint64_t alignment = builder::planAlignment;
};
/// The choices worth trying.
[[nodiscard]] std::span<const PlanChoice> planChoices();
/// "greedy", "naive".
[[nodiscard]] std::string_view strategyName(builder::PlanStrategy strategy);

/// Size of another plan for the same tensors.
struct AlternativePlan {
    builder::PlanStrategy strategy = builder::PlanStrategy::Greedy;
    std::uint64_t alignment = builder::planAlignment;
    std::uint64_t bytes = 0;               ///< total of all arenas
    std::vector<std::uint64_t> offsets{};  ///< by MemoryTimeline::tensors
};

/// Replans all arenas. Errors: Limit (more tensors than the planner accepts, as planMemory()).
[[nodiscard]] core::Result<AlternativePlan> planAgain(const MemoryTimeline& timeline,
                                                      builder::PlanStrategy strategy,
                                                      std::uint64_t alignment);

}  // namespace et::inspector
