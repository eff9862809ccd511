#include "app/tasks/base/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace et::tasks {
namespace {

/// Longer words are no typing errors, and the distance is quadratic.
constexpr std::size_t longestWord = 64;

}  // namespace

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> older(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    std::iota(previous.begin(), previous.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                current[j] = std::min(current[j], older[j - 2] + 1);
            }
        }
        std::swap(older, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

std::string didYouMean(std::string_view given, std::span<const std::string> known) {
    if (given.empty() || given.size() > longestWord) {
        return {};
    }
    std::size_t best = std::max<std::size_t>(1, given.size() / 3) + 1;
    std::string_view nearest;
    for (const std::string& candidate : known) {
        const std::size_t distance = editDistance(given, candidate);
        if (distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest.empty() ? std::string{} : fmt::format(" (did you mean '{}'?)", nearest);
}

}  // namespace et::tasks
