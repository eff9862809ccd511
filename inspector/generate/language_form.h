#pragma once

#include "inspector/generate/encoder_form.h"
#include "inspector/generate/language_metadata.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/program.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace et::inspector {

/// How the position is passed to a method.
enum class PositionInput : std::uint8_t {
    None,      ///< not passed: the method recomputes all tokens
    InState,   ///< not passed: the program counts the tokens of its calls, and writes them to its caches
    First,     ///< int [1]: the position of the first token
    EachToken  ///< int [T] or [T, 1]: the position of each token
};

/// A method that maps tokens to logits: tokens int [T] or [1, T] and a position; returns float [V], [1, V]
/// (of the last token) or [1, T, V]. The text decoder of a multimodal model takes embeddings float [1, T, D]
/// or [T, D] instead of tokens; that of a sequence-to-sequence model also takes the output of the encoder.
struct StepMethod {
    const program::Method* method = nullptr;
    core::ScalarType tokenType = core::ScalarType::Long;
    bool tokensHaveBatch = true;  ///< [1, T]
    std::size_t minTokens = 1;    ///< per call
    std::size_t maxTokens = 1;
    PositionInput position = PositionInput::First;
    core::ScalarType positionType = core::ScalarType::Long;
    bool positionsAreRows = false;  ///< [T, 1]
    std::size_t vocabulary = 0;     ///< logits per token

    bool takesEmbeddings = false;   ///< instead of tokens; of `embeddingType` and `embeddingSize`
    std::size_t embeddingSize = 0;  ///< D
    core::ScalarType embeddingType = core::ScalarType::Float;
    std::optional<std::size_t> encodedInput;  ///< index of the input for the encoder's output
    std::size_t positionInput = 1;            ///< index of the input for the position

    [[nodiscard]] bool takes(std::size_t tokens) const { return minTokens <= tokens && tokens <= maxTokens; }
};

/// How a program processes a text.
struct LanguageForm {
    StepMethod prefill;
    StepMethod decode;  ///< the same method as `prefill` in most programs
    bool separateMethods = false;
    std::size_t context = 0;  ///< number of positions: 0 to context - 1
    std::size_t chunk = 1;    ///< maximum tokens per call of `prefill`
    std::size_t vocabulary = 0;
    Encoders encoders;  ///< of a text decoder

    /// Without a cache, every call gets all tokens from the beginning.
    [[nodiscard]] bool hasCache() const { return decode.position != PositionInput::None; }
    /// Whether a call may continue from any position; otherwise only from the end of the call before.
    [[nodiscard]] bool takesPositions() const {
        return decode.position == PositionInput::First || decode.position == PositionInput::EachToken;
    }
};

/// Derives the form from `prefill` and `decode`, `text_decoder`, `forward`, or the only method that is not a
/// constant. `others`: further programs of a multimodal model. Errors: Unsupported (no such method, other
/// inputs or outputs: names them and what is expected), Mismatch (get_max_seq_len or the length of the
/// context is not a positive number; embeddings of another size).
[[nodiscard]] core::Result<LanguageForm> languageForm(const program::Program& program,
                                                      const LanguageMetadata& metadata,
                                                      const EncoderPrograms& others = {});

/// Whether the program looks like a language model: languageForm() would succeed.
[[nodiscard]] bool isLanguageModel(const program::Program& program);

}  // namespace et::inspector
