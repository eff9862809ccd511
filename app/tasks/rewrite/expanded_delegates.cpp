#include "app/tasks/rewrite/expanded_delegates.h"

#include "runtime/builder/memory_planner.h"
#include "runtime/core/dim_order.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <variant>

namespace et::tasks {
namespace {

using backends::DelegateValue;
using core::ErrorCode;
using core::Result;
using program::DelegateCall;
using program::TensorInfo;
using program::ValueId;

/// Describes the value as an intermediate tensor.
TensorInfo tensorOf(const DelegateValue& value, bool isDynamic, std::uint64_t offset) {
    TensorInfo tensor{
        .scalarType = static_cast<std::int8_t>(value.dtype),
        .dynamism = isDynamic ? program::ShapeDynamism::Bounded : program::ShapeDynamism::Static,
        .sizes = value.sizes,
        .dimOrder = core::rowMajorOrder(value.sizes.size()),
        .allocation = program::Allocation{.arena = program::ArenaId(1), .offset = offset}};
    tensor.byteSize = core::tensorBytes(tensor.scalarType, tensor.sizes);
    return tensor;
}

bool isDynamic(const program::Method& method, const DelegateCall& call) {
    return std::ranges::any_of(call.args, [&](ValueId id) {
        const auto* const tensor = method.value(id).as<TensorInfo>();
        return tensor != nullptr && tensor->dynamism != program::ShapeDynamism::Static;
    });
}

/// Builds a copy of a method's chain with inserted instructions, and redirects its jumps.
class ChainDraft {
  public:
    explicit ChainDraft(const program::Chain& from) : whole(from) {}

    /// Instructions added from here on belong to this instruction of the whole.
    void begin(std::size_t instruction) {
        starts.push_back(made.instructions.size());
        current = instruction;
    }
    void add(program::Instruction instruction) {
        made.instructions.push_back(std::move(instruction));
        if (current < whole.stackTraces.size()) {
            made.stackTraces.push_back(whole.stackTraces[current]);
        }
        origins.push_back(current);
    }
    [[nodiscard]] std::size_t size() const { return made.instructions.size(); }
    /// Number of the whole's instructions that the first `count` instructions here belong to.
    [[nodiscard]] std::size_t wholeCount(std::size_t count) const {
        return count == 0 ? 0 : origins[count - 1] + 1;
    }
    /// Number of instructions here that belong to the first `count` of the whole.
    [[nodiscard]] std::size_t ownCount(std::size_t count) const {
        return count < starts.size() ? starts[count] : size();
    }
    [[nodiscard]] program::Chain finish() {
        for (program::Instruction& each : made.instructions) {
            if (auto* const jump = std::get_if<program::JumpFalseCall>(&each)) {
                jump->destination = core::InstructionId(
                    static_cast<std::int32_t>(ownCount(static_cast<std::size_t>(jump->destination.value))));
            }
        }
        return std::move(made);
    }

