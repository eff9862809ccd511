#pragma once

#include "backends/reference/plan.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace et::backends::reference {

/// Builds the plan of one graph. Subgraphs are built by separate makers, one level deeper.
class PlanMaker {
  public:
    static constexpr std::size_t maxNesting = 32;  ///< limit for subgraphs and for lists in arguments

    PlanMaker(const etrecord::ExportedGraph& ofGraph, const ComputedType& computedType, std::size_t nesting)
        : graph(ofGraph), computed(computedType), depth(nesting), plan(std::make_shared<Plan>()) {}

    core::Result<std::shared_ptr<const Plan>> make();

  private:
    core::Result<Slot> define(std::string_view name);
    core::Result<> addInputs();
    core::Result<> addStep(etrecord::NodeIndex index);
    core::Result<bool> addSubclassTensor(const etrecord::Node& node);
    core::Result<> bindArguments(const etrecord::Node& node, Step& step);
    core::Result<> bindDeclared(const etrecord::Node& node, const OperatorSignature& signature, Step& step);
    void useScalarTwin(const etrecord::Node& node, Step& step) const;
    core::Result<> addResults(const etrecord::Node& node, Step& step);
    core::Result<> addTensorResult(std::string_view name, StepResult& result);
    void planReleases();

    core::Result<Operand> operand(const etrecord::Argument& argument);
    core::Result<Operand> read(std::string_view name) const;
    core::Result<Operand> symbolic(const etrecord::SymInt& number) const;
    /// Makes a list operand; `make` converts each item.
    template <class Items, class Make>
    static core::Result<Operand> listOf(const Items& items, const Make& make) {
        Operand::List list;
        for (const auto& item : items) {
            ET_ASSIGN(Operand made, make(item));
            list.push_back(std::move(made));
        }
        return Operand{std::move(list)};
    }

    // One overload per alternative of Argument::Value.
    template <class Plain>
    static core::Result<Operand> from(const Plain& value) {
        return Operand{ReferenceValue{value}};
    }
    template <class Item>
    static core::Result<Operand> from(const std::vector<Item>& items) {
        ReferenceValue::List list;
        for (const auto& item : items) {
            list.push_back({Item(item)});
        }
        return Operand{ReferenceValue{std::move(list)}};
    }
    core::Result<Operand> from(const etrecord::ValueRef& ref) const { return read(ref.name); }
    core::Result<Operand> from(const std::vector<etrecord::SymInt>& items) const {
        return listOf(items, [&](const etrecord::SymInt& item) { return symbolic(item); });
    }
    core::Result<Operand> from(const std::vector<std::optional<etrecord::ValueRef>>& items);
    core::Result<Operand> from(const std::vector<etrecord::Argument>& items);
    core::Result<Operand> from(const std::shared_ptr<const etrecord::GraphRef>& ref);
    core::Result<Operand> loweredModule(const etrecord::Argument& argument);

    const etrecord::ExportedGraph& graph;
    const ComputedType& computed;
    std::size_t depth;
    std::size_t listDepth = 0;
    std::shared_ptr<Plan> plan;
    std::unordered_map<std::string_view, std::string> subclassNames;  ///< names in the archives, by value
};

}  // namespace et::backends::reference
