#include "runtime/core/file_content.h"

#include <algorithm>
#include <array>
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

std::vector<std::byte> FileContent::joined() const {
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>(total));
    for (const Bytes piece : all) {
        bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
    return bytes;
}

}  // namespace et::core
