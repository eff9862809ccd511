#pragma once

#include <QString>

#include <filesystem>
#include <functional>
#include <vector>

class QSettings;
class QWidget;

namespace et::studio {

/// Asks for files of the kinds that the window opens, starting in the folder of the last time. Does not
/// block; nothing comes where the person changes their mind.
void chooseFiles(QWidget* parent, QSettings& settings, const QString& title,
                 std::function<void(const std::vector<std::filesystem::path>&)> chosen);

}  // namespace et::studio
