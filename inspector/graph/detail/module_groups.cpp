#include "inspector/graph/detail/module_groups.h"

#include "inspector/join/node_fields.h"

#include <algorithm>
#include <utility>

namespace et::inspector::graph::detail {

using core::GraphGroupId;

namespace {

/// Maximum nesting; deeper modules are merged into the last level.
constexpr std::size_t deepest = 64;

/// "0" of "features.3.conv.0" in "features.3.conv".
std::string_view ownName(std::string_view fqn, std::string_view outer) {
    if (!outer.empty() && fqn.size() > outer.size() && fqn.starts_with(outer) && fqn[outer.size()] == '.') {
        return fqn.substr(outer.size() + 1);
    }
    return fqn;
}

using Modules = std::span<const etrecord::ModuleFrame>;
using Nodes = std::vector<const etrecord::Node*>;

/// "layers.0": a module of a list.
bool isListed(const etrecord::ModuleFrame& module) {
    const std::string_view name = std::string_view(module.fqn).substr(module.fqn.rfind('.') + 1);
    return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

/// In the model itself, not in a module of it.
bool isInModel(Modules modules) {
    return modules.empty() || modules.back().fqn.empty();
}

bool isIn(Modules modules, Modules block) {
    return sharedModules(modules, block).size() == block.size();
}

/// The block of a node: its outermost module of a list, below `depth` modules, if there are modules inside.
/// Empty: none.
Modules blockOf(const etrecord::Node& node, std::size_t depth) {
    const Modules modules = modulesOf(node);
    for (std::size_t i = depth; i + 1 < modules.size(); ++i) {
        if (isListed(modules[i])) {
            return modules.first(i + 1);
        }
    }
    return {};
}

/// The block that contains most of the nodes, if all others are in the modules around it or in other blocks
/// of its list, as in a delegate that starts with the end of the previous block. Empty: no such block.
Modules mainBlock(const Nodes& nodes, std::size_t depth) {
    std::map<std::string_view, std::pair<std::size_t, Modules>> counts;
    for (const etrecord::Node* node : nodes) {
        if (const Modules block = blockOf(*node, depth); !block.empty()) {
            auto& [count, modules] = counts[block.back().path];
            ++count;
            modules = block;
        }
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& each) { return each.second.first; });
    if (most == counts.end() || 2 * most->second.first <= nodes.size()) {
        return {};
    }
    const Modules block = most->second.second;
    const std::size_t last = block.size() - 1;
    const bool isAlone = std::ranges::all_of(nodes, [&](const etrecord::Node* node) {
        const Modules other = modulesOf(*node);
        return other.size() <= last ? isIn(block, other)
                                    : isIn(other, block.first(last)) && isListed(other[last]);
    });
    return isAlone ? block : Modules();
}

/// The modules that an instruction with these nodes is drawn in; nothing if the nodes are in none.
std::optional<Modules> placeOf(Nodes nodes) {
    const auto common = commonModules(nodes);
    if (!common) {
        return std::nullopt;
    }
    // Exporters may place quantizers in the model itself, outside of the block whose values they quantize.
    std::erase_if(nodes, [](const etrecord::Node* node) { return isInModel(modulesOf(*node)); });
    const Modules block = mainBlock(nodes, common->size());
    std::erase_if(nodes, [&](const etrecord::Node* node) { return !isIn(modulesOf(*node), block); });
    return block.empty() ? common : commonModules(nodes);
}

}  // namespace

std::optional<GraphGroupId> ModuleGroups::groupOf(std::span<const etrecord::ModuleFrame> stack) {
    std::optional<GraphGroupId> group = outermost;
    std::string_view outer;
    for (const etrecord::ModuleFrame& frame : stack.first(std::min(stack.size(), deepest))) {
        if (frame.fqn.empty()) {
            continue;
        }
        const auto [known, fresh] = groups.try_emplace({group, frame.fqn});
        if (fresh) {
            known->second = graph.addGroup(core::GraphGroup{.name = std::string(ownName(frame.fqn, outer)),
                                                            .parent = group,
                                                            .kind = "module",
                                                            .attributes = {{"module", frame.fqn}}});
        }
        group = known->second;
        outer = frame.fqn;
    }
    return group;
}

std::vector<std::span<const etrecord::ModuleFrame>> modulesByInstruction(
    std::span<const std::vector<const etrecord::Node*>> nodes) {
    std::vector<std::span<const etrecord::ModuleFrame>> modules(nodes.size());
    std::optional<std::size_t> last;  // the last instruction in a module
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto own = placeOf(nodes[i]);
        if (!own) {
            continue;
        }
        modules[i] = *own;
        const std::size_t first = last ? *last + 1 : i;
        for (std::size_t between = first; between < i; ++between) {
            modules[between] = inspector::sharedModules(modules[*last], *own);
        }
        last = i;
    }
    return modules;
}

}  // namespace et::inspector::graph::detail
