#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Semantic difference of two programs: value ids, the order of tables and the positions of segments are
// ignored.
namespace et::inspector {

enum class Change : std::uint8_t { Same, Changed, Added, Removed };

struct ChangeInfo {
    Change change;
    std::string_view name;  ///< "same", "changed", …
    char sign;              ///< as in a text diff: ' ', '~', '+', '-'
};
[[nodiscard]] const ChangeInfo& traits(Change change);

/// A property of both sides.
template <class T>
struct BeforeAfter {
    T before{};
    T after{};

    [[nodiscard]] bool differ() const { return !(before == after); }
    bool operator==(const BeforeAfter&) const = default;
};

/// A property that differs: "argument 3 (stride)", "[1, 1]", "[2, 2]". An empty text means that the side does
/// not have it.
struct AttributeChange {
    std::string name{};
    std::string before{};
    std::string after{};
};

/// An input or output of a method, by its position.
struct SlotDiff {
    std::size_t position = 0;
    Change change = Change::Same;
    std::string before{};  ///< "float32 [1, 3, 8, 8]", "Int"; empty: missing
    std::string after{};
    std::vector<AttributeChange> attributes{};  ///< dtype, sizes, dim order, shape, memory; value; source
};

/// An instruction, or a node inside a delegate, on one or both sides.
struct StepDiff {
    Change change = Change::Same;
    bool moved = false;  ///< its order relative to other steps changed
    std::size_t chain = 0;
    std::optional<std::size_t> before{};  ///< index of the instruction in its chain, or of the node
    std::optional<std::size_t> after{};
    std::string name{};  ///< "aten::add.out", "VulkanBackend", "MoveCall", "Conv2d"
    /// Changes of arguments, of dtypes and sizes of results, and of the sources of inputs. Steps added or
    /// removed on the path of an input do not count if its source is the same.
    std::vector<AttributeChange> attributes{};

    [[nodiscard]] bool differs() const { return change != Change::Same || moved; }
};

/// Number of occurrences of a name.
struct CountDiff {
    std::string name{};
    BeforeAfter<std::uint64_t> count{};
};

/// A tensor whose elements in the program (or an external file) changed. Matched by step or name.
struct ConstantDiff {
    std::string name{};  ///< its own name, or its use: "aten::linear.out #3, argument 1 (weight)"
    std::string type{};  ///< "float32 [4, 8]"; equal on both sides, otherwise the step has changed
    std::uint64_t elements = 0;
    std::uint64_t different = 0;                    ///< number of elements that differ
    std::optional<double> maxAbsoluteDifference{};  ///< nothing: packed bytes, not numbers
};

/// A delegate that both sides call at the same position, or that only one side has.
struct DelegateDiff {
    Change change = Change::Same;
    std::string backend{};
    std::optional<std::size_t> before{};  ///< index of the delegate in its method
    std::optional<std::size_t> after{};
    BeforeAfter<std::uint64_t> payloadBytes{};
    bool payloadSame = false;                     ///< byte for byte
    std::vector<AttributeChange> compileSpecs{};  ///< changed specs, as text if possible, else hex
    BeforeAfter<bool> described{};                ///< whether the backend can describe its contents
    std::vector<CountDiff> kinds{};               ///< all nodes inside by kind, for described sides
    std::vector<StepDiff> nodes{};                ///< aligned nodes inside; only if both sides are described
};

/// Partition of a method into delegate calls of one backend.
struct PartitionDiff {
    std::string backend{};
    BeforeAfter<std::uint64_t> calls{};
    /// Operators between consecutive delegate calls, which prevent merging them.
    std::vector<CountDiff> between{};
};

/// Planned memory of one memory id.
struct ArenaDiff {
    std::size_t id = 0;
    BeforeAfter<std::uint64_t> bytes{};
};

struct MethodDiff {
    std::string name{};
    Change change = Change::Same;
    std::vector<SlotDiff> inputs{};      ///< all, by position
    std::vector<SlotDiff> outputs{};     ///< all, by position
    std::vector<StepDiff> steps{};       ///< all, merged in a readable order of both sides
    std::vector<CountDiff> operators{};  ///< all calls by operator
    std::vector<DelegateDiff> delegates{};
    std::vector<PartitionDiff> partitions{};
    std::vector<ArenaDiff> arenas{};  ///< all arenas of either side
    BeforeAfter<std::uint64_t> plannedBytes;
    BeforeAfter<std::uint64_t> constantBytes;  ///< of the method's tensors, in the program or external files
    std::vector<ConstantDiff> constants{};     ///< changed constants

    /// Number of steps with this change.
    [[nodiscard]] std::size_t count(Change kind) const;
};

/// A blob referred to by name from delegates or tensors.
struct NamedDataDiff {
    Change change = Change::Same;
    std::string name{};
    BeforeAfter<std::uint64_t> bytes{};
    bool external = false;  ///< in a tensor data file outside the program, on at least one side
};

/// Complete difference between two programs. Owns its data.
struct ProgramDiff {
    BeforeAfter<std::string> names;
    BeforeAfter<std::uint64_t> fileBytes;  ///< of the program; for a bundled program, of the program inside
                                           ///< it
    BeforeAfter<std::uint64_t> segmentBytes;  ///< payloads, constants and named data after the tables
    bool identical = false;  ///< the programs are equal byte for byte, regardless of external files
    std::vector<MethodDiff> methods{};       ///< in the order of the first program, followed by added ones
    std::vector<NamedDataDiff> namedData{};  ///< changed ones, by name

    /// True if nothing changed except possibly the file size and names with no effect at run time.
    [[nodiscard]] bool same() const;
    [[nodiscard]] const MethodDiff* findMethod(std::string_view name) const;
};

/// One of the two programs; borrowed for the duration of the call.
struct DiffSide {
    const program::Program& program;
    std::string name{};  ///< for messages: its path
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
};

struct DiffOptions {
    std::span<const executor::Backend* const> backends{};  ///< backends that can describe delegates
    std::string_view method{};                             ///< only this one; empty: all
};

/// Compares two programs. Steps are aligned by operator, arguments and dataflow, so an inserted instruction
/// is a single addition. Errors: NotFound (neither side has the requested method).
[[nodiscard]] core::Result<ProgramDiff> diffPrograms(const DiffSide& before, const DiffSide& after,
                                                     const DiffOptions& options = {});

}  // namespace et::inspector
