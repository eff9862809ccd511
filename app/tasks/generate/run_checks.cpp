#include "app/tasks/generate/cache_content.h"
#include "app/tasks/generate/language_checks.h"
#include "app/tasks/generate/perplexity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::Result;
using inspector::LanguagePhase;
using inspector::LanguageRun;
using inspector::Logits;
using Tokens = std::span<const std::uint32_t>;

/// KL divergence that a different summation order may cause; low-bit weights round more.
constexpr double mostDivergence = 1e-3;

/// Formats positions: "3", "1 to 22", "0, 5, 6"; consecutive positions become a range.
std::string positionsText(const std::vector<std::size_t>& positions) {
    if (positions.empty()) {
        return "none";
    }
    if (positions.size() > 2 && positions.back() - positions.front() + 1 == positions.size()) {
        return fmt::format("{} to {}", positions.front(), positions.back());
    }
    return fmt::format("{}", fmt::join(positions, ", "));
}

/// The checks of one loaded program. A failing call is a failed check, not an error.
class RunChecks {
  public:
    explicit RunChecks(const CheckContext& given) : ground(given) {}

    Result<std::vector<LanguageCheck>> run() {
        ET_TRY(checkCacheRows());
        ET_ASSIGN(std::vector<LanguageCheck> positions, checkCachePositions(ground));
        std::ranges::move(positions, std::back_inserter(checks));
        ET_TRY(checkPhases());
        ET_TRY(checkRepetition());
        ET_TRY(checkEnd());
        return std::move(checks);
    }

  private:
    [[nodiscard]] LanguageRun& model() { return *ground.language.run; }

    void add(LanguageCheck check) { checks.push_back(std::move(check)); }
    /// Adds a failed check for an error of the program; returns Cancelled as an error.
    Result<> addError(const std::string& name, core::Error error, std::string phase, std::size_t position) {
        if (error.code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(error));
        }
        add({.name = name,
             .verdict = CheckVerdict::Fail,
             .message = error.toString(),
             .phase = std::move(phase),
             .position = position});
        return {};
    }

    Result<> checkCacheRows();
    Result<bool> checkCallRows(Tokens tokens, LanguagePhase phase);
    void addRows(const CacheRows& cache, std::size_t index, std::size_t caches,
                 const std::vector<std::size_t>& changed, std::size_t tokens, LanguagePhase phase);
    Result<std::vector<float>> logitsOf(Tokens tokens, std::size_t chunk);
    Result<> checkPhases();
    Result<> checkChunk(Tokens tokens, std::size_t chunk, std::span<const float> expected,
                        const std::vector<CacheRows>& caches);
    Result<> checkRepetition();
    Result<> checkEnd();
    [[nodiscard]] std::size_t layersFor(std::size_t caches) const {
        return static_cast<std::size_t>(std::clamp<std::int64_t>(ground.language.metadata.layers.value_or(0),
                                                                 0, static_cast<std::int64_t>(caches)));
    }

    const CheckContext& ground;
    std::vector<LanguageCheck> checks;
};

void RunChecks::addRows(const CacheRows& cache, std::size_t index, std::size_t caches,
                        const std::vector<std::size_t>& changed, std::size_t tokens, LanguagePhase phase) {
    const std::size_t first = model().position() - tokens;
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < tokens && cache.positions > 0; ++i) {
        expected.push_back((first + i) % cache.positions);
    }
    std::ranges::sort(expected);
    if (changed == expected) {
        return;
    }
    add({.name = "cache rows",
         .verdict = CheckVerdict::Fail,
         .message =
             fmt::format("{} of {} writes position{} {} to a cache, expected {}",
                         phase == LanguagePhase::Prefill ? "prefill" : "decode",
                         tokens == 1 ? "1 token" : fmt::format("{} tokens", tokens),
                         changed.size() == 1 ? "" : "s", positionsText(changed), positionsText(expected)),
         .phase = phase == LanguagePhase::Prefill ? "prefill" : "decode",
         .position = first,
         .layer = cache.layer ? *cache.layer : layerOf(index, caches, layersFor(caches)),
         .place = cache.layer
                      ? fmt::format("kvcache::update_and_attend, {}", cache.cache.type)
                      : fmt::format("cache update, value {} {}", cache.cache.value.value, cache.cache.type)});
}

