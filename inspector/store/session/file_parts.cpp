#include "inspector/store/session/file_parts.h"

#include "inspector/format/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace et::inspector::store {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view stored = "none";
constexpr std::string_view deflated = "deflate";

/// Compresses a part with zlib at its fastest level; nothing if that saves less than a tenth, or exceeds
/// maxExpansion.
std::optional<std::vector<std::byte>> compressed(Bytes piece) {
    uLongf size = compressBound(static_cast<uLong>(piece.size()));
    std::vector<std::byte> out(size);
    const int code =
        compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(piece.data()),
                  static_cast<uLong>(piece.size()), Z_BEST_SPEED);
    if (code != Z_OK || size > piece.size() / 10 * 9 || size * maxExpansion < piece.size()) {
        return std::nullopt;
    }
    out.resize(size);
    return out;
}

/// Tests a sample first: weights do not compress, and trying takes longer than writing them.
bool worthTrying(Bytes piece) {
    constexpr std::size_t sample = 16384;
    return piece.size() <= sample || compressed(piece.first(sample)).has_value();
}

Bytes partAt(const core::MappedFile& content, std::size_t at) {
    return content.bytes().subspan(at, std::min(filePartBytes, content.bytes().size() - at));
}

std::unexpected<core::Error> damaged(const Database& database, std::string message) {
    return fail(ErrorCode::Format, std::move(message),
                {.file = database.file(), .field = "file_parts", .offset = {}});
}

/// The decoded contents of a part, in its row or in `buffer`.
Result<Bytes> decodedPart(const Statement& row, std::uint64_t left, const Database& database,
                          std::vector<std::byte>& buffer) {
    const auto size = static_cast<std::uint64_t>(row.integer(0));
    const std::string_view compression = row.text(1);
    const Bytes data = row.blob(2);
    if (size == 0 || size > filePartBytes || size > left) {
        return damaged(database, fmt::format("expected a piece of at most {} bytes, got {}",
                                             std::min<std::uint64_t>(left, filePartBytes), size));
    }
    if (compression == stored && data.size() == size) {
        return data;
    }
    auto produced = static_cast<uLongf>(size);
    if (compression == deflated) {
        buffer.resize(size);
        if (uncompress(reinterpret_cast<Bytef*>(buffer.data()), &produced,
                       reinterpret_cast<const Bytef*>(data.data()),
                       static_cast<uLong>(data.size())) == Z_OK &&
            produced == size) {
            return Bytes(buffer);
        }
    }
    return damaged(database, fmt::format("a piece does not contain its declared {} bytes", size));
}

}  // namespace

std::string checksumOf(const core::MappedFile& content) {
    format::Sha256 sum;
    for (std::size_t at = 0; at < content.bytes().size(); at += filePartBytes) {
        const Bytes piece = partAt(content, at);
        sum.add(piece);
        content.release(at, piece.size());
    }
    return sum.hex();
}

Result<> addFileParts(RowWriter& rows, std::int64_t file, const core::MappedFile& content,
                      std::int64_t& part) {
    for (std::size_t at = 0; at < content.bytes().size(); at += filePartBytes) {
        const Bytes piece = partAt(content, at);
        const auto small = worthTrying(piece) ? compressed(piece) : std::nullopt;
        ET_TRY(rows.add("file_parts", part++, file, piece.size(), small ? deflated : stored,
                        small ? Bytes(*small) : piece));
        content.release(at, piece.size());
    }
    return {};
}

Result<> readFileParts(Database& database, std::int64_t file, std::uint64_t bytes, const TakePart& take) {
    ET_ASSIGN(
        Statement parts,
        database.prepare("SELECT bytes, compression, data FROM file_parts WHERE file = ? ORDER BY part"));
    ET_TRY(parts.bind(file));
    std::vector<std::byte> buffer;
    std::uint64_t done = 0;
    for (;;) {
        ET_ASSIGN(const bool found, parts.step());
        if (!found) {
            break;
        }
        ET_ASSIGN(const Bytes part, decodedPart(parts, bytes - done, database, buffer));
        ET_TRY(take(part));
        done += part.size();
    }
    return done == bytes ? Result<>()
                         : damaged(database, fmt::format("expected a file of {} bytes, got {}", bytes, done));
}

}  // namespace et::inspector::store
