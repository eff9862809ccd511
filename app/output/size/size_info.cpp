#include "app/output/size/size_info.h"

#include "app/output/memory/cache_info.h"
#include "inspector/memory/host_cache_text.h"
#include "inspector/size/weight_list.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

using inspector::SizeMap;
using inspector::SizePiece;
using inspector::events::ModuleRollUp;

Dict pieceInfo(const SizePiece& piece) {
    return {{"name", inspector::sizeLabel(piece)},
            {"kind", std::string(name(piece.kind))},
            {"method", piece.method},
            {"backend", piece.backend},
            {"type", piece.type},
            {"module", piece.module},
            {"file", static_cast<std::int64_t>(piece.file)}};
}

List duplicateInfo(const tasks::MeasuredSize& size) {
    List out;
    for (const inspector::DuplicateGroup& group : size.duplicates) {
        out.emplace_back(Dict{{"bytes", group.bytes},
                              {"wasted", group.wasted()},
                              {"why", inspector::whyRepeated(size.map, group)},
                              {"pieces", listOf(group.pieces, [&](const std::size_t piece) {
                                   return pieceInfo(size.map.pieces[piece]);
                               })}});
    }
    return out;
}

List equalInfo(const tasks::MeasuredSize& size) {
    return listOf(size.equalValues, [&](const inspector::EqualValues& pair) {
        List pieces;
        pieces.emplace_back(pieceInfo(size.map.pieces[pair.from]));
        pieces.emplace_back(pieceInfo(size.map.pieces[pair.to]));
        return Dict{{"rounded", pair.isRounded}, {"wasted", pair.wasted}, {"pieces", std::move(pieces)}};
    });
}

/// Number of rows shown; `top` 0: all.
std::size_t shown(std::size_t all, std::size_t top) {
    return top == 0 ? all : std::min(all, top);
}

void addMore(std::string& out, std::size_t all, std::size_t top) {
    if (shown(all, top) < all) {
        out += fmt::format("  {} more (--top 0 lists all)\n", all - shown(all, top));
    }
}

void addDuplicates(std::string& out, const tasks::MeasuredSize& size, std::size_t top) {
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
            out += (n == 0 ? "" : ", ") +
                   core::printable(inspector::sizeLabel(size.map.pieces[group.pieces[n]]));
        }
        out += group.pieces.size() > named ? ", …" : "";
        out += fmt::format(" ({})\n", inspector::whyRepeated(size.map, group));
    }
    addMore(out, size.duplicates.size(), top);
}

void addEqualValues(std::string& out, const tasks::MeasuredSize& size, std::size_t top) {
    if (size.equalValues.empty()) {
        return;
    }
    out += "\nsame values in another dtype\n";
    for (std::size_t i = 0; i < shown(size.equalValues.size(), top); ++i) {
        const inspector::EqualValues& pair = size.equalValues[i];
        out += fmt::format("  {:>10}  {}, {} ({})\n", readableBytes(pair.wasted),
                           core::printable(inspector::sizeLabel(size.map.pieces[pair.from])),
                           core::printable(inspector::sizeLabel(size.map.pieces[pair.to])),
                           inspector::whyEqual(size.map, pair));
    }
    addMore(out, size.equalValues.size(), top);
}

void addUniform(std::string& out, const tasks::MeasuredSize& size, std::size_t top) {
    if (size.uniform.empty()) {
        return;
    }
    out += "\none byte repeated\n";
    for (std::size_t i = 0; i < shown(size.uniform.size(), top); ++i) {
        const SizePiece& piece = size.map.pieces[size.uniform[i]];
        out += fmt::format("  {:>10}  {}, {}\n", readableBytes(piece.data.size()),
                           core::printable(inspector::sizeLabel(piece)),
                           piece.data.front() == std::byte{0} ? "all zero" : "not zero");
    }
    addMore(out, size.uniform.size(), top);
}

std::string bitsText(unsigned bits) {
    return bits == 0 ? "?" : fmt::to_string(bits);
}

