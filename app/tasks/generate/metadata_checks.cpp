#include "app/tasks/generate/language_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace et::tasks {
namespace {

using inspector::LanguageForm;
using inspector::LanguageMetadata;

/// Collects failed checks.
class MetadataChecks {
  public:
    MetadataChecks(const LanguageModel& checked, const std::vector<inspector::CacheTensor>& kept,
                   const inspector::Tokenizer* tokenizer)
        : language(checked), caches(kept), words(tokenizer) {}

    std::vector<LanguageCheck> run() {
        if (isPackage() && language.metadata.constants.empty()) {
            return {{.name = "metadata",
                     .verdict = CheckVerdict::Skipped,
                     .message = "packages (.ptn) have no metadata"}};
        }
        checkLengths();
        checkSwitches();
        checkLayers();
        checkVocabulary();
        checkEnds();
        checkBos();
        if (failures.empty()) {
            failures.push_back({.name = "metadata",
                                .message = fmt::format("{} constants agree with the program",
                                                       language.metadata.constants.size())});
        }
        return std::move(failures);
    }

  private:
    [[nodiscard]] bool isPackage() const { return language.model->ownRecord != nullptr; }

    void fail(std::string key, std::string message) {
        failures.push_back({.name = "metadata",
                            .verdict = CheckVerdict::Fail,
                            .message = std::move(message),
                            .place = std::move(key)});
    }

    void checkLengths() {
        const LanguageMetadata& says = language.metadata;
        // The runner of programs whose caches are outside reads other constants.
        const bool isRequired = language.hostCaches.layers.empty();
        if (isRequired && (!says.maxSequence || says.find("get_max_seq_len") == nullptr)) {
            fail("get_max_seq_len", "missing: ExecuTorch's runner rejects the program");
            return;
        }
        if (!says.maxSequence) {
            return;
        }
        if (*says.maxSequence > *says.maxContext) {
            fail("get_max_seq_len",
                 fmt::format("{} tokens, more than the context of {}", *says.maxSequence, *says.maxContext));
        }
        const auto taken = static_cast<std::int64_t>(language.form.prefill.maxTokens);
        // Exporters accept one token less than they declare.
        if (taken > 1 && (*says.maxSequence > taken + 1 || *says.maxSequence < taken)) {
            fail("get_max_seq_len",
                 fmt::format("{} tokens, a call accepts at most {}", *says.maxSequence, taken));
        }
        std::uint64_t places = 0;
        for (const inspector::CacheTensor& cache : caches) {
            places = std::max(places, cache.positions);
        }
        if (places != 0 && places != static_cast<std::uint64_t>(*says.maxContext)) {
            fail("get_max_context_len",
                 fmt::format("{} positions, the caches hold {}", *says.maxContext, places));
        }
    }

    void checkSwitches() {
        const LanguageMetadata& says = language.metadata;
        const LanguageForm& form = language.form;
        if (says.usesCache != form.hasCache()) {
            fail("use_kv_cache", fmt::format("is {}, the program takes {} position",
                                             says.usesCache ? "yes" : "no", form.hasCache() ? "a" : "no"));
        }
        const bool isDynamic = form.prefill.minTokens != form.prefill.maxTokens;
        if (says.find("enable_dynamic_shape") != nullptr && says.dynamicShape != isDynamic) {
            fail("enable_dynamic_shape",
                 fmt::format("is {}, the program takes {} to {} tokens", says.dynamicShape ? "yes" : "no",
                             form.prefill.minTokens, form.prefill.maxTokens));
        }
        const auto* custom = says.find("use_sdpa_with_kv_cache");
        const bool hasCustom = attentions() > 0;
        if (custom != nullptr && custom->number() && (*custom->number() != 0) != hasCustom) {
            fail("use_sdpa_with_kv_cache", fmt::format("is {}, the program has {} custom attention",
                                                       hasCustom ? "no" : "yes", hasCustom ? "a" : "no"));
        }
    }

    [[nodiscard]] std::size_t attentions() const {
        std::size_t count = 0;
        for (const program::Chain& chain : language.form.decode.method->chains) {
            for (const program::Instruction& instruction : chain.instructions) {
                const auto* call = std::get_if<program::KernelCall>(&instruction);
                const std::string_view name =
                    call == nullptr ? "" : language.form.decode.method->op(call->op).name;
                count += name.starts_with("llama::") && name.find("sdpa") != std::string_view::npos ? 1 : 0;
            }
        }
        return count;
    }

