// Monkey actions for dialogs and menus that open.
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/monkey.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDialog>
#include <QFileDialog>
#include <QMessageBox>

#include <string>
#include <utility>
#include <vector>

namespace et::test {

namespace {

constexpr int fileChoices = 6;  ///< few, so that files get overwritten

}  // namespace

void Monkey::chooseFilesIn(std::filesystem::path folder) {
    choices = std::move(folder);
    for (int i = 0; i < fileChoices; ++i) {
        known.push_back(choices / ("chosen" + std::to_string(i) + ".pte"));
        known.push_back(choices / ("session" + std::to_string(i) + ".db"));
    }
}

void Monkey::closeMenus() {
    if (QWidget* const menu = acts ? QApplication::activePopupWidget() : nullptr) {
        note(std::string("closes ") + menu->metaObject()->className());
        menu->close();
    }
}

void Monkey::closeDialogs() {
    if (answers) {
        return;
    }
    std::vector<QPointer<QDialog>> open;  // answering a dialog may delete others
    for (QWidget* const top : QApplication::topLevelWidgets()) {
        if (auto* const dialog = qobject_cast<QDialog*>(top)) {
            open.emplace_back(dialog);
        }
    }
    for (const QPointer<QDialog>& dialog : open) {
        auto* const files = qobject_cast<QFileDialog*>(dialog.data());
        if (files != nullptr && files->isVisible() && !choices.empty() && below(4) != 0) {
            answer(*files);
        }
        if (dialog != nullptr && dialog->isVisible()) {
            closeDialog(*dialog);
        }
    }
}

void Monkey::closeDialog(QDialog& dialog) {
    note(std::string("closes ") + dialog.metaObject()->className());
    auto* const asked = qobject_cast<QMessageBox*>(&dialog);
    QAbstractButton* const discard =
        givesUpNotes && asked != nullptr ? asked->button(QMessageBox::Discard) : nullptr;
    if (discard != nullptr) {
        discard->click();
    } else {
        dialog.reject();
    }
}

/// Types a path and accepts it. The timer of this object must not answer the questions that follow: a timer
/// whose handler has not returned does not fire again, and the nested event loop would never end.
void Monkey::answer(QFileDialog& dialog) {
    const std::filesystem::path path = choiceFor(dialog);
    const Accept how = below(2) == 0 ? Accept::Mouse : Accept::Enter;
    note("chooses " + path.string());
    answers = true;
    const FileDialogQuestions questions([this](QMessageBox& question) {
        const QList<QAbstractButton*> buttons = question.buttons();
        QAbstractButton* const button = buttons[below(static_cast<int>(buttons.size()))];
        note("answers " + button->text().toStdString());
        return button;
    });
    ++places["file dialog"];
    if (typeIntoFileDialog(dialog, QString::fromStdString(path.string()))) {
        acceptFileDialog(dialog, how);
    }
    answers = false;
}

std::filesystem::path Monkey::choiceFor(const QFileDialog& dialog) {
    if (dialog.fileMode() == QFileDialog::Directory) {
        return choices;
    }
    if (dialog.acceptMode() == QFileDialog::AcceptOpen) {
        return oneOf(known);
    }
    // Sessions have separate names, so that exports do not overwrite them.
    const char* const name = dialog.windowTitle().contains(QStringLiteral("Session")) ? "session" : "chosen";
    return choices / (name + std::to_string(below(fileChoices)));
}

}  // namespace et::test
