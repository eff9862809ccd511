#pragma once

#include <QString>

namespace et::studio {

/// Settings key of the last folder of the lab's file dialogs.
inline const QString labFolderKey = QStringLiteral("lab/folder");

}  // namespace et::studio