/// Describes how the weights are stored, by kind or individually.
void addWeights(std::string& out, const tasks::MeasuredSize& size, const SizeInfoOptions& options) {
    const std::vector<inspector::WeightKind> kinds = weightKinds(size.map);
    if (kinds.empty()) {
        return;
    }
    out += "\nweights: bits, dtype, scheme\n";
    for (std::size_t i = 0; i < shown(kinds.size(), options.top); ++i) {
        const inspector::WeightKind& kind = kinds[i];
        out += fmt::format("  {:>10}  {:>2} bit  {}{}{}, {} tensor{}\n", readableBytes(kind.bytes),
                           bitsText(kind.bits), core::printable(kind.dtype), kind.scheme.empty() ? "" : ", ",
                           core::printable(kind.scheme), kind.tensors, kind.tensors == 1 ? "" : "s");
    }
    addMore(out, kinds.size(), options.top);
    if (!options.weights) {
        return;
    }
    const std::vector<inspector::ListedWeight> weights = weightList(size.map);
    out += "\nevery weight\n";
    for (std::size_t i = 0; i < shown(weights.size(), options.top); ++i) {
        const SizePiece& piece = size.map.pieces[weights[i].piece];
        out += fmt::format("  {:>10}  {:>2} bit  {}{}{}  {}{}{}\n", readableBytes(piece.data.size()),
                           bitsText(weights[i].bits), core::printable(piece.type),
                           piece.scheme.empty() ? "" : ", ", core::printable(piece.scheme),
                           core::printable(inspector::sizeLabel(piece)), piece.module.empty() ? "" : "  ",
                           core::printable(piece.module));
    }
    addMore(out, weights.size(), options.top);
}

void addCompressible(std::string& out, const tasks::MeasuredSize& size, std::size_t top) {
    if (size.compressible.empty()) {
        return;
    }
    std::uint64_t saved = 0;
    for (const inspector::CompressiblePiece& each : size.compressible) {
        saved += each.saved;
    }
    out += fmt::format("\ncompressible: about {} of {} tensors, if the device decompresses them\n",
                       readableBytes(saved), size.compressible.size());
    for (std::size_t i = 0; i < shown(size.compressible.size(), top); ++i) {
        const inspector::CompressiblePiece& each = size.compressible[i];
        const SizePiece& piece = size.map.pieces[each.piece];
        out += fmt::format("  {:>10}  {:.1f} bits per byte, {} of {}\n", readableBytes(each.saved),
                           each.bitsPerByte, core::printable(inspector::sizeLabel(piece)),
                           readableBytes(piece.data.size()));
    }
    addMore(out, size.compressible.size(), top);
}

std::string signedBytes(std::int64_t bytes) {
    const auto size = static_cast<std::uint64_t>(bytes < 0 ? -bytes : bytes);
    return fmt::format("{}{}", bytes < 0 ? "-" : bytes > 0 ? "+" : "", readableBytes(size));
}

List weightInfo(const tasks::MeasuredSize& size) {
    return listOf(weightList(size.map), [&](const inspector::ListedWeight& weight) {
        const SizePiece& piece = size.map.pieces[weight.piece];
        Dict info = pieceInfo(piece);
        info.emplace_back("bytes", static_cast<std::uint64_t>(piece.data.size()));
        info.emplace_back("bits", static_cast<std::int64_t>(weight.bits));
        info.emplace_back("float", weight.isFloat);
        info.emplace_back("scheme", piece.scheme);
        return info;
    });
}

List compressibleInfo(const tasks::MeasuredSize& size) {
    return listOf(size.compressible, [&](const inspector::CompressiblePiece& each) {
        const SizePiece& piece = size.map.pieces[each.piece];
        Dict info = pieceInfo(piece);
        info.emplace_back("bytes", static_cast<std::uint64_t>(piece.data.size()));
        info.emplace_back("bits_per_byte", each.bitsPerByte);
        info.emplace_back("saved", each.saved);
        return info;
    });
}

}  // namespace

std::vector<SizeChange> sizeChanges(const SizeMap& before, const SizeMap& after, SizeBy by,
                                    const ModuleRollUp& modules) {
    std::map<std::string, SizeChange> byName;
    for (const SizeOwner& owner : sizeOwners(before, by, modules)) {
        byName[owner.name].before = owner.bytes;
    }
    for (const SizeOwner& owner : sizeOwners(after, by, modules)) {
        byName[owner.name].after = owner.bytes;
    }
    std::vector<SizeChange> out;
    for (auto& [name, change] : byName) {
        change.name = name;
        out.push_back(std::move(change));
    }
    std::ranges::stable_sort(out, std::greater{},
                             [](const SizeChange& change) { return std::abs(change.growth()); });
    return out;
}

