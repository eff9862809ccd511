#pragma once

#include "backends/reference/archived_tensors.h"
#include "backends/reference/interpreter.h"
#include "backends/reference/plan.h"
#include "backends/reference/runner.h"

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::reference {

struct Interpreter::Impl {
    Impl(const etrecord::ExportedGraph& of, const InterpreterOptions& given)
        : graph(of), options(given), calls(given), runner(calls, given.steps) {}

    const etrecord::ExportedGraph& graph;
    InterpreterOptions options;
    Calls calls;
    Runner runner;
    std::shared_ptr<const Plan> plan;
    std::map<Slot, ReferenceValue> own;  ///< current parameters, buffers and constants

    core::Result<> load(const etrecord::Record& record, const std::string& entry);
    core::Result<> keep(ArchivedTensors& tensors, Slot slot, std::string_view name);
    [[nodiscard]] std::set<Slot> readSlots() const;

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
