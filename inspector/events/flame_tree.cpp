#include "inspector/events/flame_tree.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/readable_name.h"
#include "inspector/events/wrapper_events.h"
#include "inspector/join/node_fields.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/python_stack.h"
#include "runtime/core/operator_counter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace et::inspector::events {
namespace {

/// A name as a frame: on one line, without the frame separator.
std::string frameOf(const std::string& name) {
    std::string frame = core::printable(name);
    std::ranges::replace(frame, ';', ',');
    return frame;
}

/// Prefixes the block's name, so that loading and running a method are distinguished.
void writeTree(const FlameTree& tree, const std::string& block, std::ostream& out) {
    const std::string above = tree.root().name == block ? std::string() : frameOf(block) + ';';
    std::vector<std::string> paths;  // by node: parents come before children
    for (const FlameNode& node : tree.nodes) {
        paths.push_back(node.parent ? paths[*node.parent] + ';' + frameOf(node.name)
                                    : above + frameOf(node.name));
        if (const auto units = std::llround(node.self); units > 0) {
            out << paths.back() << ' ' << units << '\n';
        }
    }
}

using Path = std::vector<std::string>;

/// Path of modules, each with the part of its name below its parent: "features", "2", "conv".
Path modulePath(const std::vector<const etrecord::Node*>& nodes) {
    Path path;
    std::string_view around;
    const auto modules = commonModules(nodes);
    for (const etrecord::ModuleFrame& frame : modules ? *modules : std::span<const etrecord::ModuleFrame>()) {
        std::string_view own = frame.fqn;
        if (own.empty() || isNoModule(own)) {
            continue;
        }
        if (!around.empty() && own.size() > around.size() && own.starts_with(around) &&
            own[around.size()] == '.') {
            own.remove_prefix(around.size() + 1);
        }
        around = frame.fqn;
        path.emplace_back(own);
    }
    return path;
}

std::string frameName(const PythonFrame& frame) {
    const std::size_t slash = frame.path.find_last_of("/\\");
    const std::string_view file = slash == std::string_view::npos ? frame.path : frame.path.substr(slash + 1);
    return std::string(frame.function) + " (" + std::string(file) + ":" + std::to_string(frame.line) + ")";
}

Path stackPath(const std::vector<const etrecord::Node*>& nodes) {
    Path path;
    const auto known =
        std::ranges::find_if(nodes, [](const etrecord::Node* node) { return !node->stackTrace.empty(); });
    if (known == nodes.end()) {
        return path;
    }
    for (const PythonFrame& frame : parseFrames((*known)->stackTrace)) {
        if (!isLibrary(frame.path)) {
            path.push_back(frameName(frame));
        }
    }
    return path;
}

bool isDelegateCall(const Event& event) {
    return !event.delegated && event.name == names::detail::delegateCall;
}

class TreeBuilder {
  public:
    TreeBuilder(const EventRows& eventRows, const Block& source, FlameTree& into)
        : rows(eventRows), block(source), tree(into) {
        FlameNode root{.name = block.method.empty() ? readableBlock(block) : block.method};
        tree.nodes.push_back(std::move(root));
        byName.emplace_back();
        findKernels();
    }

    void add(std::size_t at, std::size_t event) {
        const EventRow& row = rows.rows[at];
        const double own =
            std::max(row.typicalSelf, 0.0) / static_cast<double>(rows.blocks[row.blockAt].runs);
        if (row.event->samples.empty()) {
            return;
        }
        const EventRow& named = kernelOf[event] ? rows.rows[*kernelOf[event]] : row;
        std::size_t node = 0;
        for (std::string& step : pathOf(named)) {
            if (tree.nodes[node].depth + 2 >= maxFlameDepth) {
                break;
            }
            node = child(node, std::move(step));
        }
        if (tree.by != FlameBy::Order) {
            node = child(node, leafName(named));
        } else {
            node = kernelOf[event] ? child(node, "Operator calls (overhead)") : append(node, orderName(row));
        }
        FlameNode& leaf = tree.nodes[node];
        leaf.isOperator = true;
        leaf.self += own;
        // Selecting the operator selects the kernel.
        if (!kernelOf[event] || tree.by == FlameBy::Order) {
            leaf.events.push_back(event);
        }
    }

    /// Parents precede children, so iterating backwards completes each node's children first.
    void sumUp() {
        for (FlameNode& node : tree.nodes) {
            node.total = node.self;
        }
        for (std::size_t i = tree.nodes.size(); i-- > 1;) {
            tree.nodes[*tree.nodes[i].parent].total += tree.nodes[i].total;
        }
    }

  private:
    /// Maps events that only wrap a kernel to that kernel, whose row includes their small time.
    void findKernels() {
        const std::vector<bool> wrappers = wrapperEvents(block);
        kernelOf.resize(wrappers.size());
        const BlockTime& time = rows.blocks[tree.block];
        for (std::size_t at = 0; at < time.rowCount; ++at) {
            const auto parent = rows.rows[time.firstRow + at].parent;
            if (parent && *parent >= time.firstRow && *parent - time.firstRow < wrappers.size() &&
                wrappers[*parent - time.firstRow]) {
                kernelOf[*parent - time.firstRow] = time.firstRow + at;
            }
        }
    }

