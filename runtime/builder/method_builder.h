#pragma once

#include "runtime/builder/method_plan.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::builder {

/// A tensor to make.
struct TensorSpec {
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;       ///< upper bounds where `dynamism` is Bounded
    std::vector<std::uint8_t> dimOrder{};  ///< dimensions from outermost to innermost; none: row-major
    program::ShapeDynamism dynamism = program::ShapeDynamism::Static;
    bool requiresGrad = false;
    program::ArenaId arena{1};  ///< where it is planned
};

/// Who brings the memory of an input or output.
enum class Memory : std::uint8_t { Planned, Caller };

/// An argument of a call: a value of the method, or a number, text or list that becomes one; nullptr: None.
using Argument =
    std::variant<program::ValueId, std::nullptr_t, bool, int, std::int64_t, double, std::string_view,
                 std::vector<std::int64_t>, std::vector<double>, std::vector<bool>,
                 std::vector<program::ValueId>, std::vector<std::optional<program::ValueId>>>;
using Arguments = std::vector<Argument>;

using Ints = std::vector<std::int64_t>;  ///< an int list among Arguments

/// Builds one method: its values in the order in which they are asked for, its instructions, and a memory
/// plan. Mistakes (data of the wrong size, an id that is not there) are remembered, and finish() returns the
/// first.
class MethodBuilder {
  public:
    explicit MethodBuilder(std::string_view name);
    ~MethodBuilder() = default;
    MethodBuilder(const MethodBuilder&) = delete;  // values borrow from it
    MethodBuilder& operator=(const MethodBuilder&) = delete;

    // Tensors.
    program::ValueId input(const TensorSpec& spec, Memory memory = Memory::Planned);
    program::ValueId intermediate(const TensorSpec& spec);
    /// Copies `data`: the dense elements in the tensor's dim order.
    program::ValueId constant(const TensorSpec& spec, core::Bytes data);
    template <class T>
    program::ValueId constant(const TensorSpec& spec, std::span<const T> elements) {
        return constant(spec, std::as_bytes(elements));
    }
    /// A constant that a .ptd file holds under this name.
    program::ValueId external(const TensorSpec& spec, std::string_view name);
    /// Planned memory that nothing else uses and that stays between executions, with or without a first value
    /// (copied). Methods of one program that name the same arena and place share it.
    program::ValueId state(const TensorSpec& spec, core::Bytes initial = {}, std::string_view name = {});
    /// A tensor in the memory of `other`, as exporters make of a view that copies nothing.
    program::ValueId alias(program::ValueId other, const TensorSpec& spec);

    // Other values.
    program::ValueId none();
    program::ValueId integer(std::int64_t number);
    program::ValueId real(double number);
    program::ValueId boolean(bool truth);
    program::ValueId text(std::string_view text);
    program::ValueId integers(std::span<const std::int64_t> numbers);  ///< with a value for each
    program::ValueId integersOf(std::vector<program::ValueId> items);
    program::ValueId reals(std::vector<double> numbers);
    program::ValueId booleans(std::vector<bool> truths);
    program::ValueId tensors(std::vector<program::ValueId> items);
    program::ValueId optionalTensors(std::vector<std::optional<program::ValueId>> items);
    program::ValueId value(const Argument& argument);
    /// Any value as it is. It borrows its texts and bytes.
    program::ValueId raw(program::Value value);

    /// Makes a value that is there an input (a number that the caller gives) or an output. A tensor that is
    /// an output of the caller's loses its place in the plan.
    void markInput(program::ValueId id);
    void output(program::ValueId id, Memory memory = Memory::Planned);

    // Instructions.
    /// Calls an operator ("aten::add.out") that writes `outs`: they follow the inputs, and the results repeat
    /// them (as a tensor list where there are several), as exporters have it.
    core::InstructionId call(std::string_view op, const Arguments& inputs,
                             const std::vector<program::ValueId>& outs);
    /// Calls an operator that has no out argument ("executorch_prim::add.Scalar", "aten::copy_").
    core::InstructionId callFunction(std::string_view op, const Arguments& inputs, program::ValueId result);
    program::DelegateId delegate(std::string_view backend, core::Bytes payload, bool inSegment = true,
                                 const std::vector<program::CompileSpec>& specs = {});
    core::InstructionId callDelegate(program::DelegateId delegate, std::vector<program::ValueId> arguments);
    core::InstructionId move(program::ValueId from, program::ValueId to);
    /// Jumps to where setDestination() says; until then to the end of the chain.
    core::InstructionId jumpFalse(program::ValueId condition);
    void setDestination(core::InstructionId jump, core::InstructionId destination);
    core::InstructionId free(program::ValueId id);
    core::InstructionId instruction(program::Instruction instruction);
    [[nodiscard]] core::InstructionId nextInstruction() const;  ///< a place to jump to

    // The rest.
    void place(program::ValueId id, program::Allocation allocation);  ///< by hand; nothing is checked
    void setArena(program::ArenaId arena, std::uint64_t bytes, program::Device device = {});  ///< by hand
    void setPlanStrategy(PlanStrategy how) { strategy = how; }
    /// Pytree descriptions; without them flat ones are made up from the number of inputs and outputs.
    void setTrees(std::string_view inputTree, std::string_view outputTree);

    /// The method, planned. It borrows from the builder. Errors: InvalidArgument (the first mistake), Limit
    /// (as planMemory()).
    [[nodiscard]] core::Result<program::Method> finish();

  private:
    program::TensorInfo describe(const TensorSpec& spec);
    program::ValueId planned(const TensorSpec& spec);
    program::OperatorId operatorId(std::string_view fullName);
    std::string_view keep(std::string_view text);
    core::Bytes keep(core::Bytes bytes);
    void mistake(std::string message);
    void checkData(const program::TensorInfo& info, core::Bytes data);
    [[nodiscard]] core::Result<> checkIds() const;

    program::Method method;
    program::Chain chain;
    std::map<std::string, program::OperatorId, std::less<>> operators;
    MemoryWishes wishes;
    std::deque<std::string> kept;  ///< never moves what it holds
    std::optional<core::Error> firstMistake;
    PlanStrategy strategy = PlanStrategy::Greedy;
    bool treesSet = false;
};

}  // namespace et::builder
