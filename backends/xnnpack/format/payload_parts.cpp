#include "backends/xnnpack/format/payload_parts.h"

#include "backends/payload_data.h"
#include "backends/xnnpack/schema/payload_generated.h"
#include "runtime/core/byte_reader.h"

#include <cstddef>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t magicAt = 4;
constexpr std::string_view magic = "XH00";
constexpr std::size_t headerSize = 30;

bool hasText(core::Bytes bytes, std::size_t at, std::string_view text) {
    return bytes.size() >= at + text.size() &&
           std::string_view(reinterpret_cast<const char*>(bytes.data()) + at, text.size()) == text;
}

}  // namespace

core::Result<PayloadParts> findParts(core::Bytes bytes) {
    if (!hasText(bytes, magicAt, magic)) {
        return PayloadParts{.flatbuffer = bytes, .flatbufferAt = 0, .constants = {}};
    }
    core::ByteReader reader(bytes);
    ET_TRY(reader.seek(magicAt + magic.size(), "header.length"));
    ET_ASSIGN([[maybe_unused]] const auto length, reader.read<std::uint16_t>("header.length"));
    ET_ASSIGN(const auto flatAt, reader.read<std::uint32_t>("header.flatbuffer_offset"));
    ET_ASSIGN(const auto flatSize, reader.read<std::uint32_t>("header.flatbuffer_size"));
    ET_ASSIGN(const auto dataAt, reader.read<std::uint32_t>("header.constant_data_offset"));
    ET_ASSIGN(const auto dataSize, reader.read<std::uint64_t>("header.constant_data_size"));
    PayloadParts parts{.flatbuffer = {}, .flatbufferAt = flatAt, .constants = {}};
    ET_ASSIGN(parts.flatbuffer, payloadPart(bytes, flatAt, flatSize, "header.flatbuffer_offset"));
    ET_ASSIGN(parts.constants, payloadPart(bytes, dataAt, dataSize, "header.constant_data_offset"));
    return parts;
}

std::string_view identifierOf(core::Bytes flatbuffer) {
    return hasText(flatbuffer, magicAt, "XN00") ? "XN00" : schema::GraphIdentifier();
}

core::Result<> addDescribed(core::Bytes bytes, ByteCoverage& described) {
    ET_ASSIGN(const PayloadParts parts, findParts(bytes));
    if (parts.flatbufferAt != 0) {
        described.add(bytes.data(), headerSize);
    }
    described.addFlatbuffer(parts.flatbuffer, identifierOf(parts.flatbuffer), *schema::GraphTypeTable());
    return {};
}

}  // namespace et::backends::xnnpack
