#pragma once

#include "visualizers/toolkit/spoken_picture.h"

#include <QWidget>

namespace et::visualizers {

/// A plot with a tool tip for the item under the pointer.
class TipWidget : public QWidget, public SpokenPicture {
  public:
    /// Numbers increase to the right in every language, as in ZoomPanWidget.
    explicit TipWidget(QWidget* parent = nullptr) : QWidget(parent) { setLayoutDirection(Qt::LeftToRight); }

    /// Empty: no tool tip.
    [[nodiscard]] virtual QString tipAt(QPoint at) const = 0;
    [[nodiscard]] QString spokenValue() const override { return accessibleDescription(); }

  protected:
    bool event(QEvent* event) override;
};

}  // namespace et::visualizers
