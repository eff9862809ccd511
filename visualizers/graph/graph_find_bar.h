#pragma once

#include <QTimer>
#include <QWidget>

#include <cstddef>
#include <optional>

class QLabel;
class QLineEdit;

namespace et::visualizers {

/// Search field with a count of matches.
class GraphFindBar : public QWidget {
    Q_OBJECT

  public:
    explicit GraphFindBar(QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;
    void clear();
    void focusText();
    /// Shows "3 of 12"; `place` counts from 0.
    void showCount(std::size_t count, std::optional<std::size_t> place);
    /// Shows why searching is impossible.
    void showError(const QString& line);
    /// True if text has been typed but not yet searched.
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
