#pragma once

#include <QStringList>

namespace et::studio {

/// Words as a shell takes them, in single quotes where they need it.
[[nodiscard]] QString shellText(const QStringList& argv);

}  // namespace et::studio
