#include "runtime/archive/detail/zip_places.h"

#include "runtime/archive/detail/zip_format.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

namespace et::archive::detail {
namespace {

constexpr std::uint64_t endBytes = 22;
constexpr std::uint64_t wideEndBytes = 56;
constexpr std::uint64_t wideLocatorBytes = 20;
constexpr std::uint64_t directoryBytes = 46;
constexpr std::uint64_t localBytes = 30;
constexpr std::uint64_t maxCommentBytes = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t elsewhere = std::numeric_limits<std::uint32_t>::max();  ///< in the zip64 field

/// Reads little-endian numbers; those beyond the end are 0.
class ZipFields {
  public:
    explicit ZipFields(const core::FileContent& of) : zip(of) {}

    template <class T>
    [[nodiscard]] std::uint64_t at(std::uint64_t offset) const {
        T value{};
        zip.copy(offset, std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }
    [[nodiscard]] std::uint64_t u16(std::uint64_t offset) const { return at<std::uint16_t>(offset); }
    [[nodiscard]] std::uint64_t u32(std::uint64_t offset) const { return at<std::uint32_t>(offset); }
    [[nodiscard]] std::uint64_t u64(std::uint64_t offset) const { return at<std::uint64_t>(offset); }
    [[nodiscard]] bool has(std::uint64_t offset, std::uint64_t count) const {
        return offset <= size() && count <= size() - offset;
    }
    /// `count`: at most 65,535. Empty beyond the end.
    [[nodiscard]] std::string text(std::uint64_t offset, std::uint64_t count) const {
        std::string found(count, ' ');
        return zip.copy(offset, std::as_writable_bytes(std::span(found))) ? found : std::string();
    }
    [[nodiscard]] std::uint64_t size() const { return zip.size(); }

  private:
    const core::FileContent& zip;
};

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t entries = 0;
};

std::optional<Directory> findDirectory(const ZipFields& zip) {
    if (zip.size() < endBytes) {
        return std::nullopt;
    }
    const std::uint64_t last = zip.size() - endBytes;
    const std::uint64_t first = last - std::min(last, maxCommentBytes);
    for (std::uint64_t end = last + 1; end-- > first;) {
        if (zip.u32(end) != endSignature || end + endBytes + zip.u16(end + 20) != zip.size()) {
            continue;
        }
        const std::uint64_t locator = end - std::min(end, wideLocatorBytes);
        if (zip.u32(locator) == wideLocatorSignature) {
            const std::uint64_t wide = zip.u64(locator + 8);
            if (!zip.has(wide, wideEndBytes) || zip.u32(wide) != wideEndSignature) {
                return std::nullopt;
            }
            return Directory{.offset = zip.u64(wide + 48), .entries = zip.u64(wide + 32)};
        }
        return Directory{.offset = zip.u32(end + 16), .entries = zip.u16(end + 10)};
    }
    return std::nullopt;
}

/// The fields of an entry that may be in its zip64 field.
struct EntryNumbers {
    std::uint64_t bytes;
    std::uint64_t packed;
    std::uint64_t header;
};

void readWideNumbers(const ZipFields& zip, std::uint64_t extra, std::uint64_t end, EntryNumbers& numbers) {
    constexpr std::uint64_t fieldHead = 4;
    while (extra + fieldHead <= end) {
        const std::uint64_t count = zip.u16(extra + 2);
        std::uint64_t at = extra + fieldHead;
        if (zip.u16(extra) == wideField) {
            for (std::uint64_t* number : {&numbers.bytes, &numbers.packed, &numbers.header}) {
                if (*number == elsewhere) {
                    *number = zip.u64(at);
                    at += sizeof(std::uint64_t);
                }
            }
            return;
        }
        extra += fieldHead + count;
    }
}

/// The content behind the entry's local header; nothing if the header disagrees with the directory.
std::optional<std::uint64_t> findContent(const ZipFields& zip, const std::string& name,
                                         const EntryNumbers& numbers) {
    const std::uint64_t header = numbers.header;
    if (!zip.has(header, localBytes) || zip.u32(header) != localSignature) {
        return std::nullopt;
    }
    const std::uint64_t nameBytes = zip.u16(header + 26);
    const std::uint64_t offset = header + localBytes + nameBytes + zip.u16(header + 28);
    const bool agrees = zip.text(header + localBytes, nameBytes) == name && zip.has(offset, numbers.bytes);
    return agrees ? std::optional(offset) : std::nullopt;
}

}  // namespace

std::vector<ZipPlace> findZipPlaces(const core::FileContent& content) {
    const ZipFields zip(content);
    const auto directory = findDirectory(zip);
    std::vector<ZipPlace> places;
    if (!directory) {
        return places;
    }
    std::uint64_t at = directory->offset;
    for (std::uint64_t i = 0; i < directory->entries; ++i) {
        if (!zip.has(at, directoryBytes) || zip.u32(at) != directorySignature) {
            return {};
        }
        const std::uint64_t nameBytes = zip.u16(at + 28);
        const std::uint64_t extra = at + directoryBytes + nameBytes;
        const std::uint64_t end = extra + zip.u16(at + 30);
        EntryNumbers numbers{
            .bytes = zip.u32(at + 24), .packed = zip.u32(at + 20), .header = zip.u32(at + 42)};
        readWideNumbers(zip, extra, std::min(end, zip.size()), numbers);
        const std::string name = zip.text(at + directoryBytes, nameBytes);
        const bool isStored = zip.u16(at + 10) == 0 && numbers.bytes == numbers.packed;
        const auto found = isStored ? findContent(zip, name, numbers) : std::nullopt;
        places.push_back(found ? ZipPlace{.name = name, .offset = *found, .bytes = numbers.bytes}
                               : ZipPlace{});
        at = end + zip.u16(at + 32);
    }
    return places;
}

}  // namespace et::archive::detail
