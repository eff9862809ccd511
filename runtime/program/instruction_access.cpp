#include "runtime/program/instruction_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <variant>

namespace et::program {

namespace {

/// Limit far above any real model: MobileNetV2 names about 2,000 values.
constexpr std::size_t maxNamed = 16'000'000;

/// Operator whose result is an alias of its first argument.
constexpr std::string_view viewOperator = "executorch_prim::et_view";
/// Operator that updates its first argument and has no result.
constexpr std::string_view updateOperator = appendingOperator;

/// Operator that writes a new state value back to its mutable buffer.
constexpr std::string_view writeBackOperator = "aten::copy_";

/// Prefix of operators without out arguments: their last argument is the result, even if it is also an input.
constexpr std::string_view functions = "executorch_prim::";

/// Number of out arguments repeated at the end as results; 0 if none.
std::size_t repeatedResults(const Operator& op, const std::vector<ValueId>& arguments) {
    constexpr std::size_t maxResults = 16;
    const std::span all(arguments);
    for (std::size_t count = 1; count <= maxResults && 2 * count <= arguments.size(); ++count) {
        if (!op.name.starts_with(functions) &&
            std::ranges::equal(all.last(count), all.last(2 * count).first(count))) {
            return count;
        }
    }
    return 0;
}

}  // namespace

// PyTorch names in-place operators with a single trailing underscore.
bool updatesFirst(std::string_view name) {
    return (name.ends_with('_') && !name.ends_with("__")) || name == updateOperator;
}

AccessReader::AccessReader(const Method& of) : method(of), written(of.values.size()) {
    for (std::size_t i = 0; i < method.values.size(); ++i) {
        const auto* tensor = method.values[i].as<TensorInfo>();
        written[i] = tensor == nullptr || tensor->initialData != InitialData::None;
    }
    for (const ValueId input : method.inputs) {
        written[input.value] = true;
    }
    for (const Chain& chain : method.chains) {
        for (const Instruction& instruction : chain.instructions) {
            const auto* const call = std::get_if<KernelCall>(&instruction);
            if (call != nullptr && !call->args.empty() && method.op(call->op).name == writeBackOperator) {
                written[call->args.front().value] = true;
            }
        }
    }
}

core::Result<InstructionAccess> AccessReader::next(const Instruction& instruction) {
    InstructionAccess access;
    std::visit([&](const auto& each) { read(each, access); }, instruction);
    if (named > maxNamed) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("the instructions of method \"{}\" refer to more than {} values",
                                      core::printable(method.name), maxNamed));
    }
    for (const ValueId id : access.writes) {
        written[id.value] = true;
    }
    return access;
}

void AccessReader::add(ValueId id, std::vector<ValueId>& to) {
    if (++named > maxNamed) {
        return;
    }
    to.push_back(id);
    if (const auto* list = method.value(id).as<TensorList>()) {
        named += list->items.size();
        if (named <= maxNamed) {
            to.insert(to.end(), list->items.begin(), list->items.end());
        }
    } else if (const auto* optionals = method.value(id).as<OptionalTensorList>()) {
        named += optionals->items.size();
        for (const std::optional<ValueId>& item : optionals->items) {
            if (item && named <= maxNamed) {
                to.push_back(*item);
            }
        }
    } else if (const auto* ints = method.value(id).as<IntList>()) {
        named += ints->items.size();
        if (named <= maxNamed) {
            to.insert(to.end(), ints->items.begin(), ints->items.end());
        }
    }
}

void AccessReader::read(const KernelCall& call, InstructionAccess& access) {
    if (call.args.empty()) {
        return;
    }
    const Operator& op = method.op(call.op);
    const std::size_t repeated = repeatedResults(op, call.args);
    const std::size_t results = op.name == updateOperator ? 0 : std::max<std::size_t>(repeated, 1);
    const auto arguments = std::span(call.args).first(call.args.size() - results - repeated);
    for (const ValueId id : std::span(call.args).last(results)) {
        add(id, access.writes);
    }
    // Several out arguments may be repeated as the items of one list.
    std::vector<ValueId> outs(access.writes.begin() + (access.writes.empty() ? 0 : 1), access.writes.end());
    std::ranges::sort(outs);
    const bool updates = updatesFirst(op.name);
    if (updates && !arguments.empty() && !std::ranges::contains(access.writes, arguments.front())) {
        add(arguments.front(), access.writes);
    }
    for (const ValueId id : arguments) {
        if (!std::ranges::binary_search(outs, id)) {
            add(id, access.reads);
        }
    }
    if ((op.name == viewOperator || updates) && results > 0 && !arguments.empty() &&
        arguments.front() != call.args.back()) {
        access.alias = {arguments.front(), call.args.back()};
    }
}

void AccessReader::read(const DelegateCall& call, InstructionAccess& access) {
    const auto last = std::ranges::find_last_if(call.args, [this](ValueId id) { return written[id.value]; });
    const auto middle = last.empty() ? call.args.begin() : last.begin() + 1;
    for (auto each = call.args.begin(); each != call.args.end(); ++each) {
        add(*each, each < middle ? access.reads : access.writes);
    }
}

void AccessReader::read(const MoveCall& call, InstructionAccess& access) {
    add(call.from, access.reads);
    add(call.to, access.writes);
    access.alias = {call.from, call.to};
}

void AccessReader::read(const JumpFalseCall& call, InstructionAccess& access) {
    add(call.condition, access.reads);
}

/// Freeing a tensor does not read its elements, but the tensor stays alive until then.
void AccessReader::read(const FreeCall& call, InstructionAccess& access) {
    add(call.value, access.reads);
}

}  // namespace et::program
