#include "tests/studio/file_dialog_driver.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace et::test {

namespace {

constexpr int dialogMs = 10'000;
constexpr int activationMs = 1'000;
constexpr int questionMs = 5;

QLineEdit& nameField(const QFileDialog& dialog) {
    return *dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
}

QFileDialog* shownFileDialog() {
    for (QWidget* const top : QApplication::topLevelWidgets()) {
        auto* const dialog = qobject_cast<QFileDialog*>(top);
        if (dialog != nullptr && dialog->isVisible()) {
            return dialog;
        }
    }
    return nullptr;
}

QMessageBox* shownQuestion() {
    for (QWidget* const top : QApplication::topLevelWidgets()) {
        auto* const question = qobject_cast<QMessageBox*>(top);
        if (question != nullptr && question->isVisible() &&
            qobject_cast<QFileDialog*>(question->parentWidget()) != nullptr) {
            return question;
        }
    }
    return nullptr;
}

/// qWaitForWindowActive() would also accept an active window above a dialog.
bool activate(QWidget& window) {
    const QPointer<QWidget> wanted = &window;
    window.activateWindow();
    return QTest::qWaitFor([&] { return wanted == nullptr || wanted->isActiveWindow(); }, activationMs) &&
           wanted != nullptr;
}

QString nameOfPath(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

}  // namespace

bool typeIntoFileDialog(QFileDialog& dialog, const QString& text) {
    // Without the focus, Qt keeps all file names entered while the path was typed.
    if (!activate(dialog)) {
        return false;
    }
    QLineEdit& field = nameField(dialog);
    field.setFocus();
    field.selectAll();
    QTest::keyClick(&field, Qt::Key_Delete);
    QTest::keyClicks(&field, text);
    // While open, the completion list captures keys and clicks.
    if (field.completer() != nullptr && field.completer()->popup()->isVisible()) {
        QTest::keyClick(field.completer()->popup(), Qt::Key_Escape);
    }
    return true;
}

void acceptFileDialog(QFileDialog& dialog, Accept how) {
    if (how == Accept::Enter) {
        QTest::keyClick(&nameField(dialog), Qt::Key_Return);
        return;
    }
    auto* const buttons = dialog.findChild<QDialogButtonBox*>();
    QPushButton* const button = buttons->button(
        dialog.acceptMode() == QFileDialog::AcceptSave ? QDialogButtonBox::Save : QDialogButtonBox::Open);
    if (button->isEnabled()) {
        QTest::mouseClick(button, Qt::LeftButton);
    }
}

FileDialogQuestions::FileDialogQuestions(std::function<QAbstractButton*(QMessageBox&)> answer)
    : choose(std::move(answer)) {
    QObject::connect(&timer, &QTimer::timeout, &timer, [this] {
        if (QMessageBox* const question = shownQuestion()) {
            QTest::mouseClick(choose(*question), Qt::LeftButton);
        }
    });
    timer.start(questionMs);
}

FileDialogDriver::FileDialogDriver()
    : responder([this](QMessageBox& question) { return answerTo(question); }) {
    EXPECT_TRUE(QTest::qWaitFor([this] { return (dialog = shownFileDialog()) != nullptr; }, dialogMs))
        << "there is no file dialog";
    if (dialog == nullptr) {
        return;
    }
    EXPECT_TRUE(activate(*dialog));
    QWidget* const owner = dialog->parentWidget() != nullptr ? dialog->parentWidget()->window() : nullptr;
    below = owner != nullptr && owner->isVisible() ? owner : nullptr;
}

QAbstractButton* FileDialogDriver::answerTo(QMessageBox& question) {
    asked.append(question.text());
    QAbstractButton* const button = question.button(answer);
    if (button == nullptr) {
        ADD_FAILURE() << "unexpected question: " << question.text().toStdString();
        QAbstractButton* const no = question.button(QMessageBox::No);
        return no != nullptr ? no : question.buttons().first();
    }
    return button;
}

bool FileDialogDriver::isOpen() const {
    return dialog != nullptr && dialog->isVisible();
}

QString FileDialogDriver::title() const {
    return isOpen() ? dialog->windowTitle() : QString();
}

std::filesystem::path FileDialogDriver::folder() const {
    return isOpen() ? std::filesystem::path(dialog->directory().absolutePath().toStdString())
                    : std::filesystem::path();
}

QString FileDialogDriver::name() const {
    return isOpen() ? nameField(*dialog).text() : QString();
}

QStringList FileDialogDriver::filters() const {
    return isOpen() ? dialog->nameFilters() : QStringList();
}

void FileDialogDriver::chooseFilter(int place) {
    if (!isOpen()) {
        return;
    }
    auto* const box = dialog->findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
    QTest::keyClick(box, Qt::Key_Home);
    for (int i = 0; i < place; ++i) {
        QTest::keyClick(box, Qt::Key_Down);
    }
    EXPECT_EQ(box->currentIndex(), place);
}

void FileDialogDriver::choose(const std::filesystem::path& path, Accept how) {
    acceptWith(nameOfPath(path), how);
}

void FileDialogDriver::choose(const std::vector<std::filesystem::path>& paths, Accept how) {
    QStringList quoted;
    for (const std::filesystem::path& path : paths) {
        quoted.append(u'"' + nameOfPath(path) + u'"');
    }
    acceptWith(quoted.join(u' '), how);
}

void FileDialogDriver::acceptWith(const QString& text, Accept how) {
    if (!isOpen()) {
        return;
    }
    ASSERT_TRUE(typeIntoFileDialog(*dialog, text)) << "the dialog is not active";
    acceptFileDialog(*dialog, how);
    activateWindowBelow();
}

void FileDialogDriver::cancel() {
    if (!isOpen()) {
        return;
    }
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Cancel),
                      Qt::LeftButton);
    EXPECT_FALSE(isOpen());
    activateWindowBelow();
}

/// A desktop activates the window below a closed dialog; the offscreen platform does not.
void FileDialogDriver::activateWindowBelow() {
    if (isOpen()) {
        return;
    }
    if (below == nullptr) {
        const QWidgetList all = QApplication::topLevelWidgets();
        const auto window = std::ranges::find_if(all, [](const QWidget* each) {
            return qobject_cast<const QMainWindow*>(each) != nullptr && each->isVisible();
        });
        below = window != all.end() ? *window : nullptr;
    }
    if (below != nullptr) {
        EXPECT_TRUE(activate(*below));
    }
    QTest::qWait(0);
}

void chooseInFileDialog(const std::filesystem::path& path, Accept how) {
    FileDialogDriver dialog;
    dialog.answerWith(QMessageBox::Yes);
    dialog.choose(path, how);
    EXPECT_FALSE(dialog.isOpen()) << "not accepted: " << path;
}

}  // namespace et::test
