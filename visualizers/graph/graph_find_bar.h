#pragma once

#include <QTimer>
#include <QWidget>

#include <cstddef>
#include <optional>

class QLabel;
class QLineEdit;

namespace et::visualizers {

/// Where a person says what to look for, with what has been found beside it.
class GraphFindBar : public QWidget {
    Q_OBJECT

  public:
    explicit GraphFindBar(QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;
    void clear();
    void focusText();
    /// Says "3 of 12"; `place` counts from 0.
    void showCount(std::size_t count, std::optional<std::size_t> place);
    /// Says why nothing can be looked for.
    void showError(const QString& line);
    /// A text has been typed and not yet been looked for.
    [[nodiscard]] bool waiting() const { return pause.isActive(); }

  signals:
    void searched(const QString& text);  ///< when typing pauses
    void nextRequested();
    void previousRequested();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QLineEdit* edit;
    QLabel* count;
    QTimer pause;
};

}  // namespace et::visualizers
