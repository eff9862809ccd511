#include "visualizers/size/duplicate_rows.h"

#include "inspector/size/size_tree.h"

#include <string>

namespace et::visualizers {

namespace {}  // namespace

DuplicateRows duplicateRows(const SizeScene& scene, std::span<const inspector::DuplicateGroup> groups) {
    DuplicateRows out;
    out.rows.table.indexed = false;
    out.rows.table.columns = {{.id = "name", .header = std::string("What")},
                              {.id = "wasted", .header = std::string("Redundant bytes"), .numeric = true},
                              {.id = "bytes", .header = std::string("Bytes"), .numeric = true},
                              {.id = "why", .header = std::string("Why")}};
    out.rows.styles = {NumberStyle::Plain, NumberStyle::Bytes, NumberStyle::Bytes, NumberStyle::Plain};
    const auto add = [&](std::vector<inspector::format::Cell> row, std::optional<std::size_t> parent,
                         std::size_t piece) {
        out.rows.table.rows.push_back(std::move(row));
        out.rows.parents.push_back(parent);
        out.pieces.emplace_back(piece);
    };
    for (const inspector::DuplicateGroup& group : groups) {
        const std::size_t row = out.pieces.size();
        const inspector::SizePiece& first = scene.piece(group.pieces.front());
        add({inspector::sizeLabel(first) + " × " + std::to_string(group.pieces.size()),
             static_cast<std::int64_t>(group.wasted()), static_cast<std::int64_t>(group.bytes),
             inspector::whyRepeated(scene.map(), group)},
            std::nullopt, group.pieces.front());
        for (const std::size_t piece : group.pieces) {
            const inspector::SizePiece& of = scene.piece(piece);
            add({inspector::sizeLabel(of),
                 {},
                 static_cast<std::int64_t>(of.bytes),
                 of.module.empty() ? of.type : of.module},
                row, piece);
        }
    }
    return out;
}

}  // namespace et::visualizers
