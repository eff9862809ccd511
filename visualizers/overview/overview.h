#pragma once

#include "inspector/session.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace et::visualizers {

/// A line of the overview.
struct OverviewLine {
    enum class Mood : std::uint8_t { Plain, Good, Bad };
    QString label;  ///< may be empty: the text stands for itself
    QString text;
    Mood mood = Mood::Plain;
};

struct OverviewSection {
    QString title;
    std::vector<OverviewLine> lines;  ///< never empty
};

/// What is open, whether it belongs together, its key figures, and what takes most of the time. Joins
/// delegates and times, which takes a moment for large programs.
[[nodiscard]] std::vector<OverviewSection> overviewOf(const inspector::Session& session);

/// Rich text for a QTextBrowser. All texts are escaped.
[[nodiscard]] QString toHtml(const std::vector<OverviewSection>& sections);

}  // namespace et::visualizers
