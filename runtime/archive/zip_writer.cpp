#include "runtime/archive/zip_writer.h"

#include "runtime/archive/detail/zip_format.h"
#include "runtime/core/mapped_ranges.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace et::archive {
namespace {

using core::Result;

constexpr std::uint16_t plainVersion = 10;
constexpr std::uint16_t zip64Version = 45;
constexpr std::uint16_t madeBy = (3U << 8U) | 63U;  // Unix, version 6.3
constexpr std::uint16_t utf8Names = 1U << 11U;
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t epochDate = (1U << 5U) | 1U;  // 1980-01-01
constexpr std::uint32_t fileMode = 0100666U << 16U;

constexpr auto in64Bits32 = std::numeric_limits<std::uint32_t>::max();  ///< the value is in a zip64 field
constexpr auto in64Bits16 = std::numeric_limits<std::uint16_t>::max();

/// Numbers in the format's byte order.
class Fields {
  public:
    template <class Number>
    Fields& add(Number number) {
        for (std::size_t i = 0; i < sizeof(Number); ++i) {
            bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(number) >> (8 * i)));
        }
        return *this;
    }
    Fields& add(const Fields& other) {
        bytes.insert(bytes.end(), other.bytes.begin(), other.bytes.end());
        return *this;
    }
    Fields& text(std::string_view text) {
        const auto characters = std::as_bytes(std::span(text));
        bytes.insert(bytes.end(), characters.begin(), characters.end());
        return *this;
    }
    /// Adds the number in 32 bits; one that does not fit is added to `extra` instead.
    Fields& addOrMove(std::uint64_t number, Fields& extra) {
        if (number >= in64Bits32) {
            extra.add(number);
        }
        return add(static_cast<std::uint32_t>(std::min<std::uint64_t>(number, in64Bits32)));
    }
    [[nodiscard]] std::size_t size() const { return bytes.size(); }
    [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes); }

  private:
    std::vector<std::byte> bytes;
};

/// Reads all bytes, and releases those of mapped files.
std::uint32_t checksumOf(const core::FileContent& content) {
    constexpr std::size_t step = std::size_t{4} << 20U;
    uLong sum = ::crc32_z(0, nullptr, 0);
    for (core::Bytes piece : content.pieces()) {
        while (!piece.empty()) {
            const core::Bytes next = piece.first(std::min(piece.size(), step));
            sum = ::crc32_z(sum, reinterpret_cast<const Bytef*>(next.data()), next.size());
            core::releaseMappedPages(next);
            piece = piece.subspan(next.size());
        }
    }
    return static_cast<std::uint32_t>(sum);
}

/// A zip64 extra field; empty if it has no numbers.
Fields extraField(const Fields& numbers) {
    Fields field;
    if (numbers.size() > 0) {
        field.add(detail::wideField).add(static_cast<std::uint16_t>(numbers.size())).add(numbers);
    }
    return field;
}

/// The fields that both headers of an entry have, up to the sizes.
Fields commonFields(std::uint16_t version, std::uint32_t checksum) {
    Fields fields;
    fields.add(version).add(utf8Names).add(stored).add(std::uint16_t{0}).add(epochDate).add(checksum);
    return fields;
}

class ZipWriter {
  public:
    void add(const std::string& name, const core::FileContent& content) {
        const std::uint64_t offset = file.size();
        const std::uint64_t size = content.size();
        const std::uint32_t checksum = checksumOf(content);
        const bool isLarge = size >= in64Bits32;
        Fields sizes;
        Fields large;
        sizes.addOrMove(size, large).addOrMove(size, large);
        const auto nameBytes = static_cast<std::uint16_t>(name.size());

        const Fields localExtra = extraField(large);
        Fields local;
        local.add(detail::localSignature)
            .add(commonFields(isLarge ? zip64Version : plainVersion, checksum))
            .add(sizes)
            .add(nameBytes)
            .add(static_cast<std::uint16_t>(localExtra.size()))
            .text(name)
            .add(localExtra);
        file.append(std::move(local).take());
        file.append(content);

        Fields place;
        place.addOrMove(offset, large);
        const Fields extra = extraField(large);
        directory.add(detail::directorySignature)
            .add(madeBy)
            .add(commonFields(large.size() > 0 ? zip64Version : plainVersion, checksum))
            .add(sizes)
            .add(nameBytes)
            .add(static_cast<std::uint16_t>(extra.size()))
            .add(std::uint16_t{0})  // comment
            .add(std::uint16_t{0})  // disk
            .add(std::uint16_t{0})  // internal attributes
            .add(fileMode)
            .add(place)
            .text(name)
            .add(extra);
        ++count;
    }

    core::FileContent finish() && {
        const std::uint64_t start = file.size();
        const std::uint64_t size = directory.size();
        if (start >= in64Bits32 || size >= in64Bits32 || count >= in64Bits16) {
            constexpr std::uint64_t bytesBehindSize = 44;
            directory.add(detail::wideEndSignature)
                .add(bytesBehindSize)
                .add(madeBy)
                .add(zip64Version)
                .add(std::uint64_t{0})  // both disks
                .add(count)
                .add(count)
                .add(size)
                .add(start)
                .add(detail::wideLocatorSignature)
                .add(std::uint32_t{0})  // disk
                .add(start + size)
                .add(std::uint32_t{1});  // disks
        }
        const auto count16 = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, in64Bits16));
        directory.add(detail::endSignature)
            .add(std::uint32_t{0})  // both disks
            .add(count16)
            .add(count16)
            .add(static_cast<std::uint32_t>(std::min<std::uint64_t>(size, in64Bits32)))
            .add(static_cast<std::uint32_t>(std::min<std::uint64_t>(start, in64Bits32)))
            .add(std::uint16_t{0});  // comment
        file.append(std::move(directory).take());
        return std::move(file);
    }

  private:
    core::FileContent file;
    Fields directory;
    std::uint64_t count = 0;
};

}  // namespace

core::FileContent textContent(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return core::FileContent(std::vector<std::byte>(bytes.begin(), bytes.end()));
}

Result<core::FileContent> storeEntries(const Entries& entries) {
    ZipWriter writer;
    for (const auto& [name, content] : entries) {
        if (name.size() > std::numeric_limits<std::uint16_t>::max()) {
            return core::fail(core::ErrorCode::InvalidArgument,
                              fmt::format("the name of a zip entry has {} bytes", name.size()));
        }
        writer.add(name, content);
    }
    return std::move(writer).finish();
}

}  // namespace et::archive
