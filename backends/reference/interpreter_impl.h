#pragma once

#include "backends/reference/archived_tensors.h"
#include "backends/reference/interpreter.h"
#include "backends/reference/plan.h"
#include "backends/reference/runner.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::reference {

struct Interpreter::Impl {
    Impl(const etrecord::ExportedGraph& of, const InterpreterOptions& given, Weights use)
        : graph(of),
          options(given),
          weights(use),
          calls(given),
          runner(calls, given.steps, use == Weights::Kept) {}

    const etrecord::ExportedGraph& graph;
    InterpreterOptions options;
    Weights weights;
    Calls calls;
    Runner runner;
    std::shared_ptr<const Plan> plan;
    std::optional<ArchivedTensors> archived;
    std::map<Slot, std::string_view> stored;  ///< names in `archived` of parameters, buffers and constants
    /// Current values of those that are kept in memory: all, or only those that steps may write.
    std::map<Slot, ReferenceValue> own;
    const LoadValue loadStored = [this](Slot slot) { return storedValue(slot); };

    core::Result<> resolve();
    core::Result<> load(const etrecord::Record& record, const std::string& entry);
    core::Result<> keep(Slot slot, std::string_view name, bool isKept);
    core::Result<ReferenceValue> storedValue(Slot slot);
    [[nodiscard]] std::set<Slot> readSlots() const;
    [[nodiscard]] std::set<Slot> writableSlots() const;

    [[nodiscard]] Frame frame() const;
    [[nodiscard]] Frame frameWith(const Values& given) const;
    [[nodiscard]] std::optional<Frame> frameOf(const etrecord::ExportedGraph& subgraph,
                                               const Frame& outer) const;
    [[nodiscard]] static std::vector<const Step*> stepsFor(std::set<Slot> needed, const Frame& values);
    core::Result<> bindInputs(std::span<const ReferenceValue> inputs, Frame& values);
    core::Result<ReferenceValue> bound(const ReferenceValue& given, std::size_t index, std::string_view name);
    core::Result<> checkShape(const core::Tensor& given, const etrecord::TensorMeta& meta) const;
    core::Result<std::vector<ReferenceValue>> finish(const Frame& values);
    void keepWritten(const Frame& values);
};

/// Calls `visit` with every slot that the step writes.
template <class Visit>
void forResults(const Step& step, const Visit& visit) {
    for (const StepResult& result : step.results) {
        for (const auto& slot : result.slots) {
            if (slot) {
                visit(*slot);
            }
        }
    }
}

/// Adds the slots that an operand reads.
void addSlots(const Operand& operand, std::set<Slot>& slots);

}  // namespace et::backends::reference
