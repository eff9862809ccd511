#include "runtime/core/carried_file.h"

#include "runtime/core/single_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

namespace et::core {
namespace {

Error damaged(const MappedFile& file, std::string_view what, std::uint64_t offset) {
    return {.code = ErrorCode::Format,
            .message = fmt::format("the single file is damaged: {}", what),
            .where = {.file = file.name(), .field = {}, .offset = offset}};
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> openCarried(std::string_view name) {
    const char* const path = std::getenv(singleFileVariable);
    if (path == nullptr) {
        return nullptr;
    }
    ET_ASSIGN(const auto file, MappedFile::open(path));
    const auto* const bytes = reinterpret_cast<const unsigned char*>(file->bytes().data());
    const std::uint64_t size = file->bytes().size();
    const CarriedTable table = readCarriedTable(bytes, size);
    if (table.damage != nullptr) {
        return std::unexpected(damaged(*file, table.damage, table.damageOffset));
    }
    for (const CarriedFile& each : std::span(table.files, table.trailer.count)) {
        if (std::string_view(each.name, ::strnlen(each.name, sizeof each.name)) != name) {
            continue;
        }
        if (!isWhole(bytes, size, each.offset, each.size, each.sum)) {
            return std::unexpected(damaged(*file, fmt::format("{}, which it carries", name), each.offset));
        }
        const Bytes content = file->bytes().subspan(each.offset, each.size);
        return MappedFile::fromMemory({content.begin(), content.end()}, std::string(name));
    }
    return nullptr;
}

}  // namespace et::core
