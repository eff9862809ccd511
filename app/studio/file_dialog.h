#pragma once

#include <QString>

#include <filesystem>
#include <functional>
#include <vector>

class QObject;
class QSettings;
class QWidget;

namespace et::studio {

/// Options of a file dialog. It starts in `folder`, else in the folder of `folderKey`, else in that of the
/// open file or, if none is open, of the files opened last; folders that no longer exist are skipped.
struct FileDialogOptions {
    QString title;
    QString filters{};    ///< "Programs (*.pte);;All files (*)"; empty: all files
    QString folderKey{};  ///< settings key that remembers the last folder; empty: not remembered
    QString name{};       ///< proposed file name
    QString suffix{};     ///< appended to names without one; follows the chosen filter
    QString objectName{};
    bool confirmOverwrite = true;
    std::filesystem::path folder{};
    const QObject* receiver = nullptr;  ///< deleting it cancels the callback; null: only deleting the parent
                                        ///< does
};

using PathCallback = std::function<void(const std::filesystem::path&)>;
using PathsCallback = std::function<void(const std::vector<std::filesystem::path>&)>;

/// These return at once, and call `chosen` if the dialog is accepted. Deleting `parent` cancels the dialog.
/// `settings` must outlive it.
void chooseFilesToOpen(QWidget* parent, QSettings& settings, const FileDialogOptions& options,
                       PathsCallback chosen);
void chooseFileToOpen(QWidget* parent, QSettings& settings, const FileDialogOptions& options,
                      PathCallback chosen);
void chooseFileToSave(QWidget* parent, QSettings& settings, const FileDialogOptions& options,
                      PathCallback chosen);
void chooseFolder(QWidget* parent, QSettings& settings, const FileDialogOptions& options,
                  PathCallback chosen);

/// Options of a dialog for all kinds of files that the window can open.
[[nodiscard]] FileDialogOptions optionsForOpening(const QString& title);

/// Makes the folder of the open files the start folder of dialogs. The first file decides, except that files
/// in the temporary folder are used only if there are no others: a run's files are deleted with the window.
void rememberOpenFolder(QSettings& settings, const std::vector<std::filesystem::path>& open);

}  // namespace et::studio
