#pragma once

#include <QAccessible>
#include <QString>

class QWidget;

namespace et::visualizers {

/// A widget that paints what it shows, and can say it: to screen readers, which see no pixels. Its name is
/// its accessibleName().
class SpokenPicture {
  public:
    SpokenPicture() = default;
    virtual ~SpokenPicture() = default;
    SpokenPicture(const SpokenPicture&) = delete;
    SpokenPicture& operator=(const SpokenPicture&) = delete;

    /// What is chosen in it, or else its figures; empty: nothing is.
    [[nodiscard]] virtual QString spokenValue() const = 0;
    [[nodiscard]] virtual QAccessible::Role spokenRole() const { return QAccessible::Chart; }
};

/// Gives pictures to whoever asks through Qt's accessibility, from now on. Once for a program.
void installSpokenPictures();

/// Tells who listens that spokenValue() of this widget is another.
void speakValue(QWidget& picture);

}  // namespace et::visualizers
