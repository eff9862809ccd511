#include "inspector/session/trace_check.h"

#include "backends/builtin.h"
#include "inspector/join/instruction_keys.h"
#include "inspector/names/operator_names.h"
#include "runtime/core/operator_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

namespace et::inspector {
namespace {

using RunInstruction = join::detail::InstructionKey;

/// Compares by operator: "add" for "aten::add.out".
bool isKernelOf(std::string_view eventName, const program::Method& method, const program::KernelCall& call) {
    const std::string called = method.op(call.op).fullName();
    const std::string_view ran = names::detail::kernelOperator(eventName);
    const std::string_view wanted = names::detail::kernelOperator(called);
    return ran.empty() || wanted.empty() || ran == wanted || names::detail::mayImplement(ran, wanted);
}

std::optional<std::string> contradiction(const Event& event, const program::Method& method) {
    const auto* instruction = join::detail::instructionAt(method, {event.chain, event.instruction});
    const bool delegate =
        instruction != nullptr && std::holds_alternative<program::DelegateCall>(*instruction);
    const bool delegateRan = event.delegated || event.name == names::detail::delegateCall;
    if (instruction == nullptr || delegate != delegateRan) {
        return fmt::format("\"{}\" ran at instruction {}, where the program has {}",
                           core::printable(event.name), event.instruction.value,
                           instruction == nullptr ? "none" : program::instructionName(*instruction));
    }
    const auto* const call = std::get_if<program::KernelCall>(instruction);
    if (call != nullptr && !isKernelOf(event.name, method, *call)) {
        return fmt::format("\"{}\" ran at instruction {}, where the program calls {}",
                           core::printable(event.name), event.instruction.value,
                           core::printable(method.op(call->op).fullName()));
    }
    return std::nullopt;
}

bool counts(const Event& event) {
    return join::detail::isOfInstruction(event) && !event.samples.empty();
}

/// Names of delegated operators, by the position of the call that ran them, in order.
using DelegatedNames = std::map<RunInstruction, std::vector<std::string_view>>;

DelegatedNames delegatedNames(const Block& block) {
    DelegatedNames names;
    for (const Event& event : block.events) {
        if (event.delegated && counts(event)) {
            names[{event.chain, event.instruction}].push_back(event.name);
        }
    }
    return names;
}

/// The backend's objection to the operators of a delegate call.
std::optional<std::string> contradiction(const executor::Backend& backend, const program::Delegate& delegate,
                                         const std::vector<std::string_view>& names) {
    if (backend.name() == delegate.backend) {
        return backend.contradiction(delegate, names);
    }
    const auto foreign =
        std::ranges::find_if(names, [&backend](std::string_view name) { return backend.recognizes(name); });
    return foreign == names.end()
               ? std::nullopt
               : std::optional(fmt::format("ran \"{}\", an operator of {}", *foreign, backend.name()));
}

/// Checks the operators of delegate calls against the delegates. All positions must be delegate calls.
std::optional<std::string> delegatesContradict(const DelegatedNames& ran, const program::Method& method) {
    for (const auto& [place, names] : ran) {
        const auto& call = std::get<program::DelegateCall>(*join::detail::instructionAt(method, place));
        const program::Delegate& delegate = method.delegate(call.delegate);
        for (const executor::Backend* backend : backends::describable()) {
            if (auto wrong = contradiction(*backend, delegate, names)) {
                return fmt::format("the {} of instruction {} {}", core::printable(delegate.backend),
                                   place.second.value, core::printable(*wrong));
            }
        }
    }
    return std::nullopt;
}

/// Whether every instruction of a method runs exactly once.
bool isStraight(const program::Method& method) {
    return method.chains.size() == 1 &&
           std::ranges::none_of(method.chains.front().instructions, [](const auto& instruction) {
               return std::holds_alternative<program::JumpFalseCall>(instruction);
           });
}

/// Finds a call of the method that is missing in a block, though the block ran to its end and has such calls.
std::optional<std::string> missingCall(const Block& block, const program::Method& method) {
    const auto has = [&block](std::string_view name) {
        return std::ranges::any_of(block.events, [name](const Event& event) {
            return event.name == name && !event.samples.empty();
        });
    };
    if (!has(names::detail::methodExecute) || !isStraight(method)) {
        return std::nullopt;
    }
    std::set<std::int32_t> ran;
    for (const Event& event : block.events) {
        if (counts(event)) {
            ran.insert(event.instruction.value);
        }
    }
    const bool logsKernels = has(names::detail::operatorCall);
    const bool logsDelegates = logsKernels || has(names::detail::delegateCall);
    const auto& instructions = method.chains.front().instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const auto* kernel = std::get_if<program::KernelCall>(&instructions[i]);
        const bool isLogged =
            kernel != nullptr
                ? logsKernels
                : logsDelegates && std::holds_alternative<program::DelegateCall>(instructions[i]);
        if (isLogged && !ran.contains(static_cast<std::int32_t>(i))) {
            return fmt::format("nothing ran at instruction {}, where the program {}", i,
                               kernel == nullptr
                                   ? "calls a delegate"
                                   : "calls " + core::printable(method.op(kernel->op).fullName()));
        }
    }
    return std::nullopt;
}

std::optional<std::string> contradiction(const Block& block, const program::Method& method) {
    for (const Event& event : block.events) {
        if (auto wrong = counts(event) ? contradiction(event, method) : std::nullopt) {
            return wrong;
        }
    }
    auto wrong = missingCall(block, method);
    return wrong ? wrong : delegatesContradict(delegatedNames(block), method);
}

/// The first reason why no method explains the block; nothing if one does.
std::optional<std::string> contradiction(const Block& block, const program::Program& program) {
    std::optional<std::string> first;
    for (const program::Method& method : program.methods) {
        if (!block.method.empty() && block.method != method.name) {
            continue;
        }
        auto wrong = contradiction(block, method);
        if (!wrong) {
            return std::nullopt;
        }
        first = first ? first : std::move(wrong);
    }
    const bool ran = std::ranges::any_of(block.events, counts);
    return !first && ran
               ? fmt::format("it ran \"{}\", which the program does not have", core::printable(block.method))
               : first;
}

/// Calls at one instruction, over all blocks.
struct Ran {
    std::set<std::string_view> kernels;
    std::set<std::string_view> delegated;  ///< operators of a delegate, without their counters
};

std::map<RunInstruction, Ran> collectExecuted(const EventBlocks& blocks) {
    std::map<RunInstruction, Ran> found;
    for (const Block& block : blocks.blocks()) {
        for (const Event& event : block.events) {
            if (!counts(event)) {
                continue;
            }
            Ran& ran = found[{event.chain, event.instruction}];
            const std::string_view kernel = names::detail::kernelOperator(event.name);
            if (event.delegated) {
                ran.delegated.insert(core::withoutCounter(event.name));
            } else if (!kernel.empty()) {
                ran.kernels.insert(kernel);
            }
        }
    }
    return found;
}

bool shareNothing(const std::set<std::string_view>& a, const std::set<std::string_view>& b) {
    return !a.empty() && !b.empty() &&
           std::ranges::none_of(a, [&](std::string_view name) { return b.contains(name); });
}

bool differ(const Ran& a, const Ran& b) {
    const bool kernelAndDelegate = (!a.kernels.empty() && !b.delegated.empty() && b.kernels.empty()) ||
                                   (!b.kernels.empty() && !a.delegated.empty() && a.kernels.empty());
    return kernelAndDelegate || shareNothing(a.kernels, b.kernels) || shareNothing(a.delegated, b.delegated);
}

std::string nameOf(const Ran& ran) {
    const auto& names = ran.kernels.empty() ? ran.delegated : ran.kernels;
    return names.empty() ? "a delegate" : fmt::format("\"{}\"", core::printable(*names.begin()));
}

}  // namespace

