#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

#include <string_view>

namespace et::visualizers {

/// Colours and fonts of a graph on a light or dark background.
struct GraphStyle {
    bool dark = false;
    QFont font;
    QColor ground;
    QColor ink;       ///< titles
    QColor faint;     ///< second lines
    QColor plain;     ///< boxes without a specific colour
    QColor end;       ///< inputs and outputs
    QColor rule;      ///< around boxes
    QColor line;      ///< between boxes
    QColor chosen;    ///< outline and edges of the selected box
    QColor found;     ///< around matches
    QColor note;      ///< mark of boxes with notes
    QColor frame;     ///< open groups
    QColor delegate;  ///< open delegates
    QPalette palette;

    [[nodiscard]] static GraphStyle of(const QPalette& palette, const QFont& font);
    /// The colour of a box or legend entry ("#a6cee3"; empty: plain). On a dark background it has the same
    /// hue and is as dark as the given one is light.
    [[nodiscard]] QColor fill(std::string_view colour) const;
};

}  // namespace et::visualizers
