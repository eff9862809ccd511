#pragma once

#include "inspector/findings/dashboard.h"
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
    QString
        link{};  ///< what a click on the text asks for: "event:0:12", "open:files", "room:run"; or nothing
};

struct OverviewSection {
    /// Where the window has it: a column, or as cards that hold the same.
    enum class Place : std::uint8_t { Left, Right, Cards };
    QString title;
    std::vector<OverviewLine> lines;  ///< never empty
    Place place = Place::Right;
};

/// What is open, whether it belongs together, its key figures, what to look at first, and what takes most of
/// the time.
struct Overview {
    std::vector<OverviewSection> sections;
    std::vector<inspector::Finding> findings;  ///< those shown, whose lines link to "finding:0", …
    std::size_t findingsLeft = 0;              ///< that are not shown
    inspector::Dashboard dashboard{};          ///< what is painted
};

/// How many findings there are lines for.
enum class FindingCount : std::uint8_t {
    Five,  ///< the first, and a line that links to "findings:all" where there are more
    All,
};

/// Joins delegates and times, which takes a moment for large programs.
[[nodiscard]] Overview overviewOf(const inspector::Session& session, FindingCount count = FindingCount::Five);

/// The lines as rich text, without the title. All texts are escaped.
[[nodiscard]] QString toHtml(const OverviewSection& section);

/// The same as Markdown, for the clipboard.
[[nodiscard]] QString toMarkdown(const std::vector<OverviewSection>& sections);

}  // namespace et::visualizers