  private:
    const program::Chain& whole;
    program::Chain made;
    std::size_t current = 0;
    std::vector<std::size_t> starts;   ///< first instruction here, by instruction of the whole
    std::vector<std::size_t> origins;  ///< by instruction
};

}  // namespace

Result<ExpandedDelegates> ExpandedDelegates::make(const program::Method& whole, NodeChoice nodes) {
    const auto& instructions = whole.chains.front().instructions;
    for (const auto& [instruction, operators] : nodes) {
        if (instruction >= instructions.size() ||
            !std::holds_alternative<DelegateCall>(instructions[instruction])) {
            return core::fail(
                ErrorCode::InvalidArgument,
                fmt::format("instruction {} does not call a delegate, so it has no operators to choose from",
                            instruction));
        }
    }
    ExpandedDelegates made(whole, std::move(nodes));
    if (made.opened.arenas.size() < 2) {
        made.opened.arenas.resize(2);
    }
    return made;
}

std::optional<ExpandedDelegates::InnerId> ExpandedDelegates::innerOf(ValueId value) const {
    const auto found = std::ranges::find(made, value, [](const auto& each) { return each.second; });
    return found == made.end()
               ? std::nullopt
               : std::optional(InnerId{.instruction = found->first.first, .value = found->first.second});
}

const DelegateCall& ExpandedDelegates::call(std::size_t instruction) const {
    return std::get<DelegateCall>(opened.chains.front().instructions[instruction]);
}

const program::Delegate& ExpandedDelegates::delegate(std::size_t instruction) const {
    return opened.delegate(call(instruction).delegate);
}

ValueId ExpandedDelegates::newValue(std::size_t instruction, const DelegateValue& value) {
    // Appended after all other tensors; a new plan packs them.
    std::uint64_t& end = opened.arenas[1].bytes;
    const TensorInfo tensor = tensorOf(value, isDynamic(opened, call(instruction)), end);
    end += (static_cast<std::uint64_t>(tensor.byteSize.value_or(0)) + builder::planAlignment - 1) /
           builder::planAlignment * builder::planAlignment;
    opened.values.emplace_back(tensor);
    return ValueId(static_cast<std::uint32_t>(opened.values.size() - 1));
}

/// Maps the values of a delegate to values of the method; creates new ones for inner values.
Result<std::vector<ValueId>> ExpandedDelegates::bind(std::size_t instruction,
                                                     std::span<const DelegateValue> values) {
    std::vector<ValueId> bound;
    for (const DelegateValue& each : values) {
        const auto& args = call(instruction).args;
        if (each.argument && *each.argument >= args.size()) {
            return core::fail(ErrorCode::Format, fmt::format("the delegate names argument {} of {}",
                                                             *each.argument, args.size()));
        }
        const auto known = made.find({instruction, each.id});
        const ValueId id = each.argument         ? args[*each.argument]
                           : known != made.end() ? known->second
                                                 : newValue(instruction, each);
        if (each.isMade) {
            made.emplace(std::pair(instruction, each.id), id);
        }
        bound.push_back(id);
    }
    return bound;
}

/// Adds a delegate, since other calls may use the same one.
DelegateCall ExpandedDelegates::newCall(std::size_t instruction, ByteVector payload,
                                        std::vector<ValueId> args) {
    program::Delegate changed = delegate(instruction);
    changed.payload = payloads.emplace_back(std::move(payload));
    changed.segment.reset();
    opened.delegates.push_back(std::move(changed));
    return {.delegate = program::DelegateId(static_cast<std::uint32_t>(opened.delegates.size() - 1)),
            .args = std::move(args)};
}

/// A call that computes some values of a delegate. Its other outputs are unused.
Result<DelegateCall> ExpandedDelegates::computing(std::size_t instruction,
                                                  std::span<const std::uint32_t> values) {
    ET_ASSIGN(auto taken, backends::takeValues(delegate(instruction), values));
    ET_ASSIGN(std::vector<ValueId> args, bind(instruction, taken.inputs));
    const std::span all(taken.outputs);
    ET_ASSIGN(const std::vector<ValueId> wanted, bind(instruction, all.first(values.size())));
    args.insert(args.end(), wanted.begin(), wanted.end());
    for (const DelegateValue& beside : all.subspan(values.size())) {
        args.push_back(newValue(instruction, beside));
    }
    return newCall(instruction, std::move(taken.payload), std::move(args));
}

Result<ExpandedDelegates::Split> ExpandedDelegates::split(std::size_t instruction,
                                                          std::span<const std::size_t> chosen) {
    ET_ASSIGN(auto taken, backends::takeNodes(delegate(instruction), chosen));
    ET_ASSIGN(const auto arguments, backends::argumentsOf(delegate(instruction)));
    ET_ASSIGN(std::vector<ValueId> args, bind(instruction, taken.inputs));
    Split out{.rest = {}, .chosen = {}, .made = {}};
    ET_ASSIGN(out.made, bind(instruction, taken.outputs));
    args.insert(args.end(), out.made.begin(), out.made.end());
    out.chosen = newCall(instruction, std::move(taken.payload), std::move(args));
    ids[instruction] = std::move(taken.ids);
    std::vector<std::uint32_t> needed;
    for (const std::vector<DelegateValue>& values : {taken.inputs, arguments}) {
        for (const DelegateValue& each : values) {
            if (each.isMade && !std::ranges::contains(needed, each.id) &&
                !std::ranges::contains(taken.outputs, each.id, &DelegateValue::id)) {
                needed.push_back(each.id);
            }
        }
    }
    if (!needed.empty()) {
        ET_ASSIGN(out.rest, computing(instruction, needed));
    }
    return out;
}

Result<inspector::MethodPart> ExpandedDelegates::take(std::span<const std::size_t> instructions) {
    std::map<std::size_t, Split> splits;
    for (const auto& [instruction, chosen] : nodes) {
        ET_ASSIGN(Split made, split(instruction, chosen));
        splits.emplace(instruction, std::move(made));
    }
    program::Method method = opened;
    ChainDraft draft(opened.chains.front());
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < opened.chains.front().instructions.size(); ++i) {
        draft.begin(i);
        const auto found = splits.find(i);
        if (found != splits.end() && found->second.rest) {
            draft.add(*found->second.rest);
        }
        if (std::ranges::contains(instructions, i)) {
            kept.push_back(draft.size());
        }
        draft.add(found == splits.end() ? opened.chains.front().instructions[i]
                                        : program::Instruction(found->second.chosen));
    }
    method.chains.front() = draft.finish();
    // Values that no other instruction reads are the results of the chosen operators.
    for (const auto& [instruction, split] : splits) {
        method.outputs.insert(method.outputs.end(), split.made.begin(), split.made.end());
    }
    ET_ASSIGN(inspector::MethodPart part, inspector::cutInstructions(method, kept));
    part.inputsAt = draft.wholeCount(part.inputsAt);
    return part;
}

Result<program::Method> ExpandedDelegates::prefix(std::size_t end, const std::vector<ValueId>& wanted) {
    ChainDraft draft(opened.chains.front());
    for (std::size_t i = 0; i < opened.chains.front().instructions.size(); ++i) {
        draft.begin(i);
        draft.add(opened.chains.front().instructions[i]);
        std::vector<std::uint32_t> inner;
        for (const auto& [place, value] : made) {
            if (place.first == i && value.value >= ownValues && std::ranges::contains(wanted, value)) {
                inner.push_back(place.second);
            }
        }
        if (i < end && !inner.empty()) {
            ET_ASSIGN(DelegateCall computed, computing(i, inner));
            draft.add(std::move(computed));
        }
    }
    program::Method method = opened;
    const std::size_t count = draft.ownCount(end);
    method.chains.front() = draft.finish();
    return inspector::cutPrefix(method, count, wanted);
}

}  // namespace et::tasks
