#pragma once

#include "runtime/core/result.h"

#include <chrono>
#include <cstddef>
#include <optional>

namespace et::inspector::detail {

/// What one call (an encode, a decode, opening a file) may take, whatever the file says: steps of a
/// tokenizer.json can make a text longer by a factor each, and patterns can be slow at every character. It
/// holds for the thread and all that is called while it lives; of two the outer one counts.
class CallBudget {
  public:
    using Clock = std::chrono::steady_clock;

    /// `bytes` is what the call is about: the text, or the pieces of its ids.
    explicit CallBudget(std::size_t bytes);
    CallBudget(const CallBudget&) = delete;
    CallBudget& operator=(const CallBudget&) = delete;
    ~CallBudget();

    /// Takes `bytes` of text that a step writes. Errors: Limit (far more than steps of tokenizers make of
    /// such a text).
    [[nodiscard]] static core::Result<> take(std::size_t bytes);
    /// Until when patterns may search; nothing outside of a call.
    [[nodiscard]] static std::optional<Clock::time_point> deadline();

  private:
    bool outer;
};

/// How long patterns may take over a text.
[[nodiscard]] CallBudget::Clock::duration timeForText(std::size_t bytes);

}  // namespace et::inspector::detail
