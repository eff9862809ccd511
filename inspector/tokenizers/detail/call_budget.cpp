#include "inspector/tokenizers/detail/call_budget.h"

#include <algorithm>
#include <cstdint>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Factor for ten steps that each double a text, and a constant for short texts with prefixes.
constexpr std::uint64_t bytesPerByte = 256;
constexpr std::uint64_t bytesAlways = std::uint64_t{1} << 20;
constexpr std::uint64_t bytesAtMost = std::uint64_t{1} << 33;
/// A thousand times the usual time of a tokenizer.
constexpr std::chrono::seconds timeAlways{4};
constexpr std::chrono::microseconds timePerByte{10};

struct Spending {
    bool active = false;
    std::uint64_t left = 0;
    CallBudget::Clock::time_point deadline;
};
thread_local Spending spending;

}  // namespace

CallBudget::CallBudget(std::size_t bytes) : outer(!spending.active) {
    if (outer) {
        const std::uint64_t allowed =
            bytesAlways + (std::min<std::uint64_t>(bytes, bytesAtMost) * bytesPerByte);
        spending = {.active = true,
                    .left = std::min(allowed, bytesAtMost),
                    .deadline = Clock::now() + timeForText(bytes)};
    }
}

CallBudget::~CallBudget() {
    if (outer) {
        spending.active = false;
    }
}

Result<> CallBudget::take(std::size_t bytes) {
    if (!spending.active) {
        return {};
    }
    if (bytes > spending.left) {
        return fail(ErrorCode::Limit, "the tokenizer's steps produce too long a text");
    }
    spending.left -= bytes;
    return {};
}

std::optional<CallBudget::Clock::time_point> CallBudget::deadline() {
    return spending.active ? std::optional(spending.deadline) : std::nullopt;
}

CallBudget::Clock::duration timeForText(std::size_t bytes) {
    return timeAlways + (timePerByte * static_cast<std::int64_t>(bytes));
}

}  // namespace et::inspector::tokenizers::detail
