#pragma once

#include "inspector/findings/findings.h"
#include "inspector/session/session.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::visualizers {

/// A line of the overview.
struct OverviewLine {
    enum class Mood : std::uint8_t { Plain, Good, Bad };
    QString label;  ///< may be empty: the text stands for itself
    QString text;
    Mood mood = Mood::Plain;
    QString detail{};  ///< smaller, below the text; may be empty
    QString link{};    ///< what a click on the text asks for; empty: nothing
};

struct OverviewSection {
    QString title;
    std::vector<OverviewLine> lines;  ///< never empty
};

/// What is open, whether it belongs together, its key figures, what to look at first, and what takes most of
/// the time.
struct Overview {
    std::vector<OverviewSection> sections;
    std::vector<inspector::Finding> findings;  ///< those shown, whose lines link to "finding:0", …
};

/// How many findings there are lines for.
enum class FindingCount : std::uint8_t {
    Five,  ///< the first, and a line that links to "findings:all" where there are more
    All,
};

/// Joins delegates and times, which takes a moment for large programs.
[[nodiscard]] Overview overviewOf(const inspector::Session& session, FindingCount count = FindingCount::Five);

/// Rich text for a QTextBrowser. All texts are escaped.
[[nodiscard]] QString toHtml(const std::vector<OverviewSection>& sections);

/// The same as Markdown, for the clipboard.
[[nodiscard]] QString toMarkdown(const std::vector<OverviewSection>& sections);

}  // namespace et::visualizers
