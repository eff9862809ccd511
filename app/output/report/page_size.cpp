#include "app/output/report/page_size.h"

#include "app/output/cells.h"
#include "app/output/report/html.h"
#include "app/output/size/size_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace et::output {
namespace {

using inspector::DuplicateGroup;
using inspector::SizeBy;
using inspector::SizeMap;

/// A number of bytes as a sortable cell.
std::int64_t bytesCell(std::uint64_t bytes) {
    return static_cast<std::int64_t>(bytes);
}

Table kindTable(const SizeMap& map) {
    Table out{.columns = {textColumn("kind"), numberColumn("bytes", Measure::Bytes), numberColumn("pieces")}};
    for (const SizeOwner& owner : sizeOwners(map, SizeBy::Kind)) {
        out.rows.push_back({owner.name, bytesCell(owner.bytes), static_cast<std::int64_t>(owner.pieces)});
    }
    return out;
}

Table duplicateTable(const PageSizes& sizes, std::size_t top) {
    Table out{.columns = {numberColumn("wasted", Measure::Bytes), numberColumn("times"),
                          numberColumn("bytes", "bytes of one", Measure::Bytes), textColumn("tensors"),
                          textColumn("why")}};
    for (const DuplicateGroup& group : sizes.duplicates) {
        if (out.rows.size() == top) {
            break;
        }
        std::string names;
        for (const std::size_t piece : group.pieces) {
            names += (names.empty() ? "" : ", ") + inspector::sizeLabel(sizes.map.pieces[piece]);
        }
        out.rows.push_back({bytesCell(group.wasted()), static_cast<std::int64_t>(group.pieces.size()),
                            bytesCell(group.bytes), std::move(names),
                            inspector::whyRepeated(sizes.map, group)});
    }
    return out;
}

}  // namespace

std::string pageSizes(const PageSizes& sizes, std::size_t top) {
    // The picture has a rectangle for each range of bytes; with too many, the page would not open.
    constexpr std::size_t maxPieces = 20'000;
    const SizeMap& map = sizes.map;
    if (map.total() == 0) {
        return {};
    }
    std::string out;
    if (map.pieces.size() > maxPieces) {
        out = htmlParagraph(fmt::format("{} tensors and tables are too many to draw.", map.pieces.size()),
                            "faint");
    } else {
        const bool hasModules = std::ranges::any_of(
            map.pieces, [](const inspector::SizePiece& piece) { return !piece.module.empty(); });
        out = sizePicture(map, hasModules ? SizeBy::Module : SizeBy::Kind);
    }
    if (const std::string missing = inspector::missingText(map); !missing.empty()) {
        out += htmlParagraph(fmt::format("Not counted: {}.", missing), "warn");
    }
    out += htmlTable(kindTable(map), "bytes");
    if (!sizes.duplicates.empty()) {
        out += "<h3>Duplicates</h3>\n" + htmlTable(duplicateTable(sizes, top), "wasted");
    }
    if (sizes.duplicates.size() > top) {
        out +=
            htmlParagraph(fmt::format("The first {} groups of {}.", top, sizes.duplicates.size()), "faint");
    }
    return out;
}

}  // namespace et::output
