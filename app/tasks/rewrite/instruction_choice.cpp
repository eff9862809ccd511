#include "app/tasks/rewrite/instruction_choice.h"

#include "app/tasks/base/suggestion.h"
#include "app/tasks/rewrite/number_list.h"
#include "etrecord/record.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/program_range.h"
#include "inspector/session/record_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <ranges>
#include <string_view>
#include <utility>
#include <variant>

namespace et::tasks {
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

/// Name to search for in the nodes of instructions.
struct Wanted {
    std::string_view kind;  ///< "module"
    const std::string& name;
    /// Returns the names of that kind for a node.
    std::function<std::vector<std::string>(const etrecord::Node&)> namesOf;
};

/// " (did you mean 'layers.3'?)", or the known names if none is close.
std::string hint(const Wanted& wanted, const std::vector<std::string>& known) {
    constexpr std::size_t most = 5;
    std::string near = didYouMean(wanted.name, known);
    if (!near.empty() || known.empty()) {
        return core::printable(near);
    }
    return core::printable(
        fmt::format("; it has {}{}", fmt::join(known | std::views::take(most), ", "),
                    known.size() > most ? fmt::format(" and {} more", known.size() - most) : ""));
}

/// Range from the first to the last instruction with a node of that name.
Result<InstructionRange> ofNodes(const program::Method& method, const std::filesystem::path& path,
                                 const Wanted& wanted) {
    if (path.empty()) {
        return fail(ErrorCode::InvalidArgument, "--module and --node need --etrecord");
    }
    ET_ASSIGN(const auto record, etrecord::Record::open(path));
    if (auto wrong = inspector::contradiction(*record, method)) {
        return fail(ErrorCode::InvalidArgument, *std::move(wrong), {.file = path.string()});
    }
    const inspector::InstructionNodes nodes(record.get(), method.name);
    std::vector<std::string> known;
    std::optional<InstructionRange> range;
    for (std::size_t i = 0; i < method.chains.front().instructions.size(); ++i) {
        const auto found = nodes.nodesOf(core::InstructionId(static_cast<std::int32_t>(i)));
        for (const etrecord::Node* const node : found) {
            for (std::string& name : wanted.namesOf(*node)) {
                if (name == wanted.name) {
                    range = InstructionRange{.first = range ? range->first : i, .last = i};
                } else if (!std::ranges::contains(known, name)) {
                    known.push_back(std::move(name));
                }
            }
        }
    }
    if (!range) {
        return fail(ErrorCode::NotFound,
                    fmt::format("no instruction belongs to {} {}{}", wanted.kind,
                                core::printable(wanted.name), hint(wanted, known)),
                    {.file = path.string()});
    }
    return *range;
}

std::vector<std::size_t> allOf(const InstructionRange& range) {
    std::vector<std::size_t> all(range.last - range.first + 1);
    std::iota(all.begin(), all.end(), range.first);
    return all;
}

/// Modules that contain the node, outermost first.
std::vector<std::string> modulesOf(const etrecord::Node& node) {
    std::vector<std::string> names;
    for (const etrecord::ModuleFrame& frame : node.moduleStack) {
        if (!frame.fqn.empty()) {
            names.push_back(frame.fqn);
        }
    }
    return names;
}

}  // namespace

Result<std::vector<std::size_t>> chooseInstructions(const program::Method& method,
                                                    const InstructionChoice& choice) {
    const int given = (choice.instructions.empty() ? 0 : 1) + (choice.module.empty() ? 0 : 1) +
                      (choice.node.empty() ? 0 : 1) + (choice.delegate ? 1 : 0);
    if (given != 1) {
        return fail(ErrorCode::InvalidArgument,
                    "select what to extract with --instructions, --module, --node or --delegate");
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
    const Wanted node{.kind = "node", .name = choice.node, .namesOf = [](const etrecord::Node& each) {
                          return std::vector<std::string>{each.name};
                      }};
    const Wanted module{.kind = "module", .name = choice.module, .namesOf = modulesOf};
    return ofNodes(method, choice.record, choice.node.empty() ? module : node).transform(allOf);
}

}  // namespace et::tasks
