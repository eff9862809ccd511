#include "app/studio/fuzzy_match.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace et::studio {

namespace {

constexpr int letter = 10;
constexpr int following = 15;  // immediately after the previous letter
constexpr int wordStart = 20;
constexpr int none = std::numeric_limits<int>::min() / 2;

bool startsWord(QStringView text, qsizetype at) {
    return at == 0 || !text[at - 1].isLetterOrNumber() || (text[at].isUpper() && text[at - 1].isLower());
}

/// For each position in the text, the score of the letters so far if the last one matches there.
using Scores = std::vector<int>;

/// Adds one letter. `first`: there is none before it.
Scores withLetter(const Scores& before, QChar wanted, QStringView text, bool first) {
    Scores scores(before.size(), none);
    int best = first ? 0 : none;  // over all positions further left
    for (std::size_t place = 0; place < scores.size(); ++place) {
        const auto at = static_cast<qsizetype>(place);
        if (place > 0 && !first) {
            best = std::max(best, before[place - 1]);
        }
        if (best > none && text[at].toLower() == wanted.toLower()) {
            const int beside = place > 0 && !first ? before[place - 1] + following : none;
            scores[place] = std::max(best, beside) + letter + (startsWord(text, at) ? wordStart : 0);
        }
    }
    return scores;
}

}  // namespace

std::optional<int> fuzzyScore(QStringView wanted, QStringView text) {
    Scores scores(static_cast<std::size_t>(text.size()), none);
    bool first = true;
    for (const QChar each : wanted) {
        if (!each.isSpace()) {
            scores = withLetter(scores, each, text, std::exchange(first, false));
        }
    }
    if (first) {
        return 0;
    }
    const int best = scores.empty() ? none : std::ranges::max(scores);
    return best > 0 ? std::optional(best - static_cast<int>(text.size())) : std::nullopt;
}

}  // namespace et::studio
