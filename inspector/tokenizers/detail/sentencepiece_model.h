#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::detail {

/// SentencePiece's kinds of pieces, by number.
enum class PieceKind : std::uint8_t { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

/// What a SentencePiece model file (a ModelProto message) has, read and checked by us before SentencePiece's
/// own library sees it, which trusts its tries and throws at odd pieces.
struct SentencePieceModel {
    struct Piece {
        std::string text;
        PieceKind kind = PieceKind::Normal;
    };
    std::vector<Piece> pieces;
    std::uint64_t modelType = 1;  ///< 1 unigram, 2 BPE, 3 word, 4 char
    bool byteFallback = false;
    std::string unknownSurface = " \xE2\x81\x87 ";  ///< what an unknown token decodes to
    std::string normalizer;                         ///< "nmt_nfkc"
    bool dummyPrefix = true;
    bool removeExtraSpaces = true;
    std::string charsMap;
    std::string denormalizerMap;
};

/// Errors: Format, Limit, Unsupported (a model type or a denormalizer that we do not know), with the field.
[[nodiscard]] core::Result<SentencePieceModel> readSentencePieceModel(std::string_view bytes);

}  // namespace et::inspector::detail
