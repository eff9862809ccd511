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

/// Cache of laid out text lines. Text layout dominates the cost of painting a table, and consecutive frames
/// show almost the same texts.
class TextLayoutCache {
  public:
    /// The text on one line, elided with "…" if it exceeds `room` pixels. Valid until the next call.
    [[nodiscard]] const QStaticText& line(const QString& text, int room, const QFont& font,
                                          Qt::LayoutDirection direction = Qt::LeftToRight,
                                          Qt::TextElideMode mode = Qt::ElideRight);
    /// Width of the whole text.
    [[nodiscard]] int widthOf(const QString& text, const QFont& font);

  private:
    static constexpr int whole = -1;
    struct Key {
        QString text;
        std::size_t font = 0;  ///< among `fonts`
        int room = whole;      ///< maximum width
        int form = 0;          ///< direction and elide mode
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
