#pragma once

#include "app/tasks/generate/prompt_media.h"
#include "inspector/generate/language_run.h"
#include "inspector/tokenizers/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Reason why a generation ended.
enum class GenerationEnd : std::uint8_t {
    EndToken,
    MaxTokens,
    SequenceLength,
    StopText,
    ContextFull,
    Interrupted
};
/// "end token", "max tokens", ...
[[nodiscard]] std::string_view generationEndName(GenerationEnd end);

/// A generated token.
struct GeneratedToken {
    inspector::TokenId id = 0;
    std::size_t position = 0;       ///< in the context
    std::uint64_t nanoseconds = 0;  ///< since the previous token; for the first: since the prompt
    std::uint64_t executing = 0;    ///< of these, in the method; for the first: all of prefill
    std::uint64_t sampling = 0;     ///< of these, for choosing the token
    /// -ln of its probability among all tokens that have a text, in nats; nothing: not requested.
    std::optional<double> surprise{};
};

/// Times of a generation, from core::EventTracer::now(). 0: not reached.
struct GenerationTimes {
    std::uint64_t start = 0;  ///< before tokenizing
    std::uint64_t tokenized = 0;
    std::uint64_t prefilled = 0;  ///< logits of the prompt were available
    std::uint64_t firstToken = 0;
    std::uint64_t end = 0;  ///< time of the last token
};

/// A prompt with the generated answer.
struct Generation {
    std::string prompt;
    std::vector<inspector::TokenId> promptIds;  ///< with BOS
    /// Last token of the previous turn, which was not in the cache yet.
    std::vector<inspector::TokenId> pendingIds;
    std::vector<MediaPart> media;  ///< images and sounds of the prompt
    std::vector<GeneratedToken> tokens;
    std::string text;  ///< text of the tokens, up to a stop text
    std::vector<inspector::StepCall> prefill;
    std::vector<inspector::StepCall> decode;
    std::size_t firstPosition = 0;  ///< start of the prompt
    std::size_t endPosition = 0;    ///< end of the cached positions
    GenerationTimes times;
    GenerationEnd end = GenerationEnd::MaxTokens;

    /// Positions of images and sounds.
    [[nodiscard]] std::size_t mediaPositions() const;
    [[nodiscard]] std::size_t prefilledTokens() const {
        return pendingIds.size() + promptIds.size() + mediaPositions();
    }
};

/// Times and rates of a generation; 0 if not measured. Times in nanoseconds.
struct GenerationFigures {
    std::uint64_t tokenizing = 0;
    std::uint64_t preparing = 0;   ///< pre-processing of images and sounds
    std::uint64_t encoding = 0;    ///< of images and sounds, part of prefill
    std::uint64_t prefill = 0;     ///< from the tokens to the logits of the last one
    std::uint64_t firstToken = 0;  ///< from the prompt to the first token
    std::uint64_t decode = 0;      ///< from the first token to the last, excluding listeners
    std::uint64_t sampling = 0;    ///< of decode
    std::uint64_t executing = 0;   ///< part of decode in the method
    std::uint64_t total = 0;
    double prefillRate = 0;              ///< tokens per second, excluding tokenization
    double decodeRate = 0;               ///< tokens after the first one per second
    std::vector<std::uint64_t> between;  ///< sorted times from each token to the next
    [[nodiscard]] std::uint64_t percentile(double share) const;
    /// Fractions of decode spent on choosing tokens, and on anything else outside the method.
    [[nodiscard]] double samplingShare() const;
    [[nodiscard]] double overheadShare() const;
};
[[nodiscard]] GenerationFigures figuresOf(const Generation& generation);

/// The line printed by ExecuTorch's runner. `loadStart`, `loadEnd`: from core::EventTracer::now().
[[nodiscard]] std::string observerLine(const Generation& generation, std::uint64_t loadStart,
                                       std::uint64_t loadEnd);

}  // namespace et::tasks