    [[nodiscard]] Path pathOf(const EventRow& row) const {
        switch (tree.by) {
            case FlameBy::Module:
                return modulePath(nodesOf(block, *row.event));
            case FlameBy::Stack:
                return stackPath(nodesOf(block, *row.event));
            case FlameBy::Order:
                return {};
            case FlameBy::Delegate:
                break;
        }
        return delegatePath(row);
    }

    [[nodiscard]] Path delegatePath(const EventRow& row) const {
        const Event& event = *row.event;
        if (!event.delegated && !isDelegateCall(event)) {
            return {names::detail::isFrameworkEvent(event.name) ? "Runtime" : "Kernels"};
        }
        const EventRow& call =
            row.parent && isDelegateCall(*rows.rows[*row.parent].event) ? rows.rows[*row.parent] : row;
        std::string name = "instruction " + std::to_string(event.instruction.value);
        const format::Cell module = commonModule(block, *call.event);
        if (const auto* const path = std::get_if<std::string>(&module); path && !path->empty()) {
            name = *path + " (" + name + ")";
        }
        return {event.backend.empty() ? std::string("Unknown delegate") : std::string(event.backend),
                std::move(name)};
    }

    [[nodiscard]] std::string leafName(const EventRow& row) const {
        const std::string readable = readableOperator(block, *row.event);
        const std::string name(core::withoutCounter(readable));
        return row.hasParts ? name + " (overhead)" : name;
    }

    [[nodiscard]] std::string orderName(const EventRow& row) const {
        std::string name = readableName(block, *row.event);
        return row.hasParts ? name + " (overhead)" : name;
    }

    std::size_t child(std::size_t parent, std::string name) {
        if (const auto known = byName[parent].find(name); known != byName[parent].end()) {
            return known->second;
        }
        byName[parent].emplace(name, tree.nodes.size());
        return append(parent, std::move(name));
    }

    /// Appends a child, even if another has the same name.
    std::size_t append(std::size_t parent, std::string name) {
        const std::size_t fresh = tree.nodes.size();
        byName.emplace_back();
        const std::size_t depth = tree.nodes[parent].depth + 1;
        tree.nodes[parent].children.push_back(fresh);
        tree.nodes.push_back({.name = std::move(name), .parent = parent, .depth = depth});
        tree.depth = std::max(tree.depth, depth);
        return fresh;
    }

    const EventRows& rows;
    const Block& block;
    FlameTree& tree;
    std::vector<std::unordered_map<std::string, std::size_t>> byName;  ///< children of each node, by name
    std::vector<std::optional<std::size_t>> kernelOf{};  ///< by event: the kernel's row, if the event only
                                                         ///< wraps it
};

}  // namespace

core::Result<> writeFoldedStacks(const EventBlocks& blocks, FlameBy by, std::ostream& out) {
    const EventRows rows = eventRows(blocks);
    for (std::size_t block = 0; block < blocks.blocks().size(); ++block) {
        if (rows.blocks[block].typical > 0) {
            writeTree(flameTree(blocks, rows, block, by), readableBlock(blocks.blocks()[block]), out);
        }
    }
    if (!out) {
        return core::fail(core::ErrorCode::Io, "cannot write the stacks");
    }
    return {};
}

std::string FlameTree::pathOf(std::size_t node) const {
    std::string path = nodes[node].name;
    for (auto at = nodes[node].parent; at; at = nodes[*at].parent) {
        path = nodes[*at].name + " › " + path;
    }
    return path;
}

std::vector<std::size_t> FlameTree::eventsBelow(std::size_t node) const {
    std::vector<std::size_t> events;
    std::vector<std::size_t> open{node};
    while (!open.empty()) {
        const FlameNode& at = nodes[open.back()];
        open.pop_back();
        events.insert(events.end(), at.events.begin(), at.events.end());
        open.insert(open.end(), at.children.begin(), at.children.end());
    }
    std::ranges::sort(events);
    return events;
}

FlameTree flameTree(const EventBlocks& blocks, const EventRows& rows, std::size_t block, FlameBy by) {
    FlameTree tree{.block = block, .by = by};
    TreeBuilder builder(rows, blocks.blocks()[block], tree);
    const BlockTime& time = rows.blocks[block];
    for (std::size_t event = 0; event < time.rowCount; ++event) {
        builder.add(time.firstRow + event, event);
    }
    builder.sumUp();
    return tree;
}

void compareWith(FlameTree& tree, const FlameTree& other) {
    std::vector<std::optional<std::size_t>> twin(tree.nodes.size());
    twin[0] = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        FlameNode& node = tree.nodes[i];
        node.before = twin[i] ? other.nodes[*twin[i]].total : 0;
        if (!twin[i] || node.children.empty()) {
            continue;
        }
        std::unordered_map<std::string_view, std::size_t> byName;
        for (const std::size_t child : other.nodes[*twin[i]].children) {
            byName.emplace(other.nodes[child].name, child);
        }
        for (const std::size_t child : node.children) {
            const auto found = byName.find(tree.nodes[child].name);
            twin[child] = found == byName.end() ? std::nullopt : std::optional(found->second);
        }
    }
}

}  // namespace et::inspector::events
