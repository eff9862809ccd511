#define PCRE2_CODE_UNIT_WIDTH 8
#include "inspector/tokenizers/detail/regex.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <utility>

namespace et::inspector::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Steps back that one start of a match may take: patterns of tokenizers need as many as a run of blanks is
/// long.
constexpr std::uint32_t matchLimit = 4'000'000;
constexpr std::uint32_t heapLimitKiB = 65536;
constexpr std::size_t jitStackStart = 32768;
constexpr std::size_t jitStackMost = std::size_t{8} << 20;
/// Starts that are tried in one call, after which the clock is looked at.
constexpr std::size_t startsPerCall = 4096;
/// How long a text may take: a pattern that is slow at every start never meets matchLimit.
constexpr std::chrono::seconds timeForAnyText{20};
constexpr std::chrono::seconds timePerMegabyte{10};

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
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // without it, matching is slower and the same
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
        return fail(ErrorCode::Limit,
                    fmt::format("a pattern of {} bytes, at most {} are read", pattern.size(), maxPattern));
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
                    fmt::format("a text of {} bytes, at most {} are read", text.size(), maxPattern));
    }
    ET_ASSIGN(Code code, compileCode(text, PCRE2_LITERAL));
    return Regex(std::make_unique<const Compiled>(std::move(code)));
}

namespace {

/// What matching needs beside the pattern, made once a thread.
struct MatchMemory {
    MatchContext context{pcre2_match_context_create(nullptr)};
    MatchData data{pcre2_match_data_create(1, nullptr)};
    JitStack stack{pcre2_jit_stack_create(jitStackStart, jitStackMost, nullptr)};

    MatchMemory() {
        if (context) {
            pcre2_set_match_limit(context.get(), matchLimit);
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
    std::size_t searched = 0;  ///< starts since the clock was looked at
    std::optional<std::size_t> lastEnd;
    std::chrono::steady_clock::time_point deadline;

    /// The character behind `position`.
    [[nodiscard]] std::size_t after(std::size_t position) const {
        do {
            ++position;
        } while (position < text.size() && (static_cast<unsigned char>(text[position]) & 0xC0) == 0x80);
        return position;
    }
    [[nodiscard]] Result<bool> find(std::size_t lastStart);
};

Regex::Matches::Matches(const Regex& pattern, std::string_view text) : state(std::make_unique<State>()) {
    state->code = pattern.compiled->code.get();
    state->text = text;
    state->deadline = std::chrono::steady_clock::now() + timeForAnyText +
                      (timePerMegabyte * static_cast<std::int64_t>(text.size() >> 20));
}

Regex::Matches::~Matches() = default;

/// Looks for a match that starts at `at` or behind, up to `lastStart`.
Result<bool> Regex::Matches::State::find(std::size_t lastStart) {
    pcre2_match_context* const context = memory.context.get();
    pcre2_match_data* const data = memory.data.get();
    if (context == nullptr || data == nullptr) {
        return fail(ErrorCode::Limit, "not enough memory to match a pattern");
    }
    pcre2_set_offset_limit(context, lastStart);
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
        if (++here.searched % 64 == 0 && std::chrono::steady_clock::now() > here.deadline) {
            return fail(ErrorCode::Limit,
                        fmt::format("the pattern took too long, at byte {} of the text", here.at));
        }
        std::size_t lastStart = std::min(here.text.size(), here.at + startsPerCall);
        while (lastStart < here.text.size() &&
               (static_cast<unsigned char>(here.text[lastStart]) & 0xC0) == 0x80) {
            ++lastStart;
        }
        ET_ASSIGN(const bool found, here.find(lastStart));
        if (!found) {
            here.searched += 63 - (here.searched % 64);  // a long call: look at the clock
            here.at = here.after(lastStart);
            continue;
        }
        const PCRE2_SIZE* const ends = pcre2_get_ovector_pointer(here.memory.data.get());
        const TextRange range{.begin = ends[0], .end = std::max(ends[0], ends[1])};
        const bool empty = range.begin == range.end;
        here.at = empty ? here.after(range.end) : range.end;
        if (empty && here.lastEnd == range.end) {
            continue;
        }
        here.lastEnd = range.end;
        return range;
    }
    return std::nullopt;
}

}  // namespace et::inspector::detail
