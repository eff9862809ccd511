#include "tests/etrecord/zip_builder.h"

#include <algorithm>
#include <concepts>
#include <span>

namespace et::test {
namespace {

/// Appends a little-endian integer.
void put(std::string& out, std::integral auto value) {
    for (std::size_t i = 0; i < sizeof(value); ++i) {
        out += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
}

/// Writes the fields shared by the local header and the directory.
void putInfo(std::string& out, const ZipEntry& entry) {
    put(out, std::uint16_t{20});  // version needed
    put(out, entry.flags);
    put(out, entry.method);
    put(out, std::uint16_t{0});   // time
    put(out, std::uint16_t{33});  // 1980-01-01
    put(out, entry.claimedCrc.value_or(crc32(entry.content)));
    put(out, static_cast<std::uint32_t>(entry.content.size()));
    put(out, entry.claimedBytes.value_or(static_cast<std::uint32_t>(entry.content.size())));
    put(out, static_cast<std::uint16_t>(entry.name.size()));
    put(out, std::uint16_t{0});  // extra field
}

}  // namespace

std::string buildZip(const std::vector<ZipEntry>& entries) {
    std::string out;
    std::string directory;
    for (const ZipEntry& entry : entries) {
        const auto offset = static_cast<std::uint32_t>(out.size());
        out += "PK\x03\x04";
        putInfo(out, entry);
        out += entry.name + entry.content;

        directory += "PK\x01\x02";
        put(directory, std::uint16_t{20});  // version made by
        putInfo(directory, entry);
        put(directory, std::uint16_t{0});  // comment
        put(directory, std::uint16_t{0});  // disk
        put(directory, std::uint16_t{0});  // internal attributes
        put(directory, std::uint32_t{0});  // external attributes
        put(directory, offset);
        directory += entry.name;
    }
    const auto start = static_cast<std::uint32_t>(out.size());
    out += directory + "PK\x05\x06";
    put(out, std::uint32_t{0});  // disks
    put(out, static_cast<std::uint16_t>(entries.size()));
    put(out, static_cast<std::uint16_t>(entries.size()));
    put(out, static_cast<std::uint32_t>(directory.size()));
    put(out, start);
    put(out, std::uint16_t{0});  // comment
    return out;
}

std::string deflateStored(std::string_view text) {
    std::string out;
    do {
        const std::string_view block = text.substr(0, 0xFFFF);
        text.remove_prefix(block.size());
        out += text.empty() ? '\x01' : '\x00';  // whether it is the last block
        put(out, static_cast<std::uint16_t>(block.size()));
        put(out, static_cast<std::uint16_t>(~block.size()));
        out += block;
    } while (!text.empty());
    return out;
}

std::uint32_t crc32(std::string_view text) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char c : text) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
        }
    }
    return ~crc;
}

std::shared_ptr<const core::MappedFile> inMemory(std::string_view content, std::string name) {
    const auto bytes = std::as_bytes(std::span(content));
    return core::MappedFile::fromMemory({bytes.begin(), bytes.end()}, std::move(name));
}

}  // namespace et::test
