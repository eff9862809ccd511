#pragma once

#include <QString>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

class QComboBox;
class QJsonObject;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace et::visualizers {
class ReportTable;
}

namespace et::studio {

class DebugSession;

/// Values of the current instruction or of the whole method.
class DebugValueList : public QWidget {
    Q_OBJECT

  public:
    /// `of` must outlive the list.
    explicit DebugValueList(DebugSession& of, QWidget* parent = nullptr);

    [[nodiscard]] visualizers::ReportTable& table() { return *rows; }

  signals:
    /// The user chose a value, spelled as print accepts it.
    void chosen(const QString& value);

  private:
    void show();

    DebugSession& session;
    QComboBox* scope;
    visualizers::ReportTable* rows;
};

/// Watched expressions with their values at the current position.
class DebugWatchList : public QWidget {
    Q_OBJECT

  public:
    explicit DebugWatchList(DebugSession& of, QWidget* parent = nullptr);

    [[nodiscard]] visualizers::ReportTable& table() { return *rows; }
    /// Takes the focus, to type an expression.
    void begin();

  signals:
    void chosen(const QString& value);

  private:
    void add();
    void remove();
    void refresh(std::size_t place);
    void take(const QString& asked, const QJsonObject& answer);
    void show();

    DebugSession& session;
    std::vector<std::pair<QString, QString>> watched;  ///< expression, value
    visualizers::ReportTable* rows;
    QLineEdit* expression;
};

/// Breakpoints and watchpoints, with fields to add and change them.
class DebugTriggerList : public QWidget {
    Q_OBJECT

  public:
    explicit DebugTriggerList(DebugSession& of, QWidget* parent = nullptr);

    [[nodiscard]] visualizers::ReportTable& table() { return *rows; }
    void begin();

  private:
    [[nodiscard]] QWidget* createFields();
    void createActions();
    void add();
    void change();
    void show();
    void showFields();
    /// Calls `act` with the current row, if there is one.
    void withRow(const std::function<void(std::size_t)>& act);

    DebugSession& session;
    visualizers::ReportTable* rows;
    QComboBox* kind;
    QLineEdit* where;
    QLineEdit* condition;
    QSpinBox* ignore;
    QPushButton* changeButton;
};

}  // namespace et::studio
