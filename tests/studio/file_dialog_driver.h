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

/// Types a path into the name field of a file dialog in place of its text. False: the dialog cannot be
/// activated, as another is above it.
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

/// The file dialog on screen, used as a person does.
class FileDialogDriver {
  public:
    /// Waits for the dialog; a test failure after 10 s.
    FileDialogDriver();

    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] QString title() const;
    [[nodiscard]] std::filesystem::path folder() const;
    /// The text of the name field.
    [[nodiscard]] QString name() const;
    [[nodiscard]] QStringList filters() const;

    /// The answer to the next questions. A question without one fails the test and is answered with "No".
    void answerWith(QMessageBox::StandardButton button) { answer = button; }
    /// The questions so far.
    [[nodiscard]] const QStringList& questions() const { return asked; }

    /// Chooses a filter by its place, with the arrow keys.
    void chooseFilter(int place);
    void choose(const std::filesystem::path& path, Accept how = Accept::Mouse);
    void choose(const std::vector<std::filesystem::path>& paths, Accept how = Accept::Mouse);
    void cancel();

  private:
    void acceptWith(const QString& text, Accept how);
    void activateWindowBelow();
    [[nodiscard]] QAbstractButton* answerTo(QMessageBox& question);

    QPointer<QFileDialog> dialog;
    QPointer<QWidget> below;  ///< the window that asked; null: the main window
    QMessageBox::StandardButton answer = QMessageBox::NoButton;
    QStringList asked;
    FileDialogQuestions responder;
};

/// Chooses a file in the dialog on screen and replaces it if it exists; a test failure if the dialog stays
/// open.
void chooseInFileDialog(const std::filesystem::path& path, Accept how = Accept::Mouse);

}  // namespace et::test
