#include "runtime/builder/detail/flat_file.h"

#include "runtime/builder/detail/data_pool.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace et::builder::detail {
namespace {

/// Offset of the header, after root offset and identifier.
constexpr std::size_t headerAt = 8;

void append(std::vector<std::byte>& bytes, core::Bytes more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
}

template <class Number>
void appendNumber(std::vector<std::byte>& bytes, Number number) {
    append(bytes, std::as_bytes(std::span(&number, 1)));
}

}  // namespace

std::uint32_t SegmentList::add(core::Bytes bytes) {
    const std::uint64_t offset = bytes.empty() ? 0 : alignedUp(size, segmentAlignment);
    all.push_back({.offset = offset, .size = bytes.size()});
    contents.push_back(bytes);
    size = std::max(size, offset + bytes.size());
    return static_cast<std::uint32_t>(all.size() - 1);
}

std::uint32_t SegmentList::addShared(core::Bytes bytes) {
    const auto [found, isNew] = shared.try_emplace(core::textOf(bytes), 0);
    if (isNew) {
        found->second = add(bytes);
    }
    return found->second;
}

void SegmentList::appendTo(std::vector<std::byte>& file) const {
    const std::uint64_t base = file.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!contents[i].empty()) {
            file.resize(static_cast<std::size_t>(base + all[i].offset));
            append(file, contents[i]);
        }
    }
}

core::Bytes finished(const flatbuffers::FlatBufferBuilder& builder) {
    return std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
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

std::vector<std::byte> assemble(core::Bytes flatbuffer, const Header& header, const SegmentList& segments) {
    const std::size_t shift = header.bytes().size();
    const std::uint64_t base = segmentBase(flatbuffer.size(), shift);
    std::vector<std::byte> file;
    file.reserve(static_cast<std::size_t>(base + segments.bytes()));
    append(file, flatbuffer.first(headerAt));
    // The root offset counts from byte 0; all others are relative and unaffected by the header.
    std::uint32_t root = 0;
    std::memcpy(&root, file.data(), sizeof root);
    root += static_cast<std::uint32_t>(shift);
    std::memcpy(file.data(), &root, sizeof root);
    append(file, header.bytes());
    append(file, flatbuffer.subspan(headerAt));
    file.resize(static_cast<std::size_t>(base));
    segments.appendTo(file);
    return file;
}

}  // namespace et::builder::detail
