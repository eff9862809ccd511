#include "app/studio/file_dialog.h"

#include "app/studio/drop.h"

#include <QFileDialog>
#include <QSettings>

#include <utility>

namespace et::studio {

namespace {

const QString openFolderKey = QStringLiteral("window/folder");

}  // namespace

void chooseFiles(QWidget* parent, QSettings& settings, const QString& title,
                 std::function<void(const std::vector<std::filesystem::path>&)> chosen) {
    auto* const dialog = new QFileDialog(
        parent, title, settings.value(openFolderKey).toString(),
        QObject::tr(
            "ExecuTorch files (*.pte *.ptd *.bpte *.etdp *.etdump *.etrecord *.bin *.db);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    QObject::connect(dialog, &QFileDialog::urlsSelected, parent,
                     [&settings, dialog, chosen = std::move(chosen)](const QList<QUrl>& urls) {
                         settings.setValue(openFolderKey, dialog->directory().absolutePath());
                         chosen(localPaths(urls));
                     });
    dialog->open();
}

}  // namespace et::studio