    void checkLayers() {
        const auto layers = language.metadata.layers;
        const std::size_t cached = caches.size() / 2 + language.hostCaches.layers.size();
        const auto found = static_cast<std::int64_t>(attentions() > 0 ? attentions() : cached);
        if (layers && found > 0 && *layers != found) {
            fail("get_n_layers", fmt::format("{} layers, the program has attention in {}", *layers, found));
        }
    }

    void checkVocabulary() {
        const auto given = static_cast<std::int64_t>(language.form.vocabulary);
        if (language.metadata.vocabulary && *language.metadata.vocabulary != given) {
            fail("get_vocab_size", fmt::format("{} tokens, the program returns {} logits",
                                               *language.metadata.vocabulary, given));
        }
        if (words != nullptr && static_cast<std::int64_t>(words->vocabularySize()) > given) {
            fail("tokenizer", fmt::format("the tokenizer has {} tokens, the program returns {} logits",
                                          words->vocabularySize(), given));
        }
    }

    void checkEnds() {
        const LanguageMetadata& says = language.metadata;
        const auto* constant = says.find("get_eos_ids");
        constant = constant != nullptr ? constant : says.find("get_eos_id");
        if (constant == nullptr) {
            return;
        }
        const std::string& key = constant->name;
        if (says.eos.empty()) {
            fail(key, "no end token: generation never stops");
        }
        if (says.eos.size() != constant->items.size()) {
            fail(key, fmt::format("lists {} ids, of which {} are distinct", constant->items.size(),
                                  says.eos.size()));
        }
        const std::vector<inspector::TokenId> ends =
            words == nullptr ? std::vector<inspector::TokenId>() : words->eos();
        for (const std::int64_t id : says.eos) {
            if (id < 0 || id >= static_cast<std::int64_t>(language.form.vocabulary)) {
                fail(key,
                     fmt::format("{} is not a token: the vocabulary has {}", id, language.form.vocabulary));
            } else if (says.bos == id && !mayEndWithBos(ends)) {
                fail(key, fmt::format("{} is the BOS token (get_bos_id)", id));
            } else {
                checkEndPiece(key, static_cast<inspector::TokenId>(id), ends);
            }
        }
        const bool meets = std::ranges::any_of(
            ends, [&](auto id) { return std::ranges::contains(says.eos, std::int64_t{id}); });
        if (!ends.empty() && !meets) {
            fail(key, fmt::format("none of them is an end token of the tokenizer, such as {}", ends.front()));
        }
    }

    /// Some vocabularies use one token for both, such as GPT-2's; without a tokenizer this is unknown.
    [[nodiscard]] bool mayEndWithBos(const std::vector<inspector::TokenId>& ends) const {
        const std::int64_t bos = *language.metadata.bos;
        return words == nullptr ? language.metadata.eos.size() == 1
                                : std::ranges::contains(ends, bos, [](auto id) { return std::int64_t{id}; });
    }

    /// An end token must not be ordinary text.
    void checkEndPiece(const std::string& key, inspector::TokenId id,
                       const std::vector<inspector::TokenId>& ends) {
        if (words == nullptr || std::ranges::contains(ends, id)) {
            return;
        }
        const std::string piece = id < words->vocabularySize() ? words->piece(id) : std::string();
        const bool looksSpecial = piece.size() > 2 && (piece.front() == '<' || piece.front() == '[');
        if (!looksSpecial) {
            fail(key, fmt::format("{} is \"{}\" in the tokenizer, which is not an end token", id,
                                  core::printable(piece)));
        }
    }

    void checkBos() {
        const auto bos = language.metadata.bos;
        if (!bos) {
            return;
        }
        if (*bos < 0 || *bos >= static_cast<std::int64_t>(language.form.vocabulary)) {
            fail("get_bos_id",
                 fmt::format("{} is not a token: the vocabulary has {}", *bos, language.form.vocabulary));
        } else if (words != nullptr && words->bos() && std::int64_t{*words->bos()} != *bos) {
            fail("get_bos_id", fmt::format("{}, but BOS is {} in the tokenizer", *bos, *words->bos()));
        }
    }

    const LanguageModel& language;
    const std::vector<inspector::CacheTensor>& caches;
    const inspector::Tokenizer* words;
    std::vector<LanguageCheck> failures;
};

}  // namespace

std::vector<LanguageCheck> checkMetadata(const LanguageModel& language,
                                         const std::vector<inspector::CacheTensor>& caches,
                                         const inspector::Tokenizer* tokenizer) {
    return MetadataChecks(language, caches, tokenizer).run();
}

}  // namespace et::tasks
