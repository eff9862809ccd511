#include "app/tasks/surgery/opened_call.h"

#include "backends/delegate_part.h"
#include "runtime/builder/memory_planner.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <ranges>
#include <utility>
#include <variant>

namespace et::app {
namespace {

using backends::DelegateValue;
using core::ErrorCode;
using core::Result;
using program::DelegateCall;
using program::TensorInfo;
using program::ValueId;

/// As an intermediate.
TensorInfo tensorOf(const DelegateValue& value, bool isDynamic, std::uint64_t offset) {
    TensorInfo tensor{
        .scalarType = static_cast<std::int8_t>(value.dtype),
        .dynamism = isDynamic ? program::ShapeDynamism::Bounded : program::ShapeDynamism::Static,
        .sizes = value.sizes,
        .dimOrder = std::vector<std::uint8_t>(value.sizes.size()),
        .allocation = program::Allocation{.arena = program::ArenaId(1), .offset = offset}};
    std::iota(tensor.dimOrder.begin(), tensor.dimOrder.end(), std::uint8_t{0});
    tensor.byteSize = core::tensorBytes(tensor.scalarType, tensor.sizes);
    return tensor;
}

bool isDynamic(const program::Method& method, const DelegateCall& call) {
    return std::ranges::any_of(call.args, [&](ValueId id) {
        const auto* const tensor = std::get_if<TensorInfo>(&method.value(id));
        return tensor != nullptr && tensor->dynamism != program::ShapeDynamism::Static;
    });
}

/// The values of a method that stand for those of a delegate; new ones for inner ones.
class Binder {
  public:
    Binder(program::Method& into, std::map<std::uint32_t, ValueId>& known, const DelegateCall& of)
        : method(into), made(known), call(of), dynamic(isDynamic(into, of)) {}

    Result<std::vector<ValueId>> bind(const std::vector<DelegateValue>& values) {
        std::vector<ValueId> ids;
        for (const DelegateValue& each : values) {
            if (each.argument && *each.argument >= call.args.size()) {
                return core::fail(ErrorCode::Format, fmt::format("the delegate names argument {} of {}",
                                                                 *each.argument, call.args.size()));
            }
            const ValueId id = each.argument ? call.args[*each.argument] : innerValue(each);
            if (each.isMade) {
                made.emplace(each.id, id);
            }
            ids.push_back(id);
        }
        return ids;
    }

  private:
    ValueId innerValue(const DelegateValue& value) {
        if (const auto known = made.find(value.id); known != made.end()) {
            return known->second;
        }
        // Behind all others: a new plan packs them.
        std::uint64_t& end = method.arenas[1].bytes;
        const TensorInfo tensor = tensorOf(value, dynamic, end);
        end += (static_cast<std::uint64_t>(tensor.byteSize.value_or(0)) + builder::planAlignment - 1) /
               builder::planAlignment * builder::planAlignment;
        method.values.emplace_back(tensor);
        return ValueId(static_cast<std::uint32_t>(method.values.size() - 1));
    }

    program::Method& method;
    std::map<std::uint32_t, ValueId>& made;
    const DelegateCall& call;
    bool dynamic;
};

}  // namespace

Result<OpenedCall> OpenedCall::make(const program::Method& whole, std::size_t instruction) {
    const auto& instructions = whole.chains.front().instructions;
    if (instruction >= instructions.size() ||
        !std::holds_alternative<DelegateCall>(instructions[instruction])) {
        return core::fail(
            ErrorCode::InvalidArgument,
            fmt::format("instruction {} calls no delegate, whose operators could be taken", instruction));
    }
    OpenedCall made(whole, instruction);
    if (made.opened.arenas.size() < 2) {
        made.opened.arenas.resize(2);
    }
    return made;
}

std::optional<std::uint32_t> OpenedCall::idOf(ValueId value) const {
    const auto found = std::ranges::find(made, value, [](const auto& each) { return each.second; });
    return found == made.end() ? std::nullopt : std::optional(found->first);
}

const DelegateCall& OpenedCall::call() const {
    return std::get<DelegateCall>(opened.chains.front().instructions[instruction]);
}

/// The instructions from one on up to the call, which gets another payload and other arguments.
program::Method OpenedCall::withPayload(ByteVector payload, std::vector<ValueId> args,
                                        std::size_t firstInstruction) {
    program::Method method = opened;
    program::Chain& chain = method.chains.front();
    const auto cutTo = [&](auto& list) {
        if (list.size() > instruction) {
            list.resize(instruction + 1);
            list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(firstInstruction));
        }
    };
    cutTo(chain.instructions);
    cutTo(chain.stackTraces);
    chain.inputs.clear();
    chain.outputs.clear();
    auto& last = std::get<DelegateCall>(chain.instructions.back());
    // Others may call the same delegate.
    program::Delegate changed = method.delegate(last.delegate);
    changed.payload = payloads.emplace_back(std::move(payload));
    changed.segment.reset();
    last.delegate = program::DelegateId(static_cast<std::uint32_t>(method.delegates.size()));
    last.args = std::move(args);
    method.delegates.push_back(std::move(changed));
    return method;
}

Result<inspector::MethodPart> OpenedCall::take(std::span<const std::size_t> nodes) {
    ET_ASSIGN(auto taken, backends::takeNodes(opened.delegate(call().delegate), nodes));
    const std::size_t only[] = {instruction};
    ET_ASSIGN(const inspector::MethodPart asWhole, inspector::cutInstructions(opened, only));
    Binder binder(opened, made, call());
    ET_ASSIGN(const std::vector<ValueId> in, binder.bind(taken.inputs));
    ET_ASSIGN(const std::vector<ValueId> out, binder.bind(taken.outputs));
    std::vector<ValueId> args = in;
    args.insert(args.end(), out.begin(), out.end());
    inspector::MethodPart part{.method = withPayload(std::move(taken.payload), std::move(args), instruction),
                               .inputs = {},
                               .outputs = out,
                               .inputsAt = instruction};
    for (std::size_t i = 0; i < in.size(); ++i) {
        // An argument that is a constant of the method is no input of it.
        const bool goesIn = taken.inputs[i].isMade || std::ranges::contains(asWhole.inputs, in[i]);
        if (goesIn && !std::ranges::contains(part.inputs, in[i])) {
            part.inputs.push_back(in[i]);
        }
    }
    part.method.inputs = part.inputs;
    part.method.outputs = part.outputs;
    ids = std::move(taken.ids);
    return part;
}

Result<program::Method> OpenedCall::prefix(const std::vector<ValueId>& wanted) {
    std::vector<std::uint32_t> computed;
    for (const auto& [id, value] : made) {
        if (std::ranges::contains(wanted, value)) {
            computed.push_back(id);
        }
    }
    if (computed.empty()) {
        return inspector::cutPrefix(opened, instruction, wanted);
    }
    ET_ASSIGN(auto taken, backends::takeValues(opened.delegate(call().delegate), computed));
    Binder binder(opened, made, call());
    ET_ASSIGN(std::vector<ValueId> args, binder.bind(taken.inputs));
    ET_ASSIGN(const std::vector<ValueId> out, binder.bind(taken.outputs));
    args.insert(args.end(), out.begin(), out.end());
    program::Method method = withPayload(std::move(taken.payload), std::move(args), 0);
    method.outputs = wanted;
    return method;
}

}  // namespace et::app
