#include "app/tasks/generate/language_checks.h"

#include "app/tasks/generate/perplexity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace et::tasks {
namespace {

using core::Result;
using inspector::TokenId;

/// Ordinary English text, written for this purpose.
constexpr std::string_view sampleText =
    "The program runs a model on a small device. It reads the weights from a file, and then it writes the "
    "result of every operator to memory. What takes the most time is the product of two matrices.";

constexpr std::array<std::string_view, 4> roundTrips{"Hello, world!", "for (int i = 0; i < 10; ++i) {}",
                                                     "caf\xc3\xa9 na\xc3\xafve", sampleText};

/// Checks the tokenizer alone: encoding and decoding must return the original text.
LanguageCheck checkTokenizer(const inspector::Tokenizer& words) {
    for (const std::string_view text : roundTrips) {
        const auto ids = words.encode(text);
        if (!ids) {
            return {.name = "tokenizer",
                    .verdict = CheckVerdict::Fail,
                    .message = ids.error().toString(),
                    .place = "tokenizer"};
        }
        const auto wrong =
            std::ranges::find_if(*ids, [&](TokenId id) { return id >= words.vocabularySize(); });
        if (wrong != ids->end()) {
            return {.name = "tokenizer",
                    .verdict = CheckVerdict::Fail,
                    .message = fmt::format("token {} is beyond its vocabulary of {}", *wrong,
                                           words.vocabularySize()),
                    .place = "tokenizer"};
        }
    }
    return {.name = "tokenizer",
            .message = fmt::format("{}, {} tokens", words.format(), words.vocabularySize())};
}

/// Random tokens, identical on every machine.
std::vector<TokenId> anyTokens(std::size_t count, std::size_t vocabulary, std::optional<std::int64_t> bos) {
    std::mt19937_64 random(16);
    std::vector<TokenId> tokens;
    if (bos && *bos >= 0 && *bos < static_cast<std::int64_t>(vocabulary)) {
        tokens.push_back(static_cast<TokenId>(*bos));
    }
    while (tokens.size() < count) {
        tokens.push_back(static_cast<TokenId>(random() % vocabulary));
    }
    return tokens;
}

std::vector<TokenId> textTokens(const inspector::Tokenizer& words, const LanguageModel& language) {
    std::vector<TokenId> tokens;
    if (const auto bos = words.bos(); bos && *bos < language.form.vocabulary) {
        tokens.push_back(*bos);
    }
    if (const auto encoded = words.encode(sampleText)) {
        tokens.insert(tokens.end(), encoded->begin(), encoded->end());
    }
    std::erase_if(tokens, [&](TokenId id) { return id >= language.form.vocabulary; });
    return tokens;
}

/// A model that predicts plain English worse than chance was trained with another vocabulary.
Result<LanguageCheck> checkFit(LanguageModel& language, std::vector<TokenId> tokens) {
    tokens.resize(std::min(tokens.size(), language.form.context));
    ET_TRY(language.reset());
    double sum = 0;
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        ET_ASSIGN(const auto logits, language.run->decode(tokens[at]));
        sum += negativeLogLikelihood(logits.last(), tokens[at + 1]);
    }
    const double perToken = sum / static_cast<double>(std::max<std::size_t>(tokens.size() - 1, 1));
    const double guessing = std::log(static_cast<double>(language.form.vocabulary));
    // Random weights predict slightly worse than a uniform distribution.
    const double limit = guessing + 2;
    LanguageCheck check{.name = "fit",
                        .message = "plain English is more likely than random tokens",
                        .measured = perToken,
                        .limit = limit};
    if (!(perToken <= limit)) {
        check.verdict = CheckVerdict::Fail;
        check.place = "tokenizer";
        check.message = fmt::format(
            "plain English has a loss of {:.3g} nats per token, guessing {:.3g}: the vocabulary may be the "
            "wrong one",
            perToken, guessing);
    }
    return check;
}

}  // namespace

std::string_view checkVerdictName(CheckVerdict verdict) {
    constexpr std::array<std::string_view, 3> names{"pass", "fail", "skipped"};
    return names[static_cast<std::size_t>(verdict)];
}

Result<std::vector<LanguageCheck>> checkLanguage(const LanguageCheckSettings& settings,
                                                 ProgressReporter& watch) {
    watch.begin("verify", settings.tokens + 2);
    ModelOptions options = settings.model;
    options.record.clear();
    ET_ASSIGN(const auto language, LanguageModel::open(settings.program, options, nullptr));
    std::unique_ptr<inspector::Tokenizer> words;
    std::vector<LanguageCheck> checks;
    const auto append = [&](std::vector<LanguageCheck> more) {
        std::ranges::move(more, std::back_inserter(checks));
    };
    if (!settings.tokenizer.empty()) {
        ET_ASSIGN(words, inspector::openTokenizer(settings.tokenizer.string()));
        checks.push_back(checkTokenizer(*words));
    }
    ET_ASSIGN(const auto caches, language->caches());
    append(checkMetadata(*language, caches, words.get()));
    append(checkWeights(*language));
    const std::size_t count =
        std::clamp<std::size_t>(settings.tokens, 4, std::max<std::size_t>(language->form.context - 1, 4));
    std::vector<TokenId> tokens = words != nullptr ? textTokens(*words, *language) : std::vector<TokenId>();
    if (tokens.size() > 4) {
        ET_ASSIGN(LanguageCheck fit, checkFit(*language, tokens));
        checks.push_back(std::move(fit));
    }
    if (tokens.size() < count) {
        tokens = anyTokens(count, language->form.vocabulary, language->metadata.bos);
    }
    tokens.resize(count);
    const CheckContext ground{.language = *language, .tokens = std::move(tokens), .watch = watch};
    ET_ASSIGN(std::vector<LanguageCheck> runs, checkRuns(ground));
    append(std::move(runs));
    if (!settings.model.record.empty()) {
        ET_ASSIGN(const auto record, RecordLogits::open(settings.model.record, settings.model.threads));
        ET_ASSIGN(std::vector<LanguageCheck> compared, checkRecord(ground, *record));
        append(std::move(compared));
    }
    return checks;
}

}  // namespace et::tasks
