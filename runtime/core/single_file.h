#pragma once

#include <cstddef>
#include <cstdint>

// Format of a single file (app/single_file): a static executable, then carried files that begin at multiples
// of the largest page size, the table of these files, and the trailer. Integers are little endian. Also
// compiled without a standard library.
namespace et::core {

/// Row of the table.
struct CarriedFile {
    char name[48];  ///< without folder; ends with zero
    std::uint64_t offset;
    std::uint64_t size;
    std::uint64_t sum;  ///< checksum() of the contents
};

struct SingleFileTrailer {
    char magic[8];           ///< singleFileMagic
    std::uint64_t table;     ///< offset of the table
    std::uint64_t count;     ///< rows of the table
    std::uint64_t tableSum;  ///< checksum() of the table
    std::uint64_t
        hook;  ///< offset of et::single_file::HookData in the first carried file, the dynamic loader
    std::uint64_t starterSize;  ///< bytes of the executable at the start of the file
    std::uint64_t starterSum;   ///< checksum() of these bytes
    std::uint64_t sum;          ///< checksum() of the members above
};

inline constexpr char singleFileMagic[8] = {'E', 'T', '1', 'F', 'I', 'L', 'E', '\n'};

/// Detects damage, not intent: four interleaved multiplicative hashes of 64-bit words, as fast as memory. The
/// last word is filled with zeros.
[[nodiscard]] inline std::uint64_t checksum(const unsigned char* bytes, std::uint64_t size) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
    std::uint64_t lane[4] = {size, 1, 2, 3};
    std::uint64_t at = 0;
    for (; at + 32 <= size; at += 32) {
        for (unsigned i = 0; i < 4; ++i) {
            std::uint64_t word = 0;
            __builtin_memcpy(&word, bytes + at + 8 * i, 8);
            lane[i] = ((lane[i] ^ word) * factor);
            lane[i] ^= lane[i] >> 32;
        }
    }
    for (; at < size; at += 8) {
        std::uint64_t word = 0;
        for (std::uint64_t i = at; i < size && i < at + 8; ++i) {
            word |= std::uint64_t{bytes[i]} << (8 * (i - at));
        }
        lane[0] = (lane[0] ^ word) * factor;
        lane[0] ^= lane[0] >> 32;
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t each : lane) {
        sum = (sum ^ each) * factor;
        sum ^= sum >> 32;
    }
    return sum;
}

/// Whether [offset, offset + length) is in the file of `size` bytes and has this checksum.
[[nodiscard]] inline bool isWhole(const unsigned char* bytes, std::uint64_t size, std::uint64_t offset,
                                  std::uint64_t length, std::uint64_t sum) {
    return offset <= size && length <= size - offset && checksum(bytes + offset, length) == sum;
}

struct CarriedTable {
    SingleFileTrailer trailer{};
    const CarriedFile* files = nullptr;  ///< trailer.count rows, in the file
    const char* damage = nullptr;        ///< what is damaged, if anything
    std::uint64_t damageOffset = 0;
};

/// Reads the trailer and the table of a single file; `bytes` is aligned to 8.
[[nodiscard]] inline CarriedTable readCarriedTable(const unsigned char* bytes, std::uint64_t size) {
    CarriedTable read;
    constexpr std::uint64_t trailerSize = sizeof(SingleFileTrailer);
    const std::uint64_t end = size < trailerSize ? 0 : size - trailerSize;
    const auto damaged = [&](const char* what, std::uint64_t offset) {
        read.damage = what;
        read.damageOffset = offset;
        return read;
    };
    if (size < trailerSize) {
        return damaged("the file is cut short", size);
    }
    __builtin_memcpy(&read.trailer, bytes + end, trailerSize);
    if (__builtin_memcmp(read.trailer.magic, singleFileMagic, sizeof singleFileMagic) != 0) {
        return damaged("the table of carried files at its end is missing", end);
    }
    if (!isWhole(bytes, size, end, trailerSize - sizeof read.trailer.sum, read.trailer.sum)) {
        return damaged("the checksum of the trailer is not the expected one", end);
    }
    const std::uint64_t table = read.trailer.table;
    const std::uint64_t count = read.trailer.count;
    if (count == 0 || count > end / sizeof(CarriedFile) || table % alignof(CarriedFile) != 0 ||
        !isWhole(bytes, size, table, count * sizeof(CarriedFile), read.trailer.tableSum)) {
        return damaged("the checksum of the table is not the expected one", table);
    }
    read.files = reinterpret_cast<const CarriedFile*>(bytes + table);
    return read;
}

}  // namespace et::core
