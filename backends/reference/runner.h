#pragma once

#include "backends/reference/calls.h"
#include "backends/reference/interpreter.h"
#include "backends/reference/plan.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace et::backends::reference {

/// Loads a value that is missing in a frame. Errors: NotFound (no such value), those of the record.
using LoadValue = std::function<core::Result<ReferenceValue>(Slot)>;

/// Values of a running graph.
struct Frame {
    explicit Frame(const Plan& of)
        : plan(&of), values(of.names.size()), sources(of.names.size()), written(of.names.size(), false) {}

    /// Source of a value that shares memory with another one.
    struct Source {
        std::optional<Slot> slot;    ///< slot of the other value; nothing: the value owns its memory
        const Step* step = nullptr;  ///< the view; null: both are the same tensor
    };

    const Plan* plan;
    std::vector<std::optional<ReferenceValue>> values;
    const LoadValue* load = nullptr;  ///< for values that are not kept; null: none
    std::vector<Source> sources;
    std::vector<bool> written;  ///< written in place after creation
};

/// Runs the steps of plans. Not thread-safe.
class Runner {
  public:
    /// `keepsState`: whether kernels keep packed weights between runs of a step.
    Runner(Calls& operatorCalls, std::uint64_t stepLimit, bool keepsState = true)
        : calls(operatorCalls), maxSteps(stepLimit), keeps(keepsState) {}

    /// Sets the observer of steps (may be null) and resets the step count.
    void begin(const NodeObserver* newObserver) {
        observer = newObserver;
        executed = 0;
    }

    /// Errors: those of Interpreter::run(), with the node's name.
    [[nodiscard]] core::Result<> runStep(const Step& step, Frame& frame);
    [[nodiscard]] core::Result<> runSteps(Frame& frame, bool release);
    /// Runs a subgraph on its inputs and returns its outputs. Errors: InvalidArgument (their count), those of
    /// runStep().
    [[nodiscard]] core::Result<std::vector<ReferenceValue>> runSubgraph(
        const Plan& plan, std::span<const ReferenceValue> inputs);

    /// Errors: NotFound (an unknown name).
    [[nodiscard]] core::Result<ReferenceValue> value(const Operand& operand, const Frame& frame) const;
    [[nodiscard]] core::Result<std::vector<ReferenceValue>> outputs(const Frame& frame) const;

    /// Replaces a value, and updates all values that share its memory.
    [[nodiscard]] core::Result<> write(Slot slot, const ReferenceTensor& changed, Frame& frame);

    [[nodiscard]] Calls& operators() { return calls; }

  private:
    core::Result<> count();
    core::Result<std::vector<ReferenceValue>> compute(const Step& step, Frame& frame);
    core::Result<std::vector<ReferenceValue>> computeOperator(const Step& step,
                                                              std::vector<ReferenceValue> arguments);
    core::Result<std::vector<ReferenceValue>> operandValues(const Step& step, const Frame& frame);
    core::Result<> store(const Step& step, std::span<const ReferenceValue> results, Frame& frame) const;
    core::Result<> afterInPlace(const Step& step, Frame& frame);
    void noteViews(const Step& step, Frame& frame) const;
    core::Result<ReferenceTensor> writtenThrough(const Frame::Source& source, Slot slot,
                                                 const ReferenceTensor& changed, Frame& frame);
    core::Result<> refreshViews(Slot root, Frame& frame);

    Calls& calls;
    std::uint64_t maxSteps;
    bool keeps;
    const NodeObserver* observer = nullptr;
    std::uint64_t executed = 0;
    std::uint32_t depth = 0;  ///< of subgraphs
    std::unordered_map<const Step*, Calls::State> states;
};

}  // namespace et::backends::reference
