#pragma once

#include "visualizers/toolkit/spoken_picture.h"

#include <QWidget>

namespace et::visualizers {

/// A picture that says in a tooltip what is under the pointer.
class TipWidget : public QWidget, public SpokenPicture {
  public:
    /// Numbers go to the right in every language, as in ZoomPanWidget.
    explicit TipWidget(QWidget* parent = nullptr) : QWidget(parent) { setLayoutDirection(Qt::LeftToRight); }

    /// Empty: no tooltip.
    [[nodiscard]] virtual QString tipAt(QPoint at) const = 0;
    [[nodiscard]] QString spokenValue() const override { return accessibleDescription(); }

  protected:
    bool event(QEvent* event) override;
};

}  // namespace et::visualizers
