#pragma once

#include "visualizers/generate/generated_tokens.h"
#include "visualizers/toolkit/tip_widget.h"

#include <QPointF>

#include <optional>
#include <vector>

namespace et::visualizers {

/// Tokens per second over positions of the context, a point for each token behind the first. A click chooses
/// the token.
class RatePlot : public TipWidget {
    Q_OBJECT

  public:
    /// `shown` outlives it.
    explicit RatePlot(GeneratedTokens& shown, QWidget* parent = nullptr);

    /// The point that is nearest to this x; nothing without points.
    [[nodiscard]] std::optional<std::size_t> tokenAt(double x) const;
    /// Where a token's point is; nothing: it has none.
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
    std::vector<std::size_t> points;  ///< tokens that have a rate
    double fastest = 0;               ///< of them, tokens per second
};

}  // namespace et::visualizers
