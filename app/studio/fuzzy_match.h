#pragma once

#include <QStringView>

#include <optional>

namespace et::studio {

/// Scores how well `wanted` matches `text`: its letters must occur in that order, ignoring case and blanks.
/// Higher is better: consecutive letters and initial letters of words score more, and so do short texts.
/// Nothing if a letter is missing. An empty `wanted` matches all texts equally.
[[nodiscard]] std::optional<int> fuzzyScore(QStringView wanted, QStringView text);

}  // namespace et::studio
