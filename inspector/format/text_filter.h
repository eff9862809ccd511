#pragma once

#include "runtime/core/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace et::inspector::report {

/// A regular expression (ECMAScript, without back-references) that is searched for in texts from files. Time
/// is proportional to the text and stack use is bounded by the expression's own limited size, whatever the
/// text.
class TextFilter {
  public:
    /// Longest text that is looked at; the rest of a longer one is not.
    static constexpr std::size_t maxText = 4096;

    /// Errors: InvalidArgument (not an expression), Limit (too large).
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

}  // namespace et::inspector::report
