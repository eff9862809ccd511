#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace et::visualizers {

/// One line of what is known of something.
struct Detail {
    QString label;  ///< may be empty: the text stands for itself
    QString text;
    bool code = false;  ///< lines of source or raw numbers: fixed width, line breaks kept
    QString link{};     ///< what a click on the text asks for; empty: nothing
    QString picture{};  ///< an image resource of the document that stands below the text; empty: none
};

struct DetailSection {
    QString title;
    std::vector<Detail> info;  ///< never empty
    QString link{};            ///< what a click on the title asks for; empty: nothing
};

/// Everything that is known of one thing, in reading order: what a person sees of it, before any layout.
struct Description {
    QString title;
    QString subtitle;
    QStringList warnings;                 ///< what to know before trusting the numbers
    std::vector<DetailSection> sections;  ///< without those that have nothing to say
};

/// Adds a fact unless there is nothing to say.
void addDetail(DetailSection& section, const QString& label, const QString& text, bool code = false);
/// Adds a section unless it has nothing to say.
void addSection(std::vector<DetailSection>& sections, DetailSection section);

/// Rich text for a QTextBrowser with descriptionStyle(). All texts are escaped; colours come from the palette
/// of the widget.
[[nodiscard]] QString toHtml(const Description& description);
[[nodiscard]] QString descriptionStyle();

}  // namespace et::visualizers
