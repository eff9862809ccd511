#include "runtime/core/file_content.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace et::core {

FileContent::FileContent(std::shared_ptr<const MappedFile> file) {
    appendBorrowed(file->bytes());
    keepAlive(std::move(file));
}

void FileContent::append(std::vector<std::byte> bytes) {
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    appendBorrowed(*owner);
    keepAlive(std::move(owner));
}

void FileContent::append(const FileContent& other) {
    owners.insert(owners.end(), other.owners.begin(), other.owners.end());
    for (const Bytes piece : other.pieces()) {
        appendBorrowed(piece);
    }
}

void FileContent::appendBorrowed(Bytes bytes) {
    if (!bytes.empty()) {
        all.push_back(bytes);
        offsets.push_back(total);
        total += bytes.size();
    }
}

void FileContent::appendZeros(std::uint64_t count) {
    static constexpr std::array<std::byte, 256> zeros{};
    while (count > 0) {
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, zeros.size()));
        appendBorrowed(Bytes(zeros).first(part));
        count -= part;
    }
}

bool FileContent::has(std::uint64_t offset, std::uint64_t count) const {
    return offset <= total && count <= total - offset;
}

template <class Take>
void FileContent::eachPiece(std::uint64_t offset, std::uint64_t count, Take take) const {
    auto index = static_cast<std::size_t>(std::ranges::upper_bound(offsets, offset) - offsets.begin()) - 1;
    while (count > 0) {
        const Bytes piece = all[index].subspan(static_cast<std::size_t>(offset - offsets[index]));
        const auto inside = static_cast<std::size_t>(std::min<std::uint64_t>(count, piece.size()));
        take(piece.first(inside));
        offset += inside;
        count -= inside;
        ++index;
    }
}

std::optional<Bytes> FileContent::place(std::uint64_t offset, std::uint64_t count) const {
    std::optional<Bytes> found;
    if (has(offset, count)) {
        std::size_t pieces = 0;
        eachPiece(offset, count,
                  [&](Bytes piece) { found = pieces++ == 0 ? std::optional(piece) : std::nullopt; });
        found = count == 0 ? std::optional(Bytes()) : found;
    }
    return found;
}

bool FileContent::copy(std::uint64_t offset, std::span<std::byte> to) const {
    if (!has(offset, to.size())) {
        return false;
    }
    std::byte* next = to.data();
    eachPiece(offset, to.size(), [&](Bytes piece) {
        std::memcpy(next, piece.data(), piece.size());
        next += piece.size();
    });
    return true;
}

FileContent FileContent::part(std::uint64_t offset, std::uint64_t count) const {
    FileContent made;
    made.owners = owners;
    if (has(offset, count)) {
        eachPiece(offset, count, [&](Bytes piece) { made.appendBorrowed(piece); });
    }
    return made;
}

std::vector<std::byte> FileContent::joined() const {
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>(total));
    for (const Bytes piece : all) {
        bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
    return bytes;
}

}  // namespace et::core
