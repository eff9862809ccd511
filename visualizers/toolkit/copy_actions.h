#pragma once

#include "inspector/format/table.h"

#include <QString>
#include <QWidget>

#include <functional>

namespace et::visualizers {

/// "Copy as TSV" and "Copy as Markdown" with the keys that they have in all tables; `text` is asked for what
/// goes to the clipboard.
void addCopyActions(QWidget& owner, std::function<QString(inspector::report::Format)> text);

}  // namespace et::visualizers
