#include "visualizers/toolkit/spoken_picture.h"

#include <QAccessibleWidget>
#include <QWidget>

namespace et::visualizers {

namespace {

class PictureInterface : public QAccessibleWidget {
  public:
    PictureInterface(QWidget* widget, const SpokenPicture& shown)
        : QAccessibleWidget(widget, shown.spokenRole()), picture(shown) {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override {
        const QString known = QAccessibleWidget::text(kind);
        const bool isValue = kind == QAccessible::Value || kind == QAccessible::Description;
        return isValue && known.isEmpty() ? picture.spokenValue() : known;
    }

  private:
    const SpokenPicture& picture;  ///< the widget itself
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* const widget = qobject_cast<QWidget*>(object);
    const auto* const picture = dynamic_cast<const SpokenPicture*>(widget);
    return picture == nullptr ? nullptr : new PictureInterface(widget, *picture);
}

}  // namespace

void installSpokenPictures() {
    QAccessible::installFactory(makeInterface);
}

void speakValue(QWidget& picture) {
    const auto* const shown = dynamic_cast<const SpokenPicture*>(&picture);
    if (shown != nullptr && QAccessible::isActive()) {
        QAccessibleValueChangeEvent event(&picture, shown->spokenValue());
        QAccessible::updateAccessibility(&event);
    }
}

}  // namespace et::visualizers
