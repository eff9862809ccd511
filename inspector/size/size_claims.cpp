#include "inspector/size/size_claims.h"

#include <algorithm>
#include <functional>

namespace et::inspector {

std::size_t SizeClaims::addFile(const core::MappedFile& file, SizeKind kind) {
    const std::size_t number = map.files.size();
    map.files.push_back({.name = file.name(), .bytes = file.bytes().size(), .mapped = &file});
    files.push_back({.bytes = file.bytes(), .owners = ByteOwners(file.bytes().size(), map.pieces.size())});
    map.pieces.push_back({.kind = kind, .file = number});
    return number;
}

void SizeClaims::claim(core::Bytes bytes, SizePiece piece) {
    const auto inside = [&](const Open& file) {
        constexpr std::less_equal<const std::byte*> before;
        return before(file.bytes.data(), bytes.data()) &&
               before(bytes.data() + bytes.size(), file.bytes.data() + file.bytes.size());
    };
    const auto file = std::ranges::find_if(files, inside);
    if (bytes.empty() || file == files.end()) {
        return;
    }
    if (!piece.data.empty()) {
        const auto [known, fresh] = tensors.try_emplace({bytes.data(), bytes.size()}, map.pieces.size());
        if (!fresh && map.pieces[known->second].kind != SizeKind::NamedData &&
            map.pieces[known->second].kind != SizeKind::TensorData) {
            ++map.pieces[known->second].uses;
            return;
        }
        known->second = map.pieces.size();
    }
    piece.file = static_cast<std::size_t>(file - files.begin());
    file->owners.paint(static_cast<std::uint64_t>(bytes.data() - file->bytes.data()), bytes.size(),
                       map.pieces.size());
    map.pieces.push_back(std::move(piece));
}

void SizeClaims::miss(std::string_view name) {
    if (!std::ranges::contains(map.missing, name)) {
        map.missing.emplace_back(name);
    }
}

SizeMap SizeClaims::finish() && {
    for (const Open& file : files) {
        const std::vector<std::uint64_t> sums = file.owners.sums(map.pieces.size());
        for (std::size_t at = 0; at < sums.size(); ++at) {
            map.pieces[at].bytes += sums[at];
        }
    }
    std::erase_if(map.pieces, [](const SizePiece& piece) { return piece.bytes == 0; });
    return std::move(map);
}

}  // namespace et::inspector
