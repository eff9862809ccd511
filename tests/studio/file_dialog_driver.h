#pragma once

#include <QMessageBox>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

class QAbstractButton;
class QFileDialog;

namespace et::test {

/// How a person accepts a file dialog.
enum class Accept : std::uint8_t { Mouse, Enter };

/// Types a path into the name field of a file dialog, replacing its text. Returns false if the dialog cannot
/// be activated because another is above it.
[[nodiscard]] bool typeIntoFileDialog(QFileDialog& dialog, const QString& text);
/// Clicks "Open", "Save" or "Choose", or presses Enter. Returns when the dialog's questions are answered.
void acceptFileDialog(QFileDialog& dialog, Accept how);

/// Answers the questions of file dialogs ("already exists"). They block in a nested event loop, so a timer
/// clicks the button that `answer` returns.
class FileDialogQuestions {
  public:
    explicit FileDialogQuestions(std::function<QAbstractButton*(QMessageBox&)> answer);

  private:
    std::function<QAbstractButton*(QMessageBox&)> choose;
    QTimer timer;
};

/// Operates the file dialog on screen with simulated input.
class FileDialogDriver {
  public:
    /// Waits for the dialog; fails the test after 10 s.
    FileDialogDriver();

    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] QString title() const;
    [[nodiscard]] std::filesystem::path folder() const;
    [[nodiscard]] QString name() const;
    [[nodiscard]] QStringList filters() const;

    /// Sets the answer to further questions. An unexpected question fails the test and is answered with "No".
    void answerWith(QMessageBox::StandardButton button) { answer = button; }
    /// Questions asked so far.
    [[nodiscard]] const QStringList& questions() const { return asked; }

    /// Chooses a filter by its index, with the arrow keys.
    void chooseFilter(int place);
    void choose(const std::filesystem::path& path, Accept how = Accept::Mouse);
    void choose(const std::vector<std::filesystem::path>& paths, Accept how = Accept::Mouse);
    void cancel();

  private:
    void acceptWith(const QString& text, Accept how);
    void activateWindowBelow();
    [[nodiscard]] QAbstractButton* answerTo(QMessageBox& question);

    QPointer<QFileDialog> dialog;
    QPointer<QWidget> below;  ///< the window that opened the dialog; null: the main window
    QMessageBox::StandardButton answer = QMessageBox::NoButton;
    QStringList asked;
    FileDialogQuestions responder;
};

/// Chooses a file in the dialog on screen and replaces it if it exists. Fails the test if the dialog stays
/// open.
void chooseInFileDialog(const std::filesystem::path& path, Accept how = Accept::Mouse);

}  // namespace et::test
