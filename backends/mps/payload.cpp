#include "backends/mps/payload.h"

#include "backends/payload_part.h"
#include "runtime/core/byte_reader.h"

namespace et::backends::mps {
namespace {

constexpr std::size_t headerSize = 24;
constexpr std::string_view magic = "MP00";

}  // namespace

core::Result<PayloadParts> findParts(core::Bytes payload) {
    core::ByteReader reader(payload);
    // A flatbuffer starts with the offset of its root, which is not 0, followed by the same identifier.
    ET_ASSIGN(const auto start, reader.read<std::uint32_t>("header"));
    ET_ASSIGN(const core::Bytes mark, reader.take(magic.size(), "header.magic"));
    if (std::string_view(reinterpret_cast<const char*>(mark.data()), mark.size()) != magic) {
        return core::fail(core::ErrorCode::Format, "expected a payload of the MPS compiler (MP00)",
                          {.file = {}, .field = "header.magic", .offset = sizeof start});
    }
    if (start != 0) {
        return PayloadParts{.flatbuffer = payload, .flatbufferAt = 0, .constants = {}};
    }
    ET_ASSIGN(const auto segmentAt, reader.read<std::uint64_t>("header.segment_offset"));
    ET_ASSIGN(const auto segmentSize, reader.read<std::uint64_t>("header.segment_size"));
    PayloadParts parts{.flatbuffer = {}, .flatbufferAt = headerSize, .constants = {}};
    ET_ASSIGN(parts.constants, payloadPart(payload, segmentAt, segmentSize, "header.segment_offset"));
    const std::uint64_t flatSize = segmentAt < headerSize ? 0 : segmentAt - headerSize;
    ET_ASSIGN(parts.flatbuffer, payloadPart(payload, headerSize, flatSize, "header.segment_offset"));
    return parts;
}

}  // namespace et::backends::mps