std::optional<std::string> contradiction(const EventBlocks& blocks, const program::Method& method,
                                         bool onlyMethod) {
    for (const Block& block : blocks.blocks()) {
        if (auto wrong =
                join::detail::isOf(block, method, onlyMethod) ? contradiction(block, method) : std::nullopt) {
            return wrong;
        }
    }
    return std::nullopt;
}

std::optional<std::string> contradiction(const EventBlocks& blocks, const program::Program& program) {
    for (const Block& block : blocks.blocks()) {
        if (auto wrong = contradiction(block, program)) {
            return wrong;
        }
    }
    return std::nullopt;
}

std::optional<std::string> contradiction(const EventBlocks& a, const EventBlocks& b) {
    const std::map<RunInstruction, Ran> left = collectExecuted(a);
    const std::map<RunInstruction, Ran> right = collectExecuted(b);
    std::size_t common = 0;
    for (const auto& [place, ran] : left) {
        const auto found = right.find(place);
        if (found == right.end()) {
            continue;
        }
        if (differ(ran, found->second)) {
            return fmt::format("instruction {} ran {} in one and {} in the other", place.second.value,
                               nameOf(ran), nameOf(found->second));
        }
        ++common;
    }
    return common == 0 && !left.empty() && !right.empty()
               ? std::optional<std::string>("they have no instruction in common")
               : std::nullopt;
}

}  // namespace et::inspector
