#include "app/tasks/rewrite/part_value_sources.h"

#include "backends/delegate_part.h"
#include "runtime/program/instruction_access.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace et::tasks {
namespace {

using core::Result;
using inspector::RuntimeValueRef;
using inspector::RuntimeValues;
using program::DelegateCall;
using program::TensorInfo;
using program::ValueId;

const DelegateCall* delegateCallAt(const program::Method& method, std::size_t instruction) {
    return std::get_if<DelegateCall>(&method.chains.front().instructions[instruction]);
}

/// Finds the instruction that computes a value of the whole.
class Makers {
  public:
    static Result<Makers> of(const program::Method& whole) {
        Makers makers(whole);
        program::AccessReader reader(whole);
        for (const program::Instruction& each : whole.chains.front().instructions) {
            ET_ASSIGN(auto access, reader.next(each));
            makers.accesses.push_back(std::move(access));
        }
        return makers;
    }

    /// Place of the last instruction before `end` that computes it; an input of the whole or an empty place
    /// if there is none.
    [[nodiscard]] Result<RuntimeValueRef> placeOf(ValueId id, std::size_t end) const {
        RuntimeValueRef place;
        if (const auto input = std::ranges::find(method.inputs, id); input != method.inputs.end()) {
            place.input = static_cast<std::size_t>(input - method.inputs.begin());
        }
        for (std::size_t i = std::min(end, accesses.size()); i-- > 0;) {
            const auto& writes = accesses[i].writes;
            if (!std::ranges::contains(writes, id)) {
                continue;
            }
            place.instruction = static_cast<std::int32_t>(i);
            place.input.reset();
            if (const DelegateCall* const call = delegateCallAt(method, i)) {
                place.inner = innerOf(*call, id);
            } else {
                place.output = positionOf(writes, id);
            }
            break;
        }
        return place;
    }

    /// Values of which a value inside a delegate is another layout: those computed by nodes of the graph, not
    /// by a layout operator added by lowering. Empty if it is not another layout.
    [[nodiscard]] Result<std::vector<RuntimeValueRef>> sourcesOf(std::size_t instruction,
                                                                 std::uint32_t value) const {
        const DelegateCall& call = *delegateCallAt(method, instruction);
        ET_ASSIGN(const auto nodes, backends::nodesIn(method.delegate(call.delegate)));
        ET_ASSIGN(const auto arguments, backends::argumentsOf(method.delegate(call.delegate)));
        std::vector<RuntimeValueRef> sources;
        std::vector<std::uint32_t> open{value};
        while (!open.empty()) {
            const std::uint32_t id = open.back();
            open.pop_back();
            const auto node = std::ranges::find_if(
                nodes, [&](const auto& each) { return std::ranges::contains(each.results, id); });
            const auto argument = std::ranges::find(arguments, id, &backends::DelegateValue::id);
            if (node != nodes.end() && !node->debugHandle) {
                open.insert(open.end(), node->operands.begin(), node->operands.end());
            } else if (node != nodes.end() && id != value) {
                sources.push_back({.instruction = static_cast<std::int32_t>(instruction), .inner = id});
            } else if (node == nodes.end() && argument != arguments.end()) {
                ET_ASSIGN(const RuntimeValueRef place, placeOf(call.args[*argument->argument], instruction));
                sources.push_back(place);
            }
        }
        return sources;
    }

  private:
    explicit Makers(const program::Method& whole) : method(whole) {}

    [[nodiscard]] std::size_t positionOf(const std::vector<ValueId>& writes, ValueId id) const {
        std::size_t position = 0;
        for (const ValueId each : writes) {
            if (each == id) {
                break;
            }
            position += method.value(each).is<TensorInfo>() ? 1U : 0U;
        }
        return position;
    }

    /// Nothing if the delegate cannot be taken apart: the value is then unknown.
    [[nodiscard]] std::optional<std::uint32_t> innerOf(const DelegateCall& call, ValueId id) const {
        const auto arguments = backends::argumentsOf(method.delegate(call.delegate));
        if (!arguments) {
            return std::nullopt;
        }
        for (const backends::DelegateValue& each : *arguments) {
            if (each.isMade && each.argument && *each.argument < call.args.size() &&
                call.args[*each.argument] == id) {
                return each.id;
            }
        }
        return std::nullopt;
    }

