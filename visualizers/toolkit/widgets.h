#pragma once

#include <QLineEdit>
#include <QString>

#include <initializer_list>

class QComboBox;
class QLabel;
class QLayout;
class QPushButton;

namespace et::visualizers {

/// A widget or layout of a column.
struct ColumnItem {
    ColumnItem(QWidget* shown) : widget(shown) {}    // NOLINT(google-explicit-constructor): for lists
    ColumnItem(QLayout* nested) : layout(nested) {}  // NOLINT(google-explicit-constructor): for lists

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
};

/// Lays out items below each other in `parent`, without margins or gaps. `stretched`, or else the last one,
/// takes the remaining height.
void fillColumn(QWidget& parent, std::initializer_list<ColumnItem> items, const QWidget* stretched = nullptr);

/// A row of widgets for fillColumn(); the last one takes the remaining width.
[[nodiscard]] QLayout* rowOf(std::initializer_list<QWidget*> widgets);

struct LabelOptions {
    int margin = 0;
    int sides = 0;            ///< space at the left and right; for labels next to a tool bar
    bool wraps = true;        ///< long text is wrapped
    bool shrinks = false;     ///< may be narrower than its text
    bool selectable = false;  ///< text can be selected with the mouse
};

/// A label for plain text; `name` is its object name.
[[nodiscard]] QLabel* plainLabel(const char* name, QWidget* parent, const LabelOptions& options = {});

/// A centred label for the text of an empty view.
[[nodiscard]] QLabel* hintLabel(const char* name, QWidget* parent, const LabelOptions& options = {});

/// A page for an empty view: a hint, and below it the button that fills the view.
[[nodiscard]] QWidget* hintPage(QLabel& hint, QPushButton& button, QWidget* parent);

/// A box for choosing from a list; `name` is its object name.
[[nodiscard]] QComboBox* choiceBox(const char* name, const QString& tip, QWidget* parent);

/// A field that filters or searches a view. Ctrl+F in a panel gives it the focus.
class FilterField : public QLineEdit {
    Q_OBJECT

  public:
    FilterField(const char* name, const QString& placeholder, QWidget* parent);

    /// Takes the focus and selects its text.
    void begin();
};

}  // namespace et::visualizers
