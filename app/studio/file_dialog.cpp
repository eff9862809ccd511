#include "app/studio/file_dialog.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

const QString openFolderKey = QStringLiteral("window/folder");

/// Returns an empty path for Qt's default.
QString startFolder(const QSettings& settings, const FileDialogOptions& options) {
    const QString remembered =
        options.folderKey.isEmpty() ? QString() : settings.value(options.folderKey).toString();
    for (const QString& each :
         {QFile::decodeName(options.folder.c_str()), remembered, settings.value(openFolderKey).toString()}) {
        if (!each.isEmpty() && QFileInfo(each).isDir()) {
            return each;
        }
    }
    return {};
}

/// Returns "svg" for "Vector graphics (*.svg)"; empty for "All files (*)".
QString suffixOfFilter(const QString& filter) {
    static const QRegularExpression pattern(QStringLiteral(R"(\*\.(\w+))"));
    return pattern.match(filter).captured(1);
}

QFileDialog* createFileDialog(QWidget* parent, QSettings& settings, const FileDialogOptions& options,
                              PathsCallback chosen) {
    auto* const dialog =
        new QFileDialog(parent, options.title, startFolder(settings, options), options.filters);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(options.objectName);
    // urlsSelected() is not suitable: Qt's own dialog does not emit it for local files.
    QObject::connect(
        dialog, &QFileDialog::filesSelected, options.receiver != nullptr ? options.receiver : dialog,
        [&settings, key = options.folderKey, chosen = std::move(chosen)](const QStringList& names) {
            std::vector<std::filesystem::path> paths;
            for (const QString& name : names) {
                paths.emplace_back(QFile::encodeName(name).toStdString());
            }
            if (paths.empty()) {
                return;
            }
            if (!key.isEmpty()) {
                settings.setValue(key, QFileInfo(names.front()).absolutePath());
            }
            chosen(paths);
        });
    return dialog;
}

PathsCallback firstOf(PathCallback chosen) {
    return [chosen = std::move(chosen)](const std::vector<std::filesystem::path>& paths) {
        chosen(paths.front());
    };
}

}  // namespace

void chooseFilesToOpen(QWidget* parent, QSettings& settings, const FileDialogOptions& options,
                       PathsCallback chosen) {
    QFileDialog* const dialog = createFileDialog(parent, settings, options, std::move(chosen));
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->open();
}

void chooseFileToOpen(QWidget* parent, QSettings& settings, const FileDialogOptions& options,
                      PathCallback chosen) {
    QFileDialog* const dialog = createFileDialog(parent, settings, options, firstOf(std::move(chosen)));
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->open();
}

void chooseFileToSave(QWidget* parent, QSettings& settings, const FileDialogOptions& options,
                      PathCallback chosen) {
    QFileDialog* const dialog = createFileDialog(parent, settings, options, firstOf(std::move(chosen)));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite, !options.confirmOverwrite);
    if (!options.suffix.isEmpty()) {
        dialog->setDefaultSuffix(options.suffix);
        QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
            if (const QString suffix = suffixOfFilter(filter); !suffix.isEmpty()) {
                dialog->setDefaultSuffix(suffix);
            }
        });
    }
    if (!options.name.isEmpty()) {
        dialog->selectFile(options.name);
    }
    dialog->open();
}

void chooseFolder(QWidget* parent, QSettings& settings, const FileDialogOptions& options,
                  PathCallback chosen) {
    QFileDialog* const dialog = createFileDialog(parent, settings, options, firstOf(std::move(chosen)));
    dialog->setFileMode(QFileDialog::Directory);
    dialog->open();
}

FileDialogOptions optionsForOpening(const QString& title) {
    return {.title = title,
            .filters =
                QStringLiteral("ExecuTorch files (*.pte *.ptd *.bpte *.ptn *.etdp *.etdump *.etrecord *.bin "
                               "*.db);;All files (*)"),
            .folderKey = openFolderKey};
}

void rememberOpenFolder(QSettings& settings, const std::vector<std::filesystem::path>& open) {
    QStringList folders;
    for (const std::filesystem::path& path : open) {
        folders.append(QFileInfo(QFile::decodeName(path.c_str())).absolutePath());
    }
    const QString temporary = QDir::tempPath();
    const auto lasting = std::ranges::find_if(folders, [&](const QString& folder) {
        return folder != temporary && !folder.startsWith(temporary + u'/');
    });
    if (!folders.isEmpty()) {
        settings.setValue(openFolderKey, lasting != folders.end() ? *lasting : folders.front());
    }
}

}  // namespace et::studio
