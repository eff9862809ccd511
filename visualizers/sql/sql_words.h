#pragma once

#include <QString>
#include <QStringList>

namespace et::visualizers {

/// Words of the language that are worth colouring and completing, in capitals.
[[nodiscard]] const QStringList& sqlKeywords();

/// What may follow at the end of `before`, the text up to the cursor: behind "table." (or an alias of one in
/// `whole`) its columns, else tables, columns and keywords.
[[nodiscard]] QStringList sqlCompletions(const QString& before, const QString& whole);

/// The word at the end of `before` that completion replaces; behind a dot, what follows it.
[[nodiscard]] QString wordBefore(const QString& before);

}  // namespace et::visualizers
