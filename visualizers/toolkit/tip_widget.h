#pragma once

#include "visualizers/toolkit/spoken_picture.h"

#include <QWidget>

namespace et::visualizers {

/// A picture that says in a tooltip what is under the pointer.
class TipWidget : public QWidget, public SpokenPicture {
  public:
    using QWidget::QWidget;

    /// Empty: no tooltip.
    [[nodiscard]] virtual QString tipAt(QPoint at) const = 0;
    [[nodiscard]] QString spokenValue() const override { return accessibleDescription(); }

  protected:
    bool event(QEvent* event) override;
};

}  // namespace et::visualizers
