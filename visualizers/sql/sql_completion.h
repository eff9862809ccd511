#pragma once

#include <QString>
#include <QStringList>

namespace et::visualizers {

/// SQL keywords to highlight and complete, in upper case.
[[nodiscard]] const QStringList& sqlKeywords();

/// Completions at the end of `before`, the text up to the cursor: after "table." (or an alias in `whole`) its
/// columns, otherwise tables, columns and keywords.
[[nodiscard]] QStringList sqlCompletions(const QString& before, const QString& whole);

/// The word at the end of `before` that completion replaces; after a dot, the text following it.
[[nodiscard]] QString wordBefore(const QString& before);

}  // namespace et::visualizers
