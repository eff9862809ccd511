#pragma once

#include <QTimer>
#include <QWidget>

#include <cstdint>

namespace et::visualizers {

/// Placeholder over a view whose content is loading: pale shapes of the expected content. Appears after a
/// short delay, so that fast loads do not show it. Transparent for mouse events.
class Skeleton : public QWidget {
    Q_OBJECT

  public:
    enum class Shape : std::uint8_t {
        Rows,   ///< lines of text
        Lanes,  ///< bars in lanes
    };
    static constexpr int patience = 120;  ///< delay in milliseconds until it appears

    /// Covers all of `view`, which owns it.
    Skeleton(Shape what, QWidget* view);

    void setWaiting(bool waiting);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    Shape shape;
    QTimer appearing;
};

}  // namespace et::visualizers
