#pragma once

#include "visualizers/generate/generated_tokens.h"
#include "visualizers/toolkit/tip_widget.h"

#include <QPointF>

#include <optional>
#include <vector>

namespace et::visualizers {

/// Tokens per second over context positions, one point per token except the first. A click selects the token.
class RatePlot : public TipWidget {
    Q_OBJECT

  public:
    /// `shown` must outlive it.
    explicit RatePlot(GeneratedTokens& shown, QWidget* parent = nullptr);

    /// The point nearest to this x; nothing without points.
    [[nodiscard]] std::optional<std::size_t> tokenAt(double x) const;
    /// Position of a token's point; nothing if it has none.
    [[nodiscard]] std::optional<QPointF> placeOf(std::size_t token) const;
    [[nodiscard]] QString figures() const;

    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] double rateOf(std::size_t token) const;
    void rebuild();
    void paintAxis(class QPainter& painter) const;

    GeneratedTokens& source;
    std::vector<std::size_t> points;  ///< tokens with a rate
    double fastest = 0;               ///< of these, in tokens per second
};

}  // namespace et::visualizers
