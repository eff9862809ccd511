#include "runtime/builder/detail/flat_file.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace et::builder::detail {
namespace {

/// Offset of the header, after root offset and identifier.
constexpr std::size_t headerAt = 8;

void append(std::vector<std::byte>& bytes, core::Bytes more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
}

core::Bytes bytesOf(const flatbuffers::DetachedBuffer& flatbuffer) {
    return std::as_bytes(std::span(flatbuffer.data(), flatbuffer.size()));
}

template <class Number>
void appendNumber(std::vector<std::byte>& bytes, Number number) {
    append(bytes, std::as_bytes(std::span(&number, 1)));
}

}  // namespace

std::uint32_t SegmentList::addPlace(std::uint64_t bytes) {
    const std::uint64_t offset = bytes == 0 ? 0 : alignedUp(size, segmentAlignment);
    all.push_back({.offset = offset, .size = bytes});
    size = std::max(size, offset + bytes);
    return static_cast<std::uint32_t>(all.size() - 1);
}

std::uint32_t SegmentList::add(core::Bytes bytes) {
    const std::uint32_t index = addPlace(bytes.size());
    if (!bytes.empty()) {
        contents.push_back({.offset = all[index].offset, .bytes = bytes});
    }
    return index;
}

std::uint32_t SegmentList::add(const DataPool& pool) {
    const std::uint32_t index = addPlace(pool.bytes());
    for (std::size_t i = 0; i < pool.blobs().size(); ++i) {
        contents.push_back({.offset = all[index].offset + pool.offsets()[i + 1], .bytes = pool.blobs()[i]});
    }
    return index;
}

std::uint32_t SegmentList::addShared(core::Bytes bytes) {
    const auto [found, isNew] = shared.try_emplace(core::textOf(bytes), 0);
    if (isNew) {
        found->second = add(bytes);
    }
    return found->second;
}

void SegmentList::appendTo(core::FileContent& file) const {
    const std::uint64_t base = file.size();
    for (const Piece& piece : contents) {
        file.appendZeros(base + piece.offset - file.size());
        file.appendBorrowed(piece.bytes);
    }
}

core::FileContent contentOf(flatbuffers::DetachedBuffer flatbuffer) {
    const auto owner = std::make_shared<const flatbuffers::DetachedBuffer>(std::move(flatbuffer));
    core::FileContent content;
    content.appendBorrowed(bytesOf(*owner));
    content.keepAlive(owner);
    return content;
}

flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> createBlob(flatbuffers::FlatBufferBuilder& builder,
                                                                  core::Bytes bytes, std::size_t alignment) {
    builder.ForceVectorAlignment(bytes.size(), 1, alignment);
    return builder.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

Header::Header(std::string_view magic) {
    append(content, std::as_bytes(std::span(magic)));
}

Header& Header::add(std::uint32_t number) {
    appendNumber(content, number);
    return *this;
}

Header& Header::add(std::uint64_t number) {
    appendNumber(content, number);
    return *this;
}

std::uint64_t segmentBase(std::uint64_t flatbufferSize, std::uint64_t headerSize) {
    return alignedUp(flatbufferSize + headerSize, segmentAlignment);
}

core::FileContent assemble(flatbuffers::DetachedBuffer flatbuffer, const Header& header,
                           const SegmentList& segments) {
    const auto owner = std::make_shared<const flatbuffers::DetachedBuffer>(std::move(flatbuffer));
    const core::Bytes tables = bytesOf(*owner);
    const std::size_t shift = header.bytes().size();
    std::vector<std::byte> head(tables.begin(), tables.begin() + headerAt);
    // The root offset counts from byte 0; all others are relative and unaffected by the header.
    std::uint32_t root = 0;
    std::memcpy(&root, head.data(), sizeof root);
    root += static_cast<std::uint32_t>(shift);
    std::memcpy(head.data(), &root, sizeof root);
    append(head, header.bytes());
    core::FileContent file(std::move(head));
    file.appendBorrowed(tables.subspan(headerAt));
    file.keepAlive(owner);
    file.appendZeros(segmentBase(tables.size(), shift) - file.size());
    segments.appendTo(file);
    return file;
}

}  // namespace et::builder::detail