/// Returns false if the call failed.
Result<bool> RunChecks::checkCallRows(Tokens tokens, LanguagePhase phase) {
    ET_ASSIGN(const std::vector<CacheRows> before, cacheContent(ground.language));
    auto done = phase == LanguagePhase::Prefill ? model().prefill(tokens) : model().decode(tokens.front());
    if (!done) {
        ET_TRY(addError("cache rows", std::move(done).error(),
                        phase == LanguagePhase::Prefill ? "prefill" : "decode", model().position()));
        return false;
    }
    ET_ASSIGN(const std::vector<CacheRows> after, cacheContent(ground.language));
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
        addRows(after[i], i, after.size(), changedRows(before[i], after[i]), tokens.size(), phase);
    }
    return true;
}

/// Checks that a call writes only the cache rows of its own tokens.
Result<> RunChecks::checkCacheRows() {
    ET_TRY(ground.language.reset());
    ET_ASSIGN(const std::vector<CacheRows> caches, cacheContent(ground.language));
    if (caches.empty() || !ground.language.form.hasCache()) {
        add({.name = "cache rows",
             .verdict = CheckVerdict::Skipped,
             .message = "no caches found in the program"});
        return {};
    }
    const std::size_t before = checks.size();
    const Tokens tokens(ground.tokens);
    ET_ASSIGN(const bool done, checkCallRows(tokens.first(tokens.size() - 2), LanguagePhase::Prefill));
    if (done) {
        ET_TRY(checkCallRows(tokens.subspan(tokens.size() - 2, 1), LanguagePhase::Decode).transform([](bool) {
        }));
    }
    if (checks.size() == before) {
        add({.name = "cache rows",
             .message = fmt::format("calls write their own positions to {} caches", caches.size())});
    }
    return {};
}

/// Runs the tokens from position 0; chunk 0 runs them in one call.
Result<std::vector<float>> RunChecks::logitsOf(Tokens tokens, std::size_t chunk) {
    if (ground.language.form.takesPositions()) {
        model().setPosition(0);
    } else {
        ET_TRY(ground.language.reset());
    }
    if (chunk == 1 && ground.language.form.hasCache()) {
        std::vector<float> last;
        for (const std::uint32_t token : tokens) {
            ET_ASSIGN(const Logits logits, model().decode(token));
            last.assign(logits.last().begin(), logits.last().end());
        }
        return last;
    }
    ET_ASSIGN(const Logits logits, model().prefill(tokens, chunk));
    return std::vector<float>(logits.last().begin(), logits.last().end());
}

Result<> RunChecks::checkChunk(Tokens tokens, std::size_t chunk, std::span<const float> expected,
                               const std::vector<CacheRows>& caches) {
    const std::string how = chunk == 1 ? "token by token" : fmt::format("in chunks of {}", chunk);
    const std::string name = chunk == 1 ? "stepping" : "chunks";
    ET_TRY(ground.language.reset());
    auto logits = logitsOf(tokens, chunk);
    if (!logits) {
        return addError(name, std::move(logits).error(), chunk == 1 ? "decode" : "prefill",
                        model().position());
    }
    const PredictionDifference difference = differenceOf(*logits, expected);
    LanguageCheck check{.name = name,
                        .message = fmt::format("prefill {} matches prefill in one call", how),
                        .measured = difference.divergence,
                        .limit = mostDivergence};
    if (!(difference.divergence <= mostDivergence)) {
        check.verdict = CheckVerdict::Fail;
        check.phase = chunk == 1 ? "decode" : "prefill";
        check.position = tokens.size() - 1;
        check.message = fmt::format(
            "prefill {} gives different logits than prefill in one call: KL {:.3g} nats, largest difference "
            "{:.3g}",
            how, difference.divergence, difference.maxLogit);
        // The first cache that differs belongs to the faulty layer or to the layer after it.
        ET_ASSIGN(const std::vector<CacheRows> now, cacheContent(ground.language));
        constexpr double sameCache = 1e-2;
        for (std::size_t i = 0; i < std::min(now.size(), caches.size()) && !check.layer; ++i) {
            if (relativeDifference(now[i], caches[i].values, tokens.size()) > sameCache) {
                check.layer = now[i].layer ? *now[i].layer : layerOf(i, now.size(), layersFor(now.size()));
                check.place = fmt::format(
                    "values that layer {} writes to its cache {}", *check.layer,
                    now[i].cache.name.empty() ? now[i].cache.type : std::string(now[i].cache.name));
            }
        }
        if (!check.layer && layersFor(now.size()) > 0) {
            check.layer = layersFor(now.size()) - 1;
            check.place = "after the last cache";
        }
    }
    add(std::move(check));
    return {};
}

