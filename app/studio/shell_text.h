#pragma once

#include <QStringList>

namespace et::studio {

/// Joins words for a shell, in single quotes where necessary.
[[nodiscard]] QString shellText(const QStringList& argv);

}  // namespace et::studio
