#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/generate/logit_source.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// A text whose tokens are predicted.
struct Passage {
    std::string name;  ///< the file, "file.jsonl:3", or the text itself, shortened
    std::vector<inspector::TokenId> ids;
};

/// Resolves each argument to a text: a file, a JSON lines file ({"text": …} or {"ids": […]}; ids are used
/// unchanged), or the argument itself if it contains a space, or if no such file exists and it does not start
/// with a path. Prepends `bos` BOS tokens to each text. Errors: those of files and tokenizer; NotFound (no
/// such file); Format (an invalid line of JSON); InvalidArgument (the tokenizer has no BOS to prepend).
[[nodiscard]] core::Result<std::vector<Passage>> readPassages(std::span<const std::string> arguments,
                                                              const inspector::Tokenizer& tokenizer,
                                                              std::size_t bos,
                                                              std::optional<inspector::TokenId> programBos);

/// Difference between two predictions of the same position.
struct PredictionDifference {
    double divergence = 0;  ///< KL(reference || program), in nats
    bool sameTop = false;   ///< the most likely token is the same
    double maxLogit = 0;    ///< largest difference of logits
    bool sameLogits = false;
};

/// Result of one passage. Positions are those of the predicted tokens: entry k belongs to ids[k + 1].
struct PassageResult {
    Passage passage;
    std::vector<double> tokenNll;                     ///< -ln p(ids[k + 1] | ids[0..k]), in nats
    std::vector<double> referenceNll;                 ///< empty if there is no reference
    std::vector<PredictionDifference> differences{};  ///< empty if there is no reference
    double nll = 0;
    double referenceSum = 0;

    [[nodiscard]] double perplexity() const;
    [[nodiscard]] double referencePerplexity() const;
    [[nodiscard]] double meanDivergence() const;
    [[nodiscard]] double agreement() const;  ///< share of positions with the same most likely token
    /// First position whose most likely token differs.
    [[nodiscard]] std::optional<std::size_t> firstDifference() const;
};

/// Returns -ln(softmax(logits)[target]), computed in double.
[[nodiscard]] double negativeLogLikelihood(std::span<const float> logits, std::size_t target);
/// Both spans have the same length. NaN logits make the divergence NaN.
[[nodiscard]] PredictionDifference differenceOf(std::span<const float> program,
                                                std::span<const float> reference);

/// Predicts every token from all tokens before it, one at a time. A passage longer than the context is split
/// into windows; each starts from an empty context, and its first token is not predicted. `reference` may be
/// null. Errors: those of both sources; Unsupported (the numbers of logits differ), InvalidArgument (an id
/// outside the vocabulary, fewer than two ids).
[[nodiscard]] core::Result<PassageResult> predictPassage(LogitSource& program, LogitSource* reference,
                                                         const Passage& passage, ProgressReporter& watch);

}  // namespace et::tasks
