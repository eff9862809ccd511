#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace et::visualizers {

/// A labelled line of a description.
struct Detail {
    QString label;  ///< may be empty
    QString text;
    bool code = false;  ///< source lines or raw numbers: fixed width, line breaks kept
    QString link{};     ///< link target of the text; empty: none
    QString picture{};  ///< image resource of the document shown below the text; empty: none
};

struct DetailSection {
    QString title;
    std::vector<Detail> info;  ///< never empty
    QString link{};            ///< link target of the title; empty: none
};

/// Description of an item in reading order, independent of layout.
struct Description {
    QString title;
    QString subtitle;
    QStringList warnings;                 ///< caveats about the numbers
    std::vector<DetailSection> sections;  ///< without empty ones
};

/// Adds a detail unless its text is empty.
void addDetail(DetailSection& section, const QString& label, const QString& text, bool code = false);
/// Adds a section unless it is empty.
void addSection(std::vector<DetailSection>& sections, DetailSection section);

/// Rich text for a QTextBrowser with descriptionStyle(). All text is escaped; colours come from the widget's
/// palette.
[[nodiscard]] QString toHtml(const Description& description);
[[nodiscard]] QString descriptionStyle();

}  // namespace et::visualizers
