#include "inspector/size/weight_list.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace et::inspector {
namespace {

bool isWeight(const SizePiece& piece) {
    return piece.kind == SizeKind::Constant || piece.kind == SizeKind::DelegateWeights ||
           piece.kind == SizeKind::TensorData;
}

/// Number of bits in a dtype's name: 8 for "qcint8" and "float8_e5m2".
unsigned bitsOf(std::string_view dtype) {
    if (dtype == "bool") {
        return 8;
    }
    const std::size_t begin = dtype.find_first_of("0123456789");
    unsigned bits = 0;
    if (begin != std::string_view::npos) {
        std::from_chars(dtype.data() + begin, dtype.data() + dtype.size(), bits);
    }
    return bits;
}

}  // namespace

std::vector<ListedWeight> weightList(const SizeMap& map) {
    std::vector<ListedWeight> out;
    for (std::size_t i = 0; i < map.pieces.size(); ++i) {
        const SizePiece& piece = map.pieces[i];
        if (isWeight(piece) && !piece.type.empty()) {
            out.push_back(
                {.piece = i, .bits = bitsOf(piece.dtype()), .isFloat = piece.dtype().contains("float")});
        }
    }
    std::ranges::stable_sort(out, std::greater{},
                             [&](const ListedWeight& each) { return map.pieces[each.piece].data.size(); });
    return out;
}

std::vector<WeightKind> weightKinds(const SizeMap& map) {
    std::map<std::pair<std::string, std::string>, WeightKind> byKind;
    for (const ListedWeight& each : weightList(map)) {
        const SizePiece& piece = map.pieces[each.piece];
        WeightKind& kind = byKind[{std::string(piece.dtype()), piece.scheme}];
        kind.dtype = piece.dtype();
        kind.scheme = piece.scheme;
        kind.bits = each.bits;
        kind.isFloat = each.isFloat;
        ++kind.tensors;
        kind.bytes += piece.data.size();
    }
    std::vector<WeightKind> out;
    for (auto& [key, kind] : byKind) {
        out.push_back(std::move(kind));
    }
    std::ranges::stable_sort(out, std::greater{}, &WeightKind::bytes);
    return out;
}

}  // namespace et::inspector
