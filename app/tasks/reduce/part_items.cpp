#include "app/tasks/reduce/part_items.h"

#include "app/tasks/rewrite/number_list.h"
#include "backends/delegate_part.h"

#include <utility>
#include <variant>

namespace et::tasks {
namespace {

/// Returns 0 unless the instruction calls a delegate whose operators are known.
std::size_t operatorsOfCall(const program::Method& method, std::size_t instruction) {
    const auto* const call =
        std::get_if<program::DelegateCall>(&method.chains.front().instructions[instruction]);
    if (call == nullptr) {
        return 0;
    }
    const auto nodes = backends::nodesIn(method.delegate(call->delegate));
    return nodes ? nodes->size() : 0;
}

}  // namespace

PartItems::PartItems(const program::Method& method, const PartChoice& part) {
    for (const std::size_t instruction : part.instructions) {
        const std::size_t all = operatorsOfCall(method, instruction);
        if (all < 2) {
            items.push_back({.instruction = instruction, .node = {}});
            continue;
        }
        operators.emplace(instruction, all);
        const auto chosen = part.nodes.find(instruction);
        for (const std::size_t node : chosen == part.nodes.end() ? numbersBelow(all) : chosen->second) {
            items.push_back({.instruction = instruction, .node = node});
        }
    }
}

PartChoice PartItems::choice(std::span<const std::size_t> kept) const {
    PartChoice part;
    for (const std::size_t each : kept) {
        const PartItem& item = items[each];
        if (part.instructions.empty() || part.instructions.back() != item.instruction) {
            part.instructions.push_back(item.instruction);
        }
        if (item.node) {
            part.nodes[item.instruction].push_back(*item.node);
        }
    }
    std::erase_if(part.nodes,
                  [&](const auto& each) { return each.second.size() == operators.at(each.first); });
    return part;
}

std::size_t PartItems::count(const PartChoice& part) const {
    std::size_t count = 0;
    for (const std::size_t instruction : part.instructions) {
        const auto chosen = part.nodes.find(instruction);
        const auto all = operators.find(instruction);
        count += chosen != part.nodes.end() ? chosen->second.size()
                 : all != operators.end()   ? all->second
                                            : 1;
    }
    return count;
}

std::size_t operatorsInOpened(const program::Method& method, const PartChoice& part) {
    std::size_t count = 0;
    for (const auto& [instruction, nodes] : part.nodes) {
        count += operatorsOfCall(method, instruction);
    }
    return count;
}

}  // namespace et::tasks
