#include "app/tasks/rewrite/node_choice.h"

#include "app/tasks/rewrite/number_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Parses "7:0..3" into the choice.
Result<> addCallText(std::string_view text, std::span<const std::size_t> instructions, std::string_view what,
                     NodeChoice& nodes) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return fail(ErrorCode::InvalidArgument, fmt::format("{}: expected INSTRUCTION:OPERATORS, got \"{}\"",
                                                            what, core::printable(text)));
    }
    ET_ASSIGN(const auto instruction, parseNumberList(text.substr(0, colon), what));
    ET_ASSIGN(auto operators, parseNumberList(text.substr(colon + 1), what));
    if (instruction.size() != 1 || !std::ranges::contains(instructions, instruction.front()) ||
        !nodes.emplace(instruction.front(), std::move(operators)).second) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: expected each chosen instruction at most once, got \"{}\"", what,
                                core::printable(text)));
    }
    return {};
}

}  // namespace

std::string nodeChoiceText(const NodeChoice& nodes, std::span<const std::size_t> instructions) {
    if (nodes.size() == 1 && instructions.size() == 1) {
        return numberListText(nodes.begin()->second);
    }
    std::string text;
    for (const auto& [instruction, operators] : nodes) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : "+", instruction, numberListText(operators));
    }
    return text;
}

Result<NodeChoice> parseNodeChoice(std::string_view text, std::span<const std::size_t> instructions,
                                   std::string_view what) {
    NodeChoice nodes;
    if (!text.contains(':')) {
        ET_ASSIGN(auto operators, parseNumberList(text, what));
        if (instructions.size() != 1) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{}: for {} instructions, expected INSTRUCTION:OPERATORS, got \"{}\"",
                                    what, instructions.size(), core::printable(text)));
        }
        nodes.emplace(instructions.front(), std::move(operators));
        return nodes;
    }
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('+', at), text.size());
        ET_TRY(addCallText(text.substr(at, end - at), instructions, what, nodes));
        at = end + 1;
    }
    return nodes;
}

std::size_t nodeCount(const NodeChoice& nodes) {
    std::size_t count = 0;
    for (const auto& [instruction, operators] : nodes) {
        count += operators.size();
    }
    return count;
}

}  // namespace et::tasks
