#pragma once

#include <QStringList>
#include <QWidget>

class QLineEdit;
class QPlainTextEdit;

namespace et::studio {

class DebugSession;

/// A line for any command of the debugger, with its history and the answers above.
class DebugConsole : public QWidget {
    Q_OBJECT

  public:
    /// `of` must outlive the console.
    explicit DebugConsole(DebugSession& of, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;

  protected:
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    void send();
    void write(const QString& line);
    void recall(int step);

    DebugSession& session;
    QPlainTextEdit* log;
    QLineEdit* line;
    QStringList history;
    qsizetype recalled = 0;  ///< position in the history; its size: the line being typed
};

}  // namespace et::studio
