#include "app/pages/size/size_info.h"

#include "inspector/format/quantities.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace et::app {
namespace {

using inspector::SizeMap;
using inspector::SizePiece;
using inspector::report::Dict;
using inspector::report::List;
using inspector::report::readableBytes;

/// "features.0" of "features.0.conv" for a depth of 2.
std::string_view partsOf(std::string_view module, std::size_t depth) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < depth && end != std::string_view::npos; ++i) {
        end = module.find('.', i == 0 ? 0 : end + 1);
    }
    return depth == 0 ? module : module.substr(0, end);
}

std::string ownerOf(const SizePiece& piece, SizeBy by, std::size_t depth) {
    std::string kind(name(piece.kind));
    const auto orKind = [&](std::string_view text) {
        return text.empty() ? fmt::format("({})", kind) : std::string(text);
    };
    switch (by) {
        case SizeBy::Kind:
            return kind;
        case SizeBy::Module:
            return orKind(partsOf(piece.module, depth));
        case SizeBy::Dtype:
            return orKind(piece.dtype());
        case SizeBy::Backend:
            return orKind(piece.backend);
        case SizeBy::Tensor:
            return piece.data.empty() ? fmt::format("({})", kind) : orKind(piece.tensor);
    }
    return kind;
}

std::string labelOf(const SizePiece& piece) {
    return piece.tensor.empty() ? std::string(name(piece.kind)) : piece.tensor;
}

Dict pieceInfo(const SizePiece& piece) {
    return {{"name", labelOf(piece)},
            {"kind", std::string(name(piece.kind))},
            {"method", piece.method},
            {"backend", piece.backend},
            {"type", piece.type},
            {"module", piece.module},
            {"file", static_cast<std::int64_t>(piece.file)}};
}

List duplicateInfo(const MeasuredSize& size) {
    List out;
    for (const inspector::DuplicateGroup& group : size.duplicates) {
        List pieces;
        for (const std::size_t piece : group.pieces) {
            pieces.emplace_back(pieceInfo(size.map.pieces[piece]));
        }
        out.emplace_back(
            Dict{{"bytes", group.bytes}, {"wasted", group.wasted()}, {"pieces", std::move(pieces)}});
    }
    return out;
}

/// The first `top` of so many, and how many are left out.
std::size_t shown(std::size_t all, std::size_t top) {
    return top == 0 ? all : std::min(all, top);
}

void addMore(std::string& out, std::size_t all, std::size_t top) {
    if (shown(all, top) < all) {
        out += fmt::format("  {} more (--top 0 lists all)\n", all - shown(all, top));
    }
}

void addDuplicates(std::string& out, const MeasuredSize& size, std::size_t top) {
    std::uint64_t wasted = 0;
    for (const inspector::DuplicateGroup& group : size.duplicates) {
        wasted += group.wasted();
    }
    if (size.duplicates.empty()) {
        return;
    }
    out += fmt::format("\nduplicates: {} in {} groups\n", readableBytes(wasted), size.duplicates.size());
    for (std::size_t i = 0; i < shown(size.duplicates.size(), top); ++i) {
        const inspector::DuplicateGroup& group = size.duplicates[i];
        out += fmt::format("  {:>10}  {} times {}: ", readableBytes(group.wasted()), group.pieces.size(),
                           readableBytes(group.bytes));
        constexpr std::size_t named = 3;
        for (std::size_t n = 0; n < std::min(group.pieces.size(), named); ++n) {
            out += (n == 0 ? "" : ", ") + core::printable(labelOf(size.map.pieces[group.pieces[n]]));
        }
        out += group.pieces.size() > named ? ", …\n" : "\n";
    }
    addMore(out, size.duplicates.size(), top);
}

void addUniform(std::string& out, const MeasuredSize& size, std::size_t top) {
    if (size.uniform.empty()) {
        return;
    }
    out += "\none byte repeated\n";
    for (std::size_t i = 0; i < shown(size.uniform.size(), top); ++i) {
        const SizePiece& piece = size.map.pieces[size.uniform[i]];
        out += fmt::format("  {:>10}  {}, {}\n", readableBytes(piece.data.size()),
                           core::printable(labelOf(piece)),
                           piece.data.front() == std::byte{0} ? "all zero" : "not zero");
    }
    addMore(out, size.uniform.size(), top);
}

}  // namespace

std::vector<SizeOwner> sizeOwners(const SizeMap& map, SizeBy by, std::size_t depth) {
    std::map<std::string, SizeOwner> byName;
    for (const SizePiece& piece : map.pieces) {
        SizeOwner& owner = byName[ownerOf(piece, by, depth)];
        owner.bytes += piece.bytes;
        ++owner.pieces;
    }
    std::vector<SizeOwner> out;
    for (auto& [name, owner] : byName) {
        owner.name = name;
        out.push_back(std::move(owner));
    }
    std::ranges::stable_sort(out, std::greater{}, &SizeOwner::bytes);
    return out;
}

std::string sizeText(const MeasuredSize& size, const SizeInfoOptions& options) {
    const std::uint64_t total = size.map.total();
    std::string out;
    for (const inspector::SizedFile& file : size.map.files) {
        out += fmt::format("{}: {} ({} bytes)\n", core::printable(file.name), readableBytes(file.bytes),
                           file.bytes);
    }
    const std::vector<SizeOwner> owners = sizeOwners(size.map, options.by, options.depth);
    for (std::size_t i = 0; i < shown(owners.size(), options.top); ++i) {
        const double share =
            total == 0 ? 0 : static_cast<double>(owners[i].bytes) / static_cast<double>(total);
        out += fmt::format("  {:>10}  {:>7}  {}\n", readableBytes(owners[i].bytes),
                           inspector::report::readablePercent(share), core::printable(owners[i].name));
    }
    addMore(out, owners.size(), options.top);
    addDuplicates(out, size, options.top);
    addUniform(out, size, options.top);
    return out;
}

Dict sizeInfo(const MeasuredSize& size, const SizeInfoOptions& options) {
    List files;
    for (const inspector::SizedFile& file : size.map.files) {
        files.emplace_back(Dict{{"name", file.name}, {"bytes", file.bytes}});
    }
    List owners;
    for (const SizeOwner& owner : sizeOwners(size.map, options.by, options.depth)) {
        owners.emplace_back(Dict{{"name", owner.name},
                                 {"bytes", owner.bytes},
                                 {"pieces", static_cast<std::int64_t>(owner.pieces)}});
    }
    List uniform;
    for (const std::size_t at : size.uniform) {
        const SizePiece& piece = size.map.pieces[at];
        Dict info = pieceInfo(piece);
        info.emplace_back("bytes", static_cast<std::uint64_t>(piece.data.size()));
        info.emplace_back("value", static_cast<std::int64_t>(piece.data.front()));
        uniform.emplace_back(std::move(info));
    }
    return {{"files", std::move(files)},     {"total", size.map.total()},
            {"owners", std::move(owners)},   {"duplicates", duplicateInfo(size)},
            {"uniform", std::move(uniform)}, {"warnings", List(size.warnings.begin(), size.warnings.end())}};
}

}  // namespace et::app
