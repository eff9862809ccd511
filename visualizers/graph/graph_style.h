#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

#include <string_view>

namespace et::visualizers {

/// Colours and letters of a graph on a light or a dark ground.
struct GraphStyle {
    bool dark = false;
    QFont font;
    QColor ground;
    QColor ink;       ///< titles
    QColor faint;     ///< second lines
    QColor plain;     ///< boxes without a colour of their own
    QColor end;       ///< inputs and outputs
    QColor rule;      ///< around boxes
    QColor line;      ///< between boxes
    QColor chosen;    ///< around the chosen box, its lines
    QColor found;     ///< around matches
    QColor note;      ///< at boxes with notes
    QColor frame;     ///< open groups
    QColor delegate;  ///< open delegates

    [[nodiscard]] static GraphStyle of(const QPalette& palette, const QFont& font);
    /// The colour of a box or a legend entry ("#a6cee3"; empty: plain): on a dark ground of the same hue, and
    /// as dark as the given one is light.
    [[nodiscard]] QColor fill(std::string_view colour) const;
};

}  // namespace et::visualizers
