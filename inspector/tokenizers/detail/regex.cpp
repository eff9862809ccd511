#define PCRE2_CODE_UNIT_WIDTH 8
#include "inspector/tokenizers/detail/regex.h"

#include "inspector/tokenizers/detail/call_budget.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Limit on backtracking steps per start of a match: patterns of tokenizers need as many as the length of a
/// run of blanks.
constexpr std::size_t stepsAlways = 10'000;
constexpr std::size_t stepsPerByte = 64;
constexpr std::size_t stepsAtMost = 4'000'000;
constexpr std::uint32_t heapLimitKiB = 65536;
constexpr std::size_t jitStackStart = 32768;
constexpr std::size_t jitStackMost = std::size_t{8} << 20;
/// Number of starts between checks of the clock, which is also checked after each call without a match, since
/// a pattern that is slow at every start never reaches the step limit. Fast calls try more starts.
constexpr std::size_t firstStarts = 64;
constexpr std::size_t mostStarts = 4096;
constexpr std::chrono::milliseconds slowCall{20};

template <auto function>
struct Free {
    template <class T>
    void operator()(T* pointer) const {
        function(pointer);
    }
};
using Code = std::unique_ptr<pcre2_code, Free<pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Free<pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Free<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Free<pcre2_match_data_free>>;
using JitStack = std::unique_ptr<pcre2_jit_stack, Free<pcre2_jit_stack_free>>;

std::string messageOf(int error) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

Result<Code> compileCode(std::string_view text, std::uint32_t options) {
    const CompileContext context(pcre2_compile_context_create(nullptr));
    if (!context) {
        return fail(ErrorCode::Limit, "not enough memory for a pattern");
    }
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    pcre2_set_parens_nest_limit(context.get(), 100);
    int error = 0;
    PCRE2_SIZE offset = 0;
    Code code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                            options | PCRE2_UTF | PCRE2_USE_OFFSET_LIMIT, &error, &offset, context.get()));
    if (!code) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("the pattern \"{}\" at {}: {}", text, offset, messageOf(error)));
    }
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // without it, matching is slower but equivalent
    return code;
}

}  // namespace

struct Regex::Compiled {
    Code code;
};

Regex::Regex(std::unique_ptr<const Compiled> from) : compiled(std::move(from)) {
}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::compile(std::string_view pattern, RegexDialect dialect) {
    if (pattern.size() > maxPattern) {
        return fail(ErrorCode::Limit, fmt::format("a pattern of {} bytes exceeds the maximum of {}",
                                                  pattern.size(), maxPattern));
    }
    ET_ASSIGN(const TranslatedPattern translated, translatePattern(pattern, dialect));
    std::uint32_t options = PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
    options |= dialect == RegexDialect::Oniguruma ? PCRE2_MULTILINE : 0U;
#ifdef PCRE2_ALT_EXTENDED_CLASS
    options |= translated.nestedClasses ? PCRE2_ALT_EXTENDED_CLASS : 0U;
#endif
    ET_ASSIGN(Code code, compileCode(translated.text, options));
    return Regex(std::make_unique<const Compiled>(std::move(code)));
}

Result<Regex> Regex::literal(std::string_view text) {
    if (text.size() > maxPattern) {
        return fail(ErrorCode::Limit,
                    fmt::format("a text of {} bytes exceeds the maximum of {}", text.size(), maxPattern));
    }
    ET_ASSIGN(Code code, compileCode(text, PCRE2_LITERAL));
    return Regex(std::make_unique<const Compiled>(std::move(code)));
}

namespace {

/// Per-thread scratch memory for matching.
struct MatchMemory {
    MatchContext context{pcre2_match_context_create(nullptr)};
    MatchData data{pcre2_match_data_create(1, nullptr)};
    JitStack stack{pcre2_jit_stack_create(jitStackStart, jitStackMost, nullptr)};

    MatchMemory() {
        if (context) {
            pcre2_set_heap_limit(context.get(), heapLimitKiB);
            pcre2_jit_stack_assign(context.get(), nullptr, stack.get());
        }
    }
};

MatchMemory& matchMemory() {
    static thread_local MatchMemory memory;
    return memory;
}

}  // namespace

