#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Kinds of input that a language model accepts besides text.
enum class Modality : std::uint8_t { Image, Audio };
/// "image", "audio".
[[nodiscard]] std::string_view modalityName(Modality modality);

/// A method that maps an image, a sound or tokens to embeddings: float [1, T, D] or [T, D], a row for each
/// position of the text decoder.
struct EncoderMethod {
    const program::Program* program = nullptr;
    const program::Method* method = nullptr;
    core::ScalarType inputType = core::ScalarType::Float;
    std::vector<std::int64_t> inputSizes;  ///< upper bounds if `isDynamic`
    bool isDynamic = false;
    core::ScalarType outputType = core::ScalarType::Float;
    std::size_t outputSize = 0;  ///< D
};

/// Programs with methods of a language model besides its own program; null: methods of its own.
struct EncoderPrograms {
    const program::Program* tokenEmbedding = nullptr;
    const program::Program* vision = nullptr;
    const program::Program* audio = nullptr;
};

/// The encoders of a language model, named as ExecuTorch's multimodal runner does: token_embedding,
/// vision_encoder, audio_encoder; the encoder of a sequence-to-sequence model is encoder, with an image or
/// audio features as its input. In a program of its own, the only method that is not a constant may have any
/// name.
struct Encoders {
    std::optional<EncoderMethod> tokenEmbedding;
    std::optional<EncoderMethod> vision;
    std::optional<EncoderMethod> audio;

    [[nodiscard]] const std::optional<EncoderMethod>& of(Modality modality) const {
        return modality == Modality::Image ? vision : audio;
    }
};

/// The only method that is not a constant; null: none or several.
[[nodiscard]] const program::Method* onlyMethod(const program::Program& program);

/// Errors: Unsupported (no such method in a program of EncoderPrograms; other inputs or outputs).
[[nodiscard]] core::Result<Encoders> findEncoders(const program::Program& model,
                                                  const EncoderPrograms& others);

}  // namespace et::inspector
