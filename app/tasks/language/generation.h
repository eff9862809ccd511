#pragma once

#include "inspector/generation/language_run.h"
#include "inspector/tokenizers/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// Why a generation ended.
enum class GenerationEnd : std::uint8_t { EndToken, MaxTokens, StopText, ContextFull, Interrupted };
/// "end token", "max tokens", ...
[[nodiscard]] std::string_view generationEndName(GenerationEnd end);

/// A token that was generated.
struct GeneratedToken {
    inspector::TokenId id = 0;
    std::size_t position = 0;       ///< in the context
    std::uint64_t nanoseconds = 0;  ///< since the token before; of the first: since the prompt was given
    std::uint64_t executing = 0;    ///< of it, in the method; of the first: all of prefill
    std::uint64_t sampling = 0;     ///< of it, choosing the token
    /// -ln of its probability among all tokens that have a text, in nats; nothing: it was not asked for.
    std::optional<double> surprise{};
};

/// Moments of a generation, of core::EventTracer::now(). 0: it did not come to that.
struct GenerationTimes {
    std::uint64_t start = 0;  ///< before tokenizing
    std::uint64_t tokenized = 0;
    std::uint64_t prefilled = 0;  ///< when the logits of the prompt were there
    std::uint64_t firstToken = 0;
    std::uint64_t end = 0;  ///< of the last token
};

/// One prompt and what came of it.
struct Generation {
    std::string prompt;
    std::vector<inspector::TokenId> promptIds;  ///< with BOS
    /// Of the turn before: its last token, which the cache did not have yet.
    std::vector<inspector::TokenId> pendingIds;
    std::vector<GeneratedToken> tokens;
    std::string text;  ///< of the tokens, up to a stop text
    std::vector<inspector::StepCall> prefill;
    std::vector<inspector::StepCall> decode;
    std::size_t firstPosition = 0;  ///< where the prompt starts
    std::size_t endPosition = 0;    ///< behind what the cache has
    GenerationTimes times;
    GenerationEnd end = GenerationEnd::MaxTokens;

    [[nodiscard]] std::size_t prefilledTokens() const { return pendingIds.size() + promptIds.size(); }
};

/// What times and rates come to; 0 where nothing was measured. Times in nanoseconds.
struct GenerationFigures {
    std::uint64_t tokenizing = 0;
    std::uint64_t prefill = 0;     ///< from the tokens to the logits of the last one
    std::uint64_t firstToken = 0;  ///< from the prompt to the first token
    std::uint64_t decode = 0;      ///< from the first token to the last, without what listeners take
    std::uint64_t sampling = 0;    ///< of decode
    std::uint64_t executing = 0;   ///< of decode, in the method
    std::uint64_t total = 0;
    double prefillRate = 0;              ///< tokens per second, without tokenizing
    double decodeRate = 0;               ///< tokens behind the first one per second
    std::vector<std::uint64_t> between;  ///< sorted: from each token to the next
    [[nodiscard]] std::uint64_t percentile(double share) const;
    /// Of decode that is spent choosing tokens, and of which neither the method nor that has a part.
    [[nodiscard]] double samplingShare() const;
    [[nodiscard]] double overheadShare() const;
};
[[nodiscard]] GenerationFigures figuresOf(const Generation& generation);

/// The line that ExecuTorch's runner prints. `loadStart`, `loadEnd`: of core::EventTracer::now().
[[nodiscard]] std::string observerLine(const Generation& generation, std::uint64_t loadStart,
                                       std::uint64_t loadEnd);

}  // namespace et::app
