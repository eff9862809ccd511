#pragma once

#include <QAccessible>
#include <QString>

class QWidget;

namespace et::visualizers {

/// Interface of custom-painted widgets that provide their content as text to screen readers. Their name is
/// accessibleName().
class SpokenPicture {
  public:
    SpokenPicture() = default;
    virtual ~SpokenPicture() = default;
    SpokenPicture(const SpokenPicture&) = delete;
    SpokenPicture& operator=(const SpokenPicture&) = delete;

    /// The selection, otherwise the key figures; empty: nothing.
    [[nodiscard]] virtual QString spokenValue() const = 0;
    [[nodiscard]] virtual QAccessible::Role spokenRole() const { return QAccessible::Chart; }
};

/// Registers the accessibility interface of such widgets. Call once per program.
void installSpokenPictures();

/// Notifies assistive technology that spokenValue() of this widget has changed.
void speakValue(QWidget& picture);

}  // namespace et::visualizers