std::string sizeChangesText(const SizeMap& before, const SizeMap& after, const SizeInfoOptions& options) {
    const auto growth = static_cast<std::int64_t>(after.total()) - static_cast<std::int64_t>(before.total());
    std::string out =
        fmt::format("{} -> {} ({})\n", readableBytes(before.total()), readableBytes(after.total()),
                    growth == 0 ? "the same" : signedBytes(growth));
    std::vector<SizeChange> changes = sizeChanges(before, after, options.by, options.modules);
    std::erase_if(changes, [](const SizeChange& change) { return change.growth() == 0; });
    for (std::size_t i = 0; i < shown(changes.size(), options.top); ++i) {
        const SizeChange& change = changes[i];
        out += fmt::format("  {:>11}  {:>10} -> {:>10}  {}\n", signedBytes(change.growth()),
                           readableBytes(change.before), readableBytes(change.after),
                           core::printable(change.name));
    }
    addMore(out, changes.size(), options.top);
    return out;
}

List sizeChangesInfo(const SizeMap& before, const SizeMap& after, const SizeInfoOptions& options) {
    return listOf(sizeChanges(before, after, options.by, options.modules), [&](const SizeChange& change) {
        return Dict{{"name", change.name},
                    {"before", change.before},
                    {"after", change.after},
                    {"growth", change.growth()}};
    });
}

std::vector<SizeOwner> sizeOwners(const SizeMap& map, SizeBy by, const ModuleRollUp& modules) {
    std::map<std::string, SizeOwner> byName;
    for (const SizePiece& piece : map.pieces) {
        SizeOwner& owner = byName[inspector::sizeOwner(piece, by, modules)];
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

std::string sizeText(const tasks::MeasuredSize& size, const SizeInfoOptions& options) {
    const std::uint64_t total = size.map.total();
    std::string out;
    for (const inspector::SizedFile& file : size.map.files) {
        out += fmt::format("{}: {} ({} bytes)\n", core::printable(file.name), readableBytes(file.bytes),
                           file.bytes);
    }
    const std::vector<SizeOwner> owners = sizeOwners(size.map, options.by, options.modules);
    for (std::size_t i = 0; i < shown(owners.size(), options.top); ++i) {
        const double share =
            total == 0 ? 0 : static_cast<double>(owners[i].bytes) / static_cast<double>(total);
        out += fmt::format("  {:>10}  {:>7}  {}\n", readableBytes(owners[i].bytes), readablePercent(share),
                           core::printable(owners[i].name));
    }
    addMore(out, owners.size(), options.top);
    if (const std::string missing = inspector::missingText(size.map); !missing.empty()) {
        out += fmt::format("\nnot counted: {} (--data FILE.ptd)\n", missing);
    }
    if (const std::string caches = inspector::hostCacheText(size.caches); !caches.empty()) {
        out += fmt::format("\nin no file: {}\n", caches);
    }
    addWeights(out, size, options);
    addDuplicates(out, size, options.top);
    addEqualValues(out, size, options.top);
    addUniform(out, size, options.top);
    addCompressible(out, size, options.top);
    return out;
}

Dict sizeInfo(const tasks::MeasuredSize& size, const SizeInfoOptions& options) {
    List owners;
    for (const SizeOwner& owner : sizeOwners(size.map, options.by, options.modules)) {
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
    Dict info{{"files", listOf(size.map.files,
                               [](const inspector::SizedFile& file) {
                                   return Dict{{"name", file.name}, {"bytes", file.bytes}};
                               })},
              {"total", size.map.total()},
              {"owners", std::move(owners)},
              {"missing", listOf(size.map.missing)},
              {"duplicates", duplicateInfo(size)},
              {"equal_values", equalInfo(size)},
              {"uniform", std::move(uniform)},
              {"compressible", compressibleInfo(size)},
              {"weights", weightInfo(size)},
              {"warnings", listOf(size.warnings)}};
    addHostCaches(info, size.caches);
    return info;
}

}  // namespace et::output
