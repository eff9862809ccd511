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

// What changed from one program to another, by meaning: the numbers of values, the order of tables and the
// places of segments do not count.
namespace et::inspector {

enum class Change : std::uint8_t { Same, Changed, Added, Removed };

struct ChangeTraits {
    Change change;
    std::string_view name;  ///< "same", "changed", …
    char sign;              ///< as in a diff of texts: ' ', '~', '+', '-'
};
[[nodiscard]] const ChangeTraits& traits(Change change);

/// The same fact of both sides.
template <class T>
struct BeforeAfter {
    T before{};
    T after{};

    [[nodiscard]] bool differ() const { return !(before == after); }
    bool operator==(const BeforeAfter&) const = default;
};

/// One property that is not the same: "argument 3 (stride)", "[1, 1]", "[2, 2]". An empty text: the side does
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
    std::string before{};  ///< "float32 [1, 3, 8, 8]", "Int"; empty: not there
    std::string after{};
    std::vector<AttributeChange> attributes{};  ///< dtype, sizes, dim order, shape, memory; value; source
};

/// An instruction, or a node inside of a delegate, that stands on one side or is the same on both.
struct StepDiff {
    Change change = Change::Same;
    bool moved = false;  ///< it runs before or after others than it did
    std::size_t chain = 0;
    std::optional<std::size_t> before{};  ///< number of the instruction in its chain, or of the node
    std::optional<std::size_t> after{};
    std::string name{};  ///< "aten::add.out", "VulkanBackend", "MoveCall", "Conv2d"
    /// What changed: arguments, dtypes and sizes of what it writes, where its inputs come from. Not that an
    /// input comes through a step that was added or removed between the same two.
    std::vector<AttributeChange> attributes{};

    [[nodiscard]] bool differs() const { return change != Change::Same || moved; }
};

/// How often something of this name comes.
struct CountDiff {
    std::string name{};
    BeforeAfter<std::uint64_t> count{};
};

/// A tensor whose elements are in the program (or beside it) and changed. Found where both sides have the
/// same step or the same name.
struct ConstantDiff {
    std::string name{};  ///< its own, or where it is used: "aten::linear.out #3, argument 1 (weight)"
    std::string type{};  ///< "float32 [4, 8]"; both sides have the same, else it is a change of the step
    std::uint64_t elements = 0;
    std::uint64_t different = 0;                    ///< elements that are not the same
    std::optional<double> maxAbsoluteDifference{};  ///< nothing: packed bytes, no numbers
};

/// A delegate that both sides call at the same place, or that one side has.
struct DelegateDiff {
    Change change = Change::Same;
    std::string backend{};
    std::optional<std::size_t> before{};  ///< number of the delegate in its method
    std::optional<std::size_t> after{};
    BeforeAfter<std::uint64_t> payloadBytes{};
    bool payloadSame = false;  ///< byte by byte
    std::vector<AttributeChange>
        compileSpecs{};              ///< those that changed, as text where they are text, else hex
    BeforeAfter<bool> described{};   ///< whether the backend tells what is inside
    std::vector<CountDiff> kinds{};  ///< nodes inside by kind, all of them; of described sides
    std::vector<StepDiff> nodes{};   ///< inside, aligned; only where both are described
};

/// How a method is cut into delegate calls of one backend.
struct PartitionDiff {
    std::string backend{};
    BeforeAfter<std::uint64_t> calls{};
    /// Operators that run between one call of a delegate and the next: what keeps them apart.
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
    std::vector<StepDiff> steps{};       ///< all, in an order in which both sides read well
    std::vector<CountDiff> operators{};  ///< calls by operator, all of them
    std::vector<DelegateDiff> delegates{};
    std::vector<PartitionDiff> partitions{};
    std::vector<ArenaDiff> arenas{};  ///< all that either side has
    BeforeAfter<std::uint64_t> plannedBytes;
    BeforeAfter<std::uint64_t> constantBytes;  ///< of tensors of the method, in the program or beside it
    std::vector<ConstantDiff> constants{};     ///< those that changed

    /// How many steps are of this kind.
    [[nodiscard]] std::size_t count(Change kind) const;
};

/// A blob that delegates or tensors find by name.
struct NamedDataDiff {
    Change change = Change::Same;
    std::string name{};
    BeforeAfter<std::uint64_t> bytes{};
    bool external = false;  ///< in a tensor data file beside the program, on one side at least
};

/// All that there is to say of two programs. A value of its own: it borrows nothing.
struct ProgramDiff {
    BeforeAfter<std::string> names;
    BeforeAfter<std::uint64_t> fileBytes;     ///< of the program; of a bundled one, the part that it is
    BeforeAfter<std::uint64_t> segmentBytes;  ///< payloads, constants and named data behind the tables
    bool identical = false;                   ///< byte by byte, whatever is beside them
    std::vector<MethodDiff> methods{};        ///< in the order of the first program, then what is added
    std::vector<NamedDataDiff> namedData{};   ///< those that are not the same, by name

    /// Nothing changed but, perhaps, the size of the file and names that nobody can see when it runs.
    [[nodiscard]] bool same() const;
    [[nodiscard]] const MethodDiff* findMethod(std::string_view name) const;
};

/// One of the two programs; borrowed for the time of the call.
struct DiffSide {
    const program::Program& program;
    std::string name{};  ///< for people: its path
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
};

struct DiffOptions {
    std::span<const executor::Backend* const> backends{};  ///< who may tell what is inside of delegates
    std::string_view method{};                             ///< only this one; empty: all
};

/// Steps are aligned by operator, arguments and dataflow, so an instruction that is inserted is one addition.
/// Errors: NotFound (neither side has the method that is asked for).
[[nodiscard]] core::Result<ProgramDiff> diffPrograms(const DiffSide& before, const DiffSide& after,
                                                     const DiffOptions& options = {});

}  // namespace et::inspector
