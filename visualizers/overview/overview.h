#pragma once

#include "inspector/findings/answers.h"
#include "inspector/findings/dashboard.h"
#include "inspector/findings/findings.h"
#include "inspector/session/session.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::visualizers {

/// A line of the overview.
struct OverviewLine {
    enum class Severity : std::uint8_t { Plain, Good, Bad };
    QString label;  ///< may be empty
    QString text;
    Severity severity = Severity::Plain;
    QString detail{};  ///< small text below; may be empty
    QString link{};    ///< link target of the text: "event:0:12", "open:files", "panel:run"; or nothing
};

struct OverviewSection {
    /// Position in the window: a column, or widgets that draw the same content.
    enum class Place : std::uint8_t { Left, Right, Drawn };
    QString title;
    std::vector<OverviewLine> lines;  ///< never empty
    Place place = Place::Right;
};

/// Summary of the open files: answers, the slowest operators, findings, key figures, and whether the files
/// match.
struct Overview {
    inspector::Answers answers{};
    std::vector<OverviewSection> sections;
    std::vector<inspector::Finding> findings;  ///< findings shown, whose lines link to "finding:0", …
    std::size_t findingsLeft = 0;              ///< number of findings not shown
    inspector::Dashboard dashboard{};          ///< data of the plots
};

/// Number of findings with a line.
enum class FindingCount : std::uint8_t {
    Five,  ///< the first five, and a line that links to "findings:all" if there are more
    All,
};

/// Link that selects and shows the operator: "event:0:12".
[[nodiscard]] QString operatorLink(const inspector::events::SlowOperator& of);

/// Joins delegates and times, which takes a moment for large programs. `verdicts`: of the tests that have
/// been run.
[[nodiscard]] Overview makeOverview(const inspector::Session& session,
                                    std::span<const bundled_program::CaseReport> verdicts = {},
                                    FindingCount count = FindingCount::Five);

/// The lines as rich text, without the title. All text is escaped.
[[nodiscard]] QString toHtml(const OverviewSection& section);

/// The lines as Markdown, for the clipboard.
[[nodiscard]] QString toMarkdown(const std::vector<OverviewSection>& sections);

}  // namespace et::visualizers
