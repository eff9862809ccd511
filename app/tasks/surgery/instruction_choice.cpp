#include "app/tasks/surgery/instruction_choice.h"

#include "app/tasks/surgery/number_list.h"
#include "etrecord/record.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/program_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <variant>

namespace et::app {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::InstructionRange;

Result<InstructionRange> delegateCall(const program::Method& method, std::size_t delegate) {
    const auto& instructions = method.chains.front().instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const auto* const call = std::get_if<program::DelegateCall>(&instructions[i]);
        if (call != nullptr && call->delegate.value == delegate) {
            return InstructionRange{.first = i, .last = i};
        }
    }
    return fail(ErrorCode::NotFound, fmt::format("no instruction calls delegate {}; the method has {}",
                                                 delegate, method.delegates.size()));
}

/// From the first to the last instruction with a node that `wanted` takes.
Result<InstructionRange> ofNodes(const program::Method& method, const std::filesystem::path& path,
                                 const std::string& what,
                                 const std::function<bool(const etrecord::Node&)>& wanted) {
    if (path.empty()) {
        return fail(ErrorCode::InvalidArgument, "--module and --node need --etrecord");
    }
    ET_ASSIGN(const auto record, etrecord::Record::open(path));
    const inspector::InstructionNodes nodes(record.get(), method.name);
    std::optional<InstructionRange> range;
    for (std::size_t i = 0; i < method.chains.front().instructions.size(); ++i) {
        const auto found = nodes.nodesOf(core::InstructionId(static_cast<std::int32_t>(i)));
        if (std::ranges::any_of(found, [&](const etrecord::Node* node) { return wanted(*node); })) {
            range = InstructionRange{.first = range ? range->first : i, .last = i};
        }
    }
    if (!range) {
        return fail(ErrorCode::NotFound, fmt::format("no instruction is of {}", core::printable(what)),
                    {.file = path.string()});
    }
    return *range;
}

std::vector<std::size_t> allOf(const InstructionRange& range) {
    std::vector<std::size_t> all(range.last - range.first + 1);
    std::iota(all.begin(), all.end(), range.first);
    return all;
}

/// Whether a node is of the module, or of one inside of it.
bool isIn(const etrecord::Node& node, std::string_view module) {
    return std::ranges::contains(node.moduleStack, module, &etrecord::ModuleFrame::fqn);
}

}  // namespace

Result<std::vector<std::size_t>> chooseInstructions(const program::Method& method,
                                                    const InstructionChoice& choice) {
    const int given = (choice.instructions.empty() ? 0 : 1) + (choice.module.empty() ? 0 : 1) +
                      (choice.node.empty() ? 0 : 1) + (choice.delegate ? 1 : 0);
    if (given != 1) {
        return fail(ErrorCode::InvalidArgument,
                    "say with one of --instructions, --module, --node and --delegate what to extract");
    }
    if (method.chains.empty()) {
        return fail(ErrorCode::Unsupported, "the method has no instructions");
    }
    if (!choice.instructions.empty()) {
        return parseNumberList(choice.instructions, "--instructions");
    }
    if (choice.delegate) {
        return delegateCall(method, *choice.delegate).transform(allOf);
    }
    if (!choice.node.empty()) {
        return ofNodes(method, choice.record, "node " + choice.node,
                       [&](const etrecord::Node& node) { return node.name == choice.node; })
            .transform(allOf);
    }
    return ofNodes(method, choice.record, "module " + choice.module,
                   [&](const etrecord::Node& node) { return isIn(node, choice.module); })
        .transform(allOf);
}

}  // namespace et::app
