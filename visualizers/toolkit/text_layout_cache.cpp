#include "visualizers/toolkit/text_layout_cache.h"

#include <QFontMetrics>
#include <QTextOption>
#include <QTransform>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr qsizetype maxKept = 8192;
constexpr std::size_t maxFonts = 8;

int formOf(Qt::LayoutDirection direction, Qt::TextElideMode mode) {
    constexpr int modes = 4;
    return static_cast<int>(direction) * modes + static_cast<int>(mode);
}

}  // namespace

std::size_t TextLayoutCache::placeOf(const QFont& font) {
    const auto found = std::ranges::find(fonts, font);
    if (found != fonts.end()) {
        return static_cast<std::size_t>(found - fonts.begin());
    }
    if (fonts.size() >= maxFonts) {  // after a theme change, the old fonts are not used again
        fonts.clear();
        kept.clear();
    }
    fonts.push_back(font);
    return fonts.size() - 1;
}

const TextLayoutCache::Kept& TextLayoutCache::keep(const Key& key, const QString& shown, const QFont& font,
                                                   Qt::LayoutDirection direction) {
    if (kept.size() >= maxKept) {
        kept.clear();
    }
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    option.setTextDirection(direction);
    Kept made{.text = QStaticText(shown)};
    made.text.setTextFormat(Qt::PlainText);
    made.text.setTextOption(option);
    made.text.setPerformanceHint(QStaticText::AggressiveCaching);
    made.text.prepare(QTransform(), font);
    made.width = static_cast<int>(std::ceil(made.text.size().width()));
    return *kept.insert(key, made);
}

const TextLayoutCache::Kept& TextLayoutCache::wholeLine(const QString& text, const QFont& font,
                                                        Qt::LayoutDirection direction) {
    const Key key{.text = text, .font = placeOf(font), .room = whole, .form = formOf(direction, {})};
    const auto known = kept.constFind(key);
    return known != kept.cend() ? *known : keep(key, text, font, direction);
}

const QStaticText& TextLayoutCache::line(const QString& text, int room, const QFont& font,
                                         Qt::LayoutDirection direction, Qt::TextElideMode mode) {
    const Kept& all = wholeLine(text, font, direction);
    if (all.width <= room || mode == Qt::ElideNone) {
        return all.text;
    }
    const Key key{
        .text = text, .font = placeOf(font), .room = std::max(room, 0), .form = formOf(direction, mode)};
    const auto known = kept.constFind(key);
    return known != kept.cend()
               ? known->text
               : keep(key, QFontMetrics(font).elidedText(text, mode, key.room), font, direction).text;
}

int TextLayoutCache::widthOf(const QString& text, const QFont& font) {
    return wholeLine(text, font, Qt::LeftToRight).width;
}

}  // namespace et::visualizers
