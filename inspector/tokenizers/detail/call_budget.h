#pragma once

#include "runtime/core/result.h"

#include <chrono>
#include <cstddef>
#include <optional>

namespace et::inspector::tokenizers::detail {

/// Resource limit of one call (an encode, a decode, opening a file), independent of the file's contents: each
/// step of a tokenizer.json can multiply the length of a text, and patterns can be slow at every character.
/// Applies to everything on the same thread during its lifetime; if nested, the outer one applies.
class CallBudget {
  public:
    using Clock = std::chrono::steady_clock;

    /// `bytes` is the input size: that of the text, or of the pieces of the ids.
    explicit CallBudget(std::size_t bytes);
    CallBudget(const CallBudget&) = delete;
    CallBudget& operator=(const CallBudget&) = delete;
    ~CallBudget();

    /// Accounts for `bytes` of text written by a step. Errors: Limit (far more than steps of tokenizers
    /// produce from such a text).
    [[nodiscard]] static core::Result<> take(std::size_t bytes);
    /// Deadline of pattern searches; nothing outside a call.
    [[nodiscard]] static std::optional<Clock::time_point> deadline();

  private:
    bool outer;
};

/// Time limit of pattern searches in a text.
[[nodiscard]] CallBudget::Clock::duration timeForText(std::size_t bytes);

}  // namespace et::inspector::tokenizers::detail
