#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace et::inspector::tokenizers::detail {

/// A range of a text, in bytes.
struct TextRange {
    std::size_t begin = 0;
    std::size_t end = 0;

    bool operator==(const TextRange&) const = default;
};

/// Syntax of a pattern.
enum class RegexDialect : std::uint8_t {
    Oniguruma,  ///< Hugging Face: Ruby's syntax; ^ and $ match at lines, (?m) makes . match line breaks
    Rust,       ///< tiktoken, tekken: the crates regex and fancy-regex
};

/// A compiled pattern (PCRE2). Immutable and thread-safe.
class Regex {
  public:
    /// Maximum size of a pattern in bytes.
    static constexpr std::size_t maxPattern = 16384;

    /// Errors: Format (malformed), Unsupported (syntax that PCRE2 lacks), Limit (too long).
    [[nodiscard]] static core::Result<Regex> compile(std::string_view pattern, RegexDialect dialect);
    /// A pattern that matches the text literally.
    [[nodiscard]] static core::Result<Regex> literal(std::string_view text);

    Regex(Regex&&) noexcept;
    Regex& operator=(Regex&&) noexcept;
    ~Regex();

    /// Iterates over the matches of a text from left to right. `text` is UTF-8; it and the pattern must
    /// outlive this.
    class Matches {
      public:
        Matches(const Regex& pattern, std::string_view text);
        Matches(const Matches&) = delete;
        Matches& operator=(const Matches&) = delete;
        ~Matches();

        /// The next match; nothing at the end. An empty match is never adjacent to the previous match.
        /// Errors: Limit (the pattern backtracks far more than a tokenizer's).
        [[nodiscard]] core::Result<std::optional<TextRange>> next();

      private:
        struct State;
        std::unique_ptr<State> state;
    };

  private:
    struct Compiled;
    explicit Regex(std::unique_ptr<const Compiled> from);

    std::unique_ptr<const Compiled> compiled;
};

/// `pattern` in PCRE2's syntax: \s, \w, \d and their complements with the dialect's Unicode properties,
/// scripts by Script only, and Ruby's (?m) as (?s). Errors: Unsupported.
struct TranslatedPattern {
    std::string text;
    bool nestedClasses = false;  ///< contains [a[b]] or [a&&b]
};
[[nodiscard]] core::Result<TranslatedPattern> translatePattern(std::string_view pattern,
                                                               RegexDialect dialect);

}  // namespace et::inspector::tokenizers::detail
