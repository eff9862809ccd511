#pragma once

#include "app/tasks/language/logit_source.h"
#include "app/tasks/run/watch.h"
#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::app {

/// A text to predict.
struct Passage {
    std::string name;  ///< the file, "file.jsonl:3", or the text itself, shortened
    std::vector<inspector::TokenId> ids;
};

/// The texts that arguments name: a file, a file of JSON lines ({"text": …} or {"ids": […]}; ids are taken as
/// they are), or a text itself where it has a blank or there is no such file and it starts with no path.
/// `bos` tokens go before each text. Errors: those of files and tokenizer; NotFound (no such file); Format
/// (a line of JSON that is none); InvalidArgument (no BOS to put before).
[[nodiscard]] core::Result<std::vector<Passage>> passagesOf(std::span<const std::string> arguments,
                                                            const inspector::Tokenizer& tokenizer,
                                                            std::size_t bos,
                                                            std::optional<inspector::TokenId> programBos);

/// How two predictions of one position differ.
struct PredictionDifference {
    double divergence = 0;  ///< KL(reference || program), in nats
    bool sameTop = false;   ///< the most likely token is the same
    double maxLogit = 0;    ///< largest difference of logits
    bool sameLogits = false;
};

/// One passage. Positions are those of the predicted tokens: entry k is of ids[k + 1].
struct PassageResult {
    Passage passage;
    std::vector<double> tokenNll;                     ///< -ln p(ids[k + 1] | ids[0..k]), in nats
    std::vector<double> referenceNll;                 ///< empty: no reference
    std::vector<PredictionDifference> differences{};  ///< empty: no reference
    double nll = 0;
    double referenceSum = 0;

    [[nodiscard]] double perplexity() const;
    [[nodiscard]] double referencePerplexity() const;
    [[nodiscard]] double meanDivergence() const;
    [[nodiscard]] double agreement() const;  ///< share of positions with the same most likely token
    /// The first position whose most likely token differs.
    [[nodiscard]] std::optional<std::size_t> firstDifference() const;
};

/// -ln of the share of `target` in the softmax of logits, in double.
[[nodiscard]] double negativeLogLikelihood(std::span<const float> logits, std::size_t target);
/// Both as long. Errors of logits (NaN) make the divergence NaN.
[[nodiscard]] PredictionDifference differenceOf(std::span<const float> program,
                                                std::span<const float> reference);

/// Predicts every token from all before it, one at a time. A passage longer than the context is cut into
/// windows, each of which starts anew with its first token unpredicted. `reference` may be null. Errors:
/// those of both sources; Unsupported (another number of logits), InvalidArgument (an id beyond the
/// vocabulary, fewer than two ids).
[[nodiscard]] core::Result<PassageResult> predictPassage(LogitSource& program, LogitSource* reference,
                                                         const Passage& passage, Watch& watch);

}  // namespace et::app
