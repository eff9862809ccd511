#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::tokenizers::detail {

/// SentencePiece's piece types, with its numbers.
enum class PieceKind : std::uint8_t { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

/// Contents of a SentencePiece model file (a ModelProto message), parsed and validated before SentencePiece's
/// own library reads it, which trusts its tries and throws on unusual pieces.
struct SentencePieceModel {
    struct Piece {
        std::string text;
        PieceKind kind = PieceKind::Normal;
    };
    std::vector<Piece> pieces;
    std::uint64_t modelType = 1;  ///< 1 unigram, 2 BPE, 3 word, 4 char
    bool byteFallback = false;
    std::string unknownSurface = " \xE2\x81\x87 ";  ///< decoded text of an unknown token
    std::string normalizer;                         ///< "nmt_nfkc"
    bool dummyPrefix = true;
    bool removeExtraSpaces = true;
    std::string charsMap;
    std::string denormalizerMap;
};

/// Errors: Format, Limit, Unsupported (an unknown model type or denormalizer), with the field.
[[nodiscard]] core::Result<SentencePieceModel> readSentencePieceModel(std::string_view bytes);

}  // namespace et::inspector::tokenizers::detail
