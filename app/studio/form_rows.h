#pragma once

#include <QLineEdit>
#include <QWidget>

#include <functional>
#include <span>

class QComboBox;
class QScrollArea;
class QSpinBox;

namespace et::studio {

/// A choice of a box.
struct Choice {
    const char* key;  ///< of et-inspect; data of the item
    const char* text;
    const char* meaning;  ///< tool tip
};
void fillChoices(QComboBox& box, std::span<const Choice> choices);

/// The command line equivalent to a form, with a button that copies it.
class CommandRow : public QWidget {
    Q_OBJECT

  public:
    /// `name`: the object name of the line.
    CommandRow(const char* name, QWidget* parent);

    void setCommand(const QString& text);
    [[nodiscard]] QString command() const { return line->text(); }

  signals:
    void copyRequested();

  private:
    QLineEdit* line;
};

/// Adds a button to `field` that chooses files; `what` describes them.
[[nodiscard]] QWidget* withBrowseButton(QLineEdit& field, const QString& what, std::function<void()> browse,
                                        QWidget* parent);

/// A form that scrolls if space is short; at least `letters` characters wide.
[[nodiscard]] QScrollArea* scrolledForm(QWidget& form, int letters, QWidget* parent);

/// A field for a number from `least` to `most`; `name` is its object name.
[[nodiscard]] QSpinBox* numberField(int least, int most, int usual, const char* name, QWidget* parent);

}  // namespace et::studio