    const program::Method& method;
    std::vector<program::InstructionAccess> accesses;
};

/// Adds the dtype and sizes that the value has in the part.
RuntimeValueRef formed(RuntimeValueRef place, const program::Value& value) {
    if (const auto* const tensor = value.as<TensorInfo>()) {
        place.dtype = static_cast<core::ScalarType>(tensor->scalarType);
        place.sizes = tensor->sizes;
    }
    return place;
}

}  // namespace

Result<PartValueSources> collectValueSources(const PartMaker& maker, const PartChoice& choice) {
    const inspector::MethodPart& part = maker.part();
    ET_ASSIGN(const Makers makers, Makers::of(maker.whole()));
    const ExpandedDelegates* const opened = maker.openedCalls();
    const auto find = [&](ValueId id, std::size_t end) -> Result<RuntimeValueRef> {
        if (const auto inner = opened == nullptr ? std::nullopt : opened->innerOf(id)) {
            // Values that exist only in the opened call have the delegate's memory layout.
            return RuntimeValueRef{.instruction = static_cast<std::int32_t>(inner->instruction),
                                   .inner = inner->value,
                                   .inMemoryOrder = id.value >= maker.whole().values.size()};
        }
        return makers.placeOf(id, end);
    };
    PartValueSources places;
    for (const ValueId id : part.inputs) {
        ET_ASSIGN(const RuntimeValueRef place, find(id, part.inputsAt));
        places.inputs.push_back(formed(place, part.method.value(id)));
        if (opened != nullptr && place.inner) {
            ET_ASSIGN(const auto sources,
                      makers.sourcesOf(static_cast<std::size_t>(place.instruction), *place.inner));
            for (RuntimeValueRef source : sources) {
                source.isSource = true;
                source.dtype = places.inputs.back().dtype;  // only the memory layout differs
                places.inputs.push_back(std::move(source));
            }
        }
    }
    for (const ValueId id : part.outputs) {
        ET_ASSIGN(const RuntimeValueRef place, find(id, choice.instructions.back() + 1));
        places.outputs.push_back(formed(place, part.method.value(id)));
    }
    return places;
}

RuntimeValues asInWhole(RuntimeValues values, const PartMaker& maker, const PartChoice& choice) {
    const ExpandedDelegates* const opened = maker.openedCalls();
    const auto inWhole = [&](std::int32_t instruction) {
        return choice.instructions[static_cast<std::size_t>(instruction)];
    };
    if (opened != nullptr) {
        // These belong to rewritten delegates with other arguments.
        std::erase_if(values.calls, [&](const inspector::RuntimeCall& call) {
            return opened->isOpened(inWhole(call.instruction));
        });
    }
    for (inspector::RuntimeCall& call : values.calls) {
        call.instruction = static_cast<std::int32_t>(inWhole(call.instruction));
    }
    for (inspector::TappedValue& tap : values.taps) {
        const std::size_t instruction = inWhole(tap.instruction);
        tap.instruction = static_cast<std::int32_t>(instruction);
        if (opened != nullptr && opened->isOpened(instruction) && tap.value) {
            const std::vector<std::uint32_t>& ids = opened->originalIds(instruction);
            tap.value = *tap.value < ids.size() ? ids[*tap.value] : *tap.value;
        }
    }
    return values;
}

std::optional<std::size_t> nodeOf(const program::Method& whole, std::size_t instruction,
                                  std::uint32_t value) {
    const DelegateCall* const call = delegateCallAt(whole, instruction);
    const auto nodes = call == nullptr ? core::Result<std::vector<backends::DelegateNode>>()
                                       : backends::nodesIn(whole.delegate(call->delegate));
    if (!nodes) {
        return std::nullopt;
    }
    const auto found = std::ranges::find_if(*nodes, [&](const backends::DelegateNode& each) {
        return std::ranges::contains(each.results, value);
    });
    return found == nodes->end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - nodes->begin()));
}

}  // namespace et::tasks
