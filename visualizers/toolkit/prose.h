#pragma once

#include <QString>

namespace et::visualizers {

/// Converts our own text to rich text, with names escaped; text between backticks is in a code font.
[[nodiscard]] QString proseHtml(const QString& text);
/// Same as plain text, without the backticks.
[[nodiscard]] QString prosePlain(const QString& text);

}  // namespace et::visualizers
