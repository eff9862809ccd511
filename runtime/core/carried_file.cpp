#include "runtime/core/carried_file.h"

#include "runtime/core/single_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace et::core {
namespace {

Error damaged(const MappedFile& file, std::string_view what, std::uint64_t offset) {
    return {.code = ErrorCode::Format,
            .message = fmt::format("the single file is damaged: {}", what),
            .where = {.file = file.name(), .field = {}, .offset = offset}};
}

/// Whether [offset, offset + size) is in the file and has this checksum.
bool isWhole(Bytes bytes, std::uint64_t offset, std::uint64_t size, std::uint64_t sum) {
    return offset <= bytes.size() && size <= bytes.size() - offset &&
           checksum(reinterpret_cast<const unsigned char*>(bytes.data()) + offset, size) == sum;
}

Result<std::vector<CarriedFile>> readTable(const MappedFile& file) {
    const Bytes bytes = file.bytes();
    SingleFileTrailer trailer{};
    if (bytes.size() < sizeof trailer) {
        return std::unexpected(damaged(file, "it is cut short", bytes.size()));
    }
    const std::uint64_t end = bytes.size() - sizeof trailer;
    std::memcpy(&trailer, bytes.data() + end, sizeof trailer);
    if (std::memcmp(trailer.magic, singleFileMagic, sizeof singleFileMagic) != 0 ||
        trailer.count > end / sizeof(CarriedFile) ||
        !isWhole(bytes, trailer.table, trailer.count * sizeof(CarriedFile), trailer.tableSum)) {
        return std::unexpected(damaged(file, "the table of carried files", end));
    }
    std::vector<CarriedFile> table(trailer.count);
    std::memcpy(table.data(), bytes.data() + trailer.table, trailer.count * sizeof(CarriedFile));
    return table;
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> openCarried(std::string_view name) {
    const char* const path = std::getenv(singleFileVariable);
    if (path == nullptr) {
        return nullptr;
    }
    ET_ASSIGN(const auto file, MappedFile::open(path));
    ET_ASSIGN(const auto table, readTable(*file));
    for (const CarriedFile& each : table) {
        if (std::string_view(each.name, ::strnlen(each.name, sizeof each.name)) != name) {
            continue;
        }
        if (!isWhole(file->bytes(), each.offset, each.size, each.sum)) {
            return std::unexpected(damaged(*file, fmt::format("{}, which it carries", name), each.offset));
        }
        const Bytes content = file->bytes().subspan(each.offset, each.size);
        return MappedFile::fromMemory({content.begin(), content.end()}, std::string(name));
    }
    return nullptr;
}

}  // namespace et::core
