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
        const auto own = inspector::commonModules(nodes[i]);
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
