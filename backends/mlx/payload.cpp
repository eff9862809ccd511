#include "backends/mlx/payload.h"

#include <algorithm>
#include <numeric>

namespace et::backends::mlx {

const Field* Node::find(std::string_view field) const {
    const auto found = std::ranges::find(kind->fields, field, &FieldInfo::name);
    return found == kind->fields.end() ? nullptr
                                       : &fields[static_cast<std::size_t>(found - kind->fields.begin())];
}

std::uint32_t Payload::tensorCount() const {
    return std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
}

Role Payload::roleOf(TensorNumber tensor) const {
    std::uint32_t end = 0;
    for (std::size_t role = 0; role < counts.size(); ++role) {
        end += counts[role];
        if (tensor < end) {
            return static_cast<Role>(role);
        }
    }
    return Role::Temporary;
}

FieldAccess accessOf(FieldKind kind) {
    switch (kind) {
        case FieldKind::Result:
        case FieldKind::Results:
        case FieldKind::StackedResults:
        case FieldKind::ValueResult:
            return {.reads = false, .writes = true};
        case FieldKind::Carried:
            return {.reads = true, .writes = true};
        default:
            return {.reads = true, .writes = false};
    }
}

std::vector<std::uint32_t> chainsOf(const Node& node) {
    std::vector<std::uint32_t> chains;
    for (const Field& field : node.fields) {
        forItems(field, [&](const Item& item) {
            if (item.kind == Item::Kind::Chain) {
                chains.push_back(item.number);
            }
        });
    }
    return chains;
}

}  // namespace et::backends::mlx
