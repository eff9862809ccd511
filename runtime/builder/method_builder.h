#pragma once

#include "runtime/builder/method_plan.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::builder {

/// Description of a tensor to create.
struct TensorSpec {
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;       ///< upper bounds if `dynamism` is Bounded
    std::vector<std::uint8_t> dimOrder{};  ///< dimensions from outermost to innermost; empty: row-major
    program::ShapeDynamism dynamism = program::ShapeDynamism::Static;
    bool requiresGrad = false;
    program::ArenaId arena{1};  ///< arena of a planned tensor
};

/// Who provides the memory of an input or output.
enum class Memory : std::uint8_t { Planned, Caller };

/// An argument of a call: a value of the method, or a number, text or list that is added as one; nullptr:
/// None.
using Argument =
    std::variant<program::ValueId, std::nullptr_t, bool, int, std::int64_t, double, std::string_view,
                 std::vector<std::int64_t>, std::vector<double>, std::vector<bool>,
                 std::vector<program::ValueId>, std::vector<std::optional<program::ValueId>>>;
using Arguments = std::vector<Argument>;

using Ints = std::vector<std::int64_t>;  ///< an int list in Arguments

/// Builds a method: its values in the order of creation, its instructions, and a memory plan. Mistakes (data
/// of the wrong size, an invalid id) are recorded, and finish() returns the first.
class MethodBuilder {
  public:
    explicit MethodBuilder(std::string_view name);
    ~MethodBuilder() = default;
    MethodBuilder(const MethodBuilder&) = delete;  // values borrow from it
    MethodBuilder& operator=(const MethodBuilder&) = delete;

    // Tensors.
    program::ValueId input(const TensorSpec& spec, Memory memory = Memory::Planned);
    program::ValueId intermediate(const TensorSpec& spec);
    /// Adds a constant. Copies `data`: the dense elements in the tensor's dim order.
    program::ValueId constant(const TensorSpec& spec, core::Bytes data);
    /// Adds a constant whose data belong to `owner`, without copying them.
    program::ValueId constant(const TensorSpec& spec, core::Bytes data, std::shared_ptr<const void> owner);
    template <class T>
    program::ValueId constant(const TensorSpec& spec, std::span<const T> elements) {
        return constant(spec, std::as_bytes(elements));
    }
    /// Adds a constant stored under this name in a .ptd file.
    program::ValueId external(const TensorSpec& spec, std::string_view name);
    /// Adds planned memory that is exclusive and persists between executions, with or without an initial
    /// value (copied). Methods of a program that use the same arena and offset share it.
    program::ValueId state(const TensorSpec& spec, core::Bytes initial = {}, std::string_view name = {});
    /// Adds such memory with an initial value that belongs to `owner`, without copying it.
    program::ValueId state(const TensorSpec& spec, core::Bytes initial, std::shared_ptr<const void> owner,
                           std::string_view name);
    /// Adds a tensor that shares the memory of `other`, as exporters do for a view without copy.
    program::ValueId alias(program::ValueId other, const TensorSpec& spec);

    // Other values.
    program::ValueId none();
    program::ValueId integer(std::int64_t number);
    program::ValueId real(double number);
    program::ValueId boolean(bool truth);
    program::ValueId text(std::string_view text);
    program::ValueId integers(std::span<const std::int64_t> numbers);  ///< with one value per element
    program::ValueId integersOf(std::vector<program::ValueId> items);
    program::ValueId reals(std::vector<double> numbers);
    program::ValueId booleans(std::vector<bool> truths);
    program::ValueId tensors(std::vector<program::ValueId> items);
    program::ValueId optionalTensors(std::vector<std::optional<program::ValueId>> items);
    program::ValueId value(const Argument& argument);
    /// Adds a value unchanged. It borrows its texts and bytes.
    program::ValueId raw(program::Value value);

    /// Makes an existing value an input (a number passed by the caller) or an output. A tensor that becomes
    /// an output with caller memory is removed from the plan.
    void markInput(program::ValueId id);
    void output(program::ValueId id, Memory memory = Memory::Planned);

    // Instructions.
    /// Calls an operator ("aten::add.out") that writes `outs`. As in exported programs, they follow the
    /// inputs and are repeated as results (as a tensor list if there are several).
    core::InstructionId call(std::string_view op, const Arguments& inputs,
                             const std::vector<program::ValueId>& outs);
    /// Calls an operator without out arguments ("executorch_prim::add.Scalar", "aten::copy_").
    core::InstructionId callFunction(std::string_view op, const Arguments& inputs, program::ValueId result);
    program::DelegateId delegate(std::string_view backend, core::Bytes payload, bool inSegment = true,
                                 const std::vector<program::CompileSpec>& specs = {});
    core::InstructionId callDelegate(program::DelegateId delegate, std::vector<program::ValueId> arguments);
    core::InstructionId move(program::ValueId from, program::ValueId to);
    /// Jumps to the destination set by setDestination(), by default the end of the chain.
    core::InstructionId jumpFalse(program::ValueId condition);
    void setDestination(core::InstructionId jump, core::InstructionId destination);
    core::InstructionId free(program::ValueId id);
    core::InstructionId instruction(program::Instruction instruction);
    [[nodiscard]] core::InstructionId nextInstruction() const;  ///< destination for jumps

    // The rest.
    void place(program::ValueId id, program::Allocation allocation);  ///< sets a fixed allocation, unchecked
    void setArena(program::ArenaId arena, std::uint64_t bytes, program::Device device = {});  ///< by hand
    void setPlanStrategy(PlanStrategy how) { strategy = how; }

    /// Returns the method with its memory plan. It borrows from the builder. Errors: InvalidArgument (the
    /// first mistake), Limit (as planMemory()).
    [[nodiscard]] core::Result<program::Method> finish();

  private:
    program::TensorInfo describe(const TensorSpec& spec);
    program::ValueId planned(const TensorSpec& spec);
    program::ValueId addConstant(const TensorSpec& spec, core::Bytes data);
    program::ValueId addState(const TensorSpec& spec, core::Bytes initial, std::string_view name);
    program::OperatorId operatorId(std::string_view fullName);
    std::string_view keep(std::string_view text);
    core::Bytes keep(core::Bytes bytes);
    core::Bytes keep(core::Bytes bytes, std::shared_ptr<const void> owner);
    void mistake(std::string message);
    void checkData(const program::TensorInfo& info, core::Bytes data);
    [[nodiscard]] core::Result<> checkIds() const;

    program::Method method;
    program::Chain chain;
    std::map<std::string, program::OperatorId, std::less<>> operators;
    MemoryHints wishes;
    std::deque<std::string> kept;                     ///< keeps addresses stable
    std::vector<std::shared_ptr<const void>> owners;  ///< of data that are not copied
    std::optional<core::Error> firstMistake;
    PlanStrategy strategy = PlanStrategy::Greedy;
};

}  // namespace et::builder
