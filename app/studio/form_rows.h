#pragma once

#include <QLineEdit>
#include <QWidget>

#include <functional>

class QScrollArea;
class QSpinBox;

namespace et::studio {

/// The command line that does what a form says, with a button that copies it.
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

/// `field` with a button beside it that chooses files; `what` says for what.
[[nodiscard]] QWidget* withBrowseButton(QLineEdit& field, const QString& what, std::function<void()> browse,
                                        QWidget* parent);

/// A form that scrolls where it has not the room; at least `letters` of its font wide.
[[nodiscard]] QScrollArea* scrolledForm(QWidget& form, int letters, QWidget* parent);

/// A field for a number from `least` to `most`; `name` is its object name.
[[nodiscard]] QSpinBox* numberField(int least, int most, int usual, const char* name, QWidget* parent);

}  // namespace et::studio
