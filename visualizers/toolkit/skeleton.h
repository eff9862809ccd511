#pragma once

#include <QTimer>
#include <QWidget>

#include <cstdint>

namespace et::visualizers {

/// Stands over a view whose content is on its way: pale shapes of what will come. Not for what comes at once:
/// it appears after a moment. The pointer goes through it.
class Skeleton : public QWidget {
    Q_OBJECT

  public:
    enum class Shape : std::uint8_t {
        Rows,   ///< lines of text, one below another
        Lanes,  ///< bars beside one another, in lanes
    };
    static constexpr int patience = 120;  ///< milliseconds until it appears

    /// Over all of `view`, which owns it.
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
