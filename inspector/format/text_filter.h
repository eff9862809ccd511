#pragma once

#include "runtime/core/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace et::inspector::format {

/// A regular expression (ECMAScript, without back-references) for searching texts from files. Time is
/// proportional to the text, and stack use is bounded by the expression's limited size, for any text.
class TextFilter {
  public:
    /// Maximum text length; the rest of a longer text is ignored.
    static constexpr std::size_t maxText = 4096;

    /// Errors: InvalidArgument (invalid expression), Limit (too large).
    [[nodiscard]] static core::Result<TextFilter> make(std::string_view pattern);

    ~TextFilter();
    TextFilter(TextFilter&&) noexcept;
    TextFilter& operator=(TextFilter&&) noexcept;
    TextFilter(const TextFilter&) = delete;
    TextFilter& operator=(const TextFilter&) = delete;

    [[nodiscard]] bool matches(std::string_view text) const;

  private:
    struct Impl;
    explicit TextFilter(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::inspector::format
