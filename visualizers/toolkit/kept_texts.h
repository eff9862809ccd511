#pragma once

#include <QFont>
#include <QHash>
#include <QStaticText>
#include <QString>

#include <cstddef>
#include <utility>
#include <vector>

class QFontMetrics;
class QPainter;

namespace et::visualizers {

/// Lines of plain text as they were laid out for the frame before: laying out letters is most of what
/// painting a table costs, and a frame has nearly the texts of the one before.
class KeptTexts {
  public:
    /// The text in one line, with "…" where `room` (pixels) is too small for it. Valid until the next call.
    [[nodiscard]] const QStaticText& line(const QString& text, int room, const QFont& font,
                                          Qt::LayoutDirection direction = Qt::LeftToRight,
                                          Qt::TextElideMode mode = Qt::ElideRight);
    /// How wide the whole text is.
    [[nodiscard]] int widthOf(const QString& text, const QFont& font);

  private:
    static constexpr int whole = -1;
    struct Key {
        QString text;
        std::size_t font = 0;  ///< among `fonts`
        int room = whole;      ///< that it is cut to
        int form = 0;          ///< direction and way of cutting
        bool operator==(const Key&) const = default;
    };
    friend size_t qHash(const Key& key, size_t seed) noexcept {
        return qHashMulti(seed, key.text, key.font, key.room, key.form);
    }
    struct Kept {
        QStaticText text;
        int width = 0;
    };
    const Kept& keep(const Key& key, const QString& shown, const QFont& font, Qt::LayoutDirection direction);
    const Kept& wholeLine(const QString& text, const QFont& font, Qt::LayoutDirection direction);
    [[nodiscard]] std::size_t placeOf(const QFont& font);

    std::vector<QFont> fonts;
    QHash<Key, Kept> kept;
};

}  // namespace et::visualizers
