#pragma once

#include <QColor>

class QPainter;
class QPalette;
class QRectF;

/// Marks of the debugger, the same in every view; distinguishable by shape as well as by colour.
namespace et::visualizers {

/// Colour of the current instruction.
[[nodiscard]] QColor currentColour(const QPalette& palette);
/// The background of its line.
[[nodiscard]] QColor currentGround(const QPalette& palette);
/// Colour of breakpoints.
[[nodiscard]] QColor breakpointColour(const QPalette& palette);

/// An arrow to the right.
void paintCurrentMark(QPainter& painter, const QRectF& place, const QPalette& palette);
/// A disc; a ring if the breakpoint is disabled.
void paintBreakpointMark(QPainter& painter, const QRectF& place, bool enabled, const QPalette& palette);

}  // namespace et::visualizers
