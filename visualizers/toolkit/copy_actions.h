#pragma once

#include "inspector/format/table.h"

#include <QString>
#include <QWidget>

#include <functional>

namespace et::visualizers {

/// Adds "Copy as TSV" and "Copy as Markdown" with the keys used in all tables; `text` returns the clipboard
/// content.
void addCopyActions(QWidget& owner, std::function<QString(inspector::format::Format)> text);

}  // namespace et::visualizers
