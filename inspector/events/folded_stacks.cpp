#include "inspector/events/folded_stacks.h"

#include "inspector/events/event_rows.h"
#include "inspector/events/readable_name.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
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

}  // namespace et::inspector::events