struct Regex::Matches::State {
    const pcre2_code* code = nullptr;
    std::string_view text;
    MatchMemory& memory = matchMemory();
    std::size_t at = 0;
    std::size_t starts = 0;  ///< number of starts tried since the last check of the clock
    std::size_t startsPerCall = firstStarts;
    std::optional<std::size_t> lastEnd;
    CallBudget::Clock::time_point looked;
    CallBudget::Clock::time_point deadline;

    /// The position of the character after `position`.
    [[nodiscard]] std::size_t after(std::size_t position) const {
        do {
            ++position;
        } while (position < text.size() && (static_cast<unsigned char>(text[position]) & 0xC0) == 0x80);
        return position;
    }
    [[nodiscard]] std::size_t lastStart() const;
    [[nodiscard]] Result<bool> find(std::size_t last);
    [[nodiscard]] Result<> checkDeadline();
};

Regex::Matches::Matches(const Regex& pattern, std::string_view text) : state(std::make_unique<State>()) {
    state->code = pattern.compiled->code.get();
    state->text = text;
    const auto deadline = CallBudget::deadline();
    state->looked = CallBudget::Clock::now();
    state->deadline = deadline ? *deadline : state->looked + timeForText(text.size());
}

Regex::Matches::~Matches() = default;

/// Last start tried by the next call, at a character boundary.
std::size_t Regex::Matches::State::lastStart() const {
    std::size_t last = std::min(text.size(), at + startsPerCall);
    while (last < text.size() && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) {
        ++last;
    }
    return last;
}

/// Errors: Limit (the deadline has passed).
Result<> Regex::Matches::State::checkDeadline() {
    const auto now = CallBudget::Clock::now();
    if (now > deadline) {
        return fail(ErrorCode::Limit, fmt::format("the pattern took too long, at byte {} of the text", at));
    }
    startsPerCall = now - looked > slowCall ? std::max<std::size_t>(1, startsPerCall / 8)
                                            : std::min(mostStarts, startsPerCall * 2);
    looked = now;
    starts = 0;
    return {};
}

/// Searches for a match that starts between `at` and `last`.
Result<bool> Regex::Matches::State::find(std::size_t last) {
    pcre2_match_context* const context = memory.context.get();
    pcre2_match_data* const data = memory.data.get();
    if (context == nullptr || data == nullptr) {
        return fail(ErrorCode::Limit, "not enough memory to match a pattern");
    }
    pcre2_set_offset_limit(context, last);
    pcre2_set_match_limit(context, static_cast<std::uint32_t>(std::min(
                                       stepsAtMost, stepsAlways + (stepsPerByte * (text.size() - at)))));
    const auto* const subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    int found = pcre2_match(code, subject, text.size(), at, PCRE2_NO_UTF_CHECK, data, context);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
        found = pcre2_match(code, subject, text.size(), at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, data, context);
    }
    if (found == PCRE2_ERROR_NOMATCH) {
        return false;
    }
    if (found < 0) {
        return fail(ErrorCode::Limit,
                    fmt::format("the pattern at byte {} of the text: {}", at, messageOf(found)));
    }
    return true;
}

Result<std::optional<TextRange>> Regex::Matches::next() {
    State& here = *state;
    while (here.at <= here.text.size()) {
        const std::size_t last = here.lastStart();
        ET_ASSIGN(const bool found, here.find(last));
        if (!found) {
            here.at = here.after(last);
            ET_TRY(here.checkDeadline());
            continue;
        }
        const PCRE2_SIZE* const ends = pcre2_get_ovector_pointer(here.memory.data.get());
        const TextRange range{.begin = ends[0], .end = std::max(ends[0], ends[1])};
        const bool empty = range.begin == range.end;
        here.starts += 1 + (range.begin - std::min(here.at, range.begin));
        if (here.starts >= firstStarts) {
            ET_TRY(here.checkDeadline());
        }
        here.at = empty ? here.after(range.end) : range.end;
        if (empty && here.lastEnd == range.end) {
            continue;
        }
        here.lastEnd = range.end;
        return range;
    }
    return std::nullopt;
}

}  // namespace et::inspector::tokenizers::detail
