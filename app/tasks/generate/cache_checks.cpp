#include "app/tasks/generate/language_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using inspector::LanguagePhase;

constexpr std::string_view checkName = "cache positions";

std::string spanText(std::int64_t start, std::int64_t count) {
    return count == 1 ? fmt::format("position {}", start)
                      : fmt::format("positions {} to {}", start, start + count - 1);
}

/// The fault of a write of a call whose tokens start at `first`; empty: nothing.
std::string faultOf(const kernels::KvCacheWrite& write, std::int64_t first, std::int64_t tokens) {
    if (write.replaced) {
        return fmt::format("writes {} twice, with other keys or values: several layers share this cache",
                           spanText(write.start, write.count));
    }
    if (write.start != first || write.count != tokens || !write.consecutive) {
        return fmt::format("writes {}{}, expected {}: the cache is stale", spanText(write.start, write.count),
                           write.consecutive ? "" : " out of order", spanText(first, tokens));
    }
    return {};
}

/// Runs calls of a conversation, and checks what they write.
class PositionChecks {
  public:
    explicit PositionChecks(const CheckContext& given) : ground(given), language(given.language) {}

    Result<std::vector<LanguageCheck>> run() {
        if (language.hostCaches.layers.empty() || !language.form.takesPositions()) {
            return std::move(checks);
        }
        ET_TRY(language.reset());
        const std::span<const std::uint32_t> tokens(ground.tokens);
        const std::size_t prompt = std::min(tokens.size() - 2, language.form.chunk);
        ET_TRY(call(LanguagePhase::Prefill, tokens.first(prompt), 0));
        ET_TRY(call(LanguagePhase::Decode, tokens.subspan(prompt, 1), prompt));
        ET_TRY(call(LanguagePhase::Decode, tokens.subspan(prompt + 1, 1), prompt + 1));
        // Another conversation on the same loaded program.
        ET_TRY(call(LanguagePhase::Decode, tokens.first(1), 0));
        if (checks.empty()) {
            checks.push_back(
                {.name = std::string(checkName),
                 .message = fmt::format("calls write the positions of their tokens, from 0 in each "
                                        "conversation, to {} layers outside the program",
                                        language.hostCaches.layers.size())});
        }
        return std::move(checks);
    }

  private:
    Result<> call(LanguagePhase phase, std::span<const std::uint32_t> tokens, std::size_t position) {
        const bool takesAll = phase == LanguagePhase::Decode || language.form.prefill.takes(tokens.size());
        if (!checks.empty() || !takesAll) {
            return {};
        }
        auto done = language.run->callAt(phase, tokens, position);
        if (!done) {
            if (done.error().code == core::ErrorCode::Cancelled) {
                return std::unexpected(std::move(done).error());
            }
            fail(phase, position, std::nullopt, done.error().toString());
            return {};
        }
        checkWrites(phase, static_cast<std::int64_t>(position), static_cast<std::int64_t>(tokens.size()));
        return {};
    }

    void checkWrites(LanguagePhase phase, std::int64_t first, std::int64_t tokens) {
        const std::span<const kernels::KvCacheWrite> writes = language.module->caches().writes();
        for (const kernels::KvCacheWrite& write : writes) {
            if (const std::string fault = faultOf(write, first, tokens); !fault.empty()) {
                fail(phase, static_cast<std::size_t>(first), write.layer,
                     fmt::format("{} of {}: layer {} {}", nameOf(phase), spanText(first, tokens), write.layer,
                                 fault));
                return;
            }
        }
        for (const core::KvCacheLayer& layer : language.hostCaches.layers) {
            if (!std::ranges::contains(writes, layer.layer, &kernels::KvCacheWrite::layer)) {
                fail(phase, static_cast<std::size_t>(first), layer.layer,
                     fmt::format("{} of {} writes nothing to layer {}", nameOf(phase),
                                 spanText(first, tokens), layer.layer));
                return;
            }
        }
    }

    static std::string_view nameOf(LanguagePhase phase) {
        return phase == LanguagePhase::Prefill ? "prefill" : "decode";
    }

    void fail(LanguagePhase phase, std::size_t position, std::optional<std::int64_t> layer,
              std::string message) {
        LanguageCheck check{.name = std::string(checkName),
                            .verdict = CheckVerdict::Fail,
                            .message = std::move(message),
                            .phase = std::string(nameOf(phase)),
                            .position = position,
                            .place = "kvcache::update_and_attend"};
        if (layer) {
            check.layer = static_cast<std::size_t>(*layer);
        }
        checks.push_back(std::move(check));
    }

    const CheckContext& ground;
    LanguageModel& language;
    std::vector<LanguageCheck> checks;
};

}  // namespace

Result<std::vector<LanguageCheck>> checkCachePositions(const CheckContext& ground) {
    return PositionChecks(ground).run();
}

}  // namespace et::tasks
