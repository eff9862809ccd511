#include "backends/vulkan/payload.h"

#include "backends/payload_part.h"
#include "runtime/core/byte_reader.h"

namespace et::backends::vulkan {
namespace {

constexpr std::size_t magicAt = 4;
constexpr std::string_view magic = "VH00";

}  // namespace

core::Result<PayloadParts> findParts(core::Bytes payload) {
    core::ByteReader reader(payload);
    ET_TRY(reader.seek(magicAt, "header.magic"));
    ET_ASSIGN(const core::Bytes mark, reader.take(magic.size(), "header.magic"));
    if (std::string_view(reinterpret_cast<const char*>(mark.data()), mark.size()) != magic) {
        return core::fail(core::ErrorCode::Format, "expected a payload of the Vulkan compiler (VH00)",
                          {.file = {}, .field = "header.magic", .offset = magicAt});
    }
    ET_ASSIGN([[maybe_unused]] const auto length, reader.read<std::uint16_t>("header.length"));
    ET_ASSIGN(const auto flatAt, reader.read<std::uint32_t>("header.flatbuffer_offset"));
    ET_ASSIGN(const auto flatSize, reader.read<std::uint32_t>("header.flatbuffer_size"));
    ET_ASSIGN(const auto dataAt, reader.read<std::uint32_t>("header.bytes_offset"));
    ET_ASSIGN(const auto dataSize, reader.read<std::uint64_t>("header.bytes_size"));
    PayloadParts parts{.flatbuffer = {}, .flatbufferAt = flatAt, .constants = {}};
    ET_ASSIGN(parts.flatbuffer, payloadPart(payload, flatAt, flatSize, "header.flatbuffer_offset"));
    ET_ASSIGN(parts.constants, payloadPart(payload, dataAt, dataSize, "header.bytes_offset"));
    return parts;
}

}  // namespace et::backends::vulkan
