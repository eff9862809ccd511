#pragma once

#include <QPlainTextEdit>

#include <cstddef>
#include <optional>

class QCompleter;
class QStringListModel;

namespace et::visualizers {

class SqlHighlighter;

/// SQL editor for the tables of a session: highlighting, completion of tables and columns (Ctrl+Space, and
/// while typing), Ctrl+Enter to run, and underlined errors.
class SqlEditor : public QPlainTextEdit {
    Q_OBJECT

  public:
    explicit SqlEditor(QWidget* parent = nullptr);

    /// Underlines the word at a UTF-8 byte offset; nothing: no error.
    void showError(std::optional<std::size_t> offset);
    /// The selected text, otherwise all text.
    [[nodiscard]] QString chosenText() const;
    [[nodiscard]] QCompleter& completions() { return *completer; }

  signals:
    void runRequested();

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void offer(bool asked);
    void insert(const QString& completion);
    void updateColours();
    [[nodiscard]] QString textBeforeCursor() const;

    SqlHighlighter* highlighter;
    QCompleter* completer;
    QStringListModel* words;
};

}  // namespace et::visualizers