Result<> RunChecks::checkPhases() {
    const Tokens tokens(ground.tokens);
    ET_TRY(ground.language.reset());
    auto once = logitsOf(tokens, 0);
    if (!once) {
        return addError("finite", std::move(once).error(), "prefill", model().position());
    }
    const auto strange = std::ranges::find_if_not(*once, [](float logit) { return std::isfinite(logit); });
    if (strange != once->end()) {
        add({.name = "finite",
             .verdict = CheckVerdict::Fail,
             .message = fmt::format("the logit of token {} is {}", strange - once->begin(), *strange),
             .phase = "prefill",
             .position = tokens.size() - 1});
        return {};
    }
    add({.name = "finite", .message = "logits are finite"});
    ET_ASSIGN(const std::vector<CacheRows> caches, cacheContent(ground.language));
    if (!ground.language.form.hasCache()) {
        add({.name = "chunks",
             .verdict = CheckVerdict::Skipped,
             .message = "without a cache, every call receives all tokens"});
        return {};
    }
    for (const std::size_t chunk : {std::size_t{5}, std::size_t{1}}) {
        ground.watch.step();
        ET_TRY(checkChunk(tokens, chunk, *once, caches));
    }
    return {};
}

/// Runs the same text again after another one, and checks that no state is left over.
Result<> RunChecks::checkRepetition() {
    if (ground.language.form.hasCache() && !ground.language.form.takesPositions()) {
        add({.name = "second run",
             .verdict = CheckVerdict::Skipped,
             .message = "the program counts positions itself: another text needs a new module"});
        return {};
    }
    const Tokens tokens(ground.tokens);
    ET_TRY(ground.language.reset());
    auto first = logitsOf(tokens, 0);
    std::vector<std::uint32_t> other(ground.tokens.rbegin(), ground.tokens.rend());
    auto between = logitsOf(other, 0);
    auto second = logitsOf(tokens, 0);
    for (auto* each : {&first, &between, &second}) {
        if (!*each) {
            return addError("second run", std::move(*each).error(), "prefill", model().position());
        }
    }
    const PredictionDifference difference = differenceOf(*second, *first);
    LanguageCheck check{.name = "second run",
                        .message = "a second run matches the first",
                        .measured = difference.divergence,
                        .limit = mostDivergence};
    if (!(difference.divergence <= mostDivergence)) {
        check.verdict = CheckVerdict::Fail;
        check.phase = "prefill";
        check.position = tokens.size() - 1;
        check.message = fmt::format(
            "a second run from position 0 gives different logits than the first: KL {:.3g} nats; it depends "
            "on the text in between",
            difference.divergence);
        check.place = "cache";
    }
    add(std::move(check));
    return {};
}

/// Checks that the last position works and that the next one is rejected.
Result<> RunChecks::checkEnd() {
    if (!ground.language.form.takesPositions()) {
        add({.name = "limit",
             .verdict = CheckVerdict::Skipped,
             .message = ground.language.form.hasCache()
                            ? "the program counts positions itself: a call cannot choose one"
                            : "without a cache, there are no positions"});
        return {};
    }
    ET_TRY(ground.language.reset());
    const std::size_t context = ground.language.form.context;
    const Tokens one = Tokens(ground.tokens).first(1);
    if (auto last = model().callAt(LanguagePhase::Decode, one, context - 1); !last) {
        return addError("limit", std::move(last).error(), "decode", context - 1);
    }
    auto beyond = model().callAt(LanguagePhase::Decode, one, context);
    if (!beyond && beyond.error().code == ErrorCode::Cancelled) {
        return std::unexpected(std::move(beyond).error());
    }
    if (beyond) {
        add({.name = "limit",
             .verdict = CheckVerdict::Fail,
             .message = fmt::format("position {} is computed although the context has {} positions", context,
                                    context),
             .phase = "decode",
             .position = context,
             .place = "get_max_context_len"});
    } else {
        add({.name = "limit",
             .message = fmt::format("position {} works, position {} is rejected", context - 1, context)});
    }
    return {};
}

}  // namespace

Result<std::vector<LanguageCheck>> checkRuns(const CheckContext& ground) {
    return RunChecks(ground).run();
}

}  // namespace et::tasks
