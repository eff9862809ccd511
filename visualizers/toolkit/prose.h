#pragma once

#include <QString>

namespace et::visualizers {

/// A text of ours as rich text, whatever the names in it are: what stands between two backticks in the font
/// of code.
[[nodiscard]] QString proseHtml(const QString& text);
/// The same as plain text: without the backticks.
[[nodiscard]] QString prosePlain(const QString& text);

}  // namespace et::visualizers
