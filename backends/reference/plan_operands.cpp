#include "backends/reference/archived_tensors.h"
#include "backends/reference/plan_maker.h"
#include "etrecord/lowered_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Resolves a node's arguments: values of the graph, constants, lists, subgraphs.
namespace et::backends::reference {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::ValueRef;

namespace {

Operand constantOperand(ReferenceValue value) {
    return {std::move(value)};
}

}  // namespace

Result<Operand> PlanMaker::read(std::string_view name) const {
    const auto slot = plan->find(name);
    if (!slot) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("no input or earlier node produces the value \"{}\"", name));
    }
    return Operand{*slot};
}

/// The file stores the name of a value where other fields have an expression.
Result<Operand> PlanMaker::symbolic(const etrecord::SymInt& number) const {
    if (number.expression.empty()) {
        return constantOperand({number.value});
    }
    return read(number.expression);
}

Result<Operand> PlanMaker::from(const std::vector<std::optional<ValueRef>>& items) {
    return listOf(items, [&](const std::optional<ValueRef>& item) -> Result<Operand> {
        return item ? read(item->name) : Result<Operand>(constantOperand({}));
    });
}

Result<Operand> PlanMaker::from(const std::vector<Argument>& items) {
    if (listDepth >= maxNesting) {
        return fail(ErrorCode::Limit, fmt::format("lists nest deeper than {}", maxNesting));
    }
    ++listDepth;
    auto list = listOf(items, [&](const Argument& item) { return operand(item); });
    --listDepth;
    return list;
}

Result<Operand> PlanMaker::from(const std::shared_ptr<const etrecord::GraphRef>& ref) {
    if (ref == nullptr) {
        return fail(ErrorCode::InvalidArgument, "a subgraph is missing");
    }
    ET_ASSIGN(auto made, PlanMaker(ref->graph, computed, depth + 1).make());
    return Operand{std::move(made)};
}

namespace {

/// Tensors of a lowered module's own inputs. They are small, since the exporter embeds them in a text.
Result<std::vector<std::optional<ReferenceValue>>> ownInputsOf(const etrecord::LoweredModule& module) {
    constexpr std::uint64_t maxBytes = std::uint64_t{1} << 30;
    std::vector<std::optional<ReferenceValue>> inputs;
    for (const etrecord::InputSpec& spec : module.original.inputSpecs) {
        std::optional<ReferenceValue>& input = inputs.emplace_back();
        for (const etrecord::TorchArchive* archive : {&module.state, &module.constants}) {
            const auto tensor =
                std::ranges::find(archive->tensors(), spec.target, &etrecord::TorchTensor::name);
            if (spec.target.empty() || input || tensor == archive->tensors().end()) {
                continue;
            }
            ET_ASSIGN(ReferenceTensor loaded, loadTensor(*archive, *tensor, maxBytes));
            input = ReferenceValue{std::move(loaded)};
        }
    }
    return inputs;
}

}  // namespace

/// The operators that a delegate replaces, as a subgraph.
Result<Operand> PlanMaker::loweredModule(const Argument& argument) {
    const auto* text = std::get_if<std::string>(&argument.value);
    if (text == nullptr) {
        return fail(ErrorCode::InvalidArgument, "expected a lowered module");
    }
    ET_ASSIGN(auto parsed, etrecord::parseLoweredModule(*text, argument.name));
    const auto module = std::make_shared<const etrecord::LoweredModule>(std::move(parsed));
    PlanMaker maker(module->original, computed, depth + 1);
    ET_ASSIGN(const auto made, maker.make());
    ET_ASSIGN(maker.plan->ownInputs, ownInputsOf(*module));
    maker.plan->owner = module;
    return Operand{made};
}

Result<Operand> PlanMaker::operand(const Argument& argument) {
    const auto* code = std::get_if<std::int64_t>(&argument.value);
    if (code != nullptr && argument.kind == "as_scalar_type" && core::scalarType(*code)) {
        return constantOperand({static_cast<std::int64_t>(computed(static_cast<core::ScalarType>(*code)))});
    }
    return std::visit([&](const auto& value) { return from(value); }, argument.value);
}

}  // namespace et::backends::reference
