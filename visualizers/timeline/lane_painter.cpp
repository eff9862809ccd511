#include "visualizers/timeline/lane_painter.h"

#include "visualizers/toolkit/change_colour.h"
#include "visualizers/toolkit/debug_mark.h"
#include "visualizers/toolkit/name_colour.h"
#include "visualizers/toolkit/text.h"

#include <QFontMetrics>
#include <QPaintDevice>
#include <QPainter>
#include <QPolygon>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int nameRoom = 28;  // minimum width in pixels of a bar with a name
constexpr int fewestLetters = 4;
constexpr int gapFrom = 4;  // minimum width in pixels of a bar with a gap after it
constexpr int textMargin = 3;
constexpr int frameWidth = 2;
constexpr int currentWidth = 3;
constexpr int currentArrow = 14;
constexpr int flagSize = 5;
constexpr int bandHeight = 4;
constexpr int bandAlpha = 0x90;
constexpr qsizetype maxTexts = 8192;
constexpr double paleShare = 0.19;
constexpr double emptiest = 0.3;
constexpr quint64 runNames = quint64{1} << 63U;

/// Blends `share` of `colour` over `base`, both opaque.
QRgb mixed(QRgb base, QRgb colour, double share) {
    const auto part = [share](int from, int to) {
        // NOLINTNEXTLINE(bugprone-incorrect-roundings): colours are not negative
        return static_cast<int>(from + (to - from) * share + 0.5);
    };
    return qRgb(part(qRed(base), qRed(colour)), part(qGreen(base), qGreen(colour)),
                part(qBlue(base), qBlue(colour)));
}

}  // namespace

void LanePainter::setTimeline(std::shared_ptr<const Timeline> shown) {
    timeline = std::move(shown);
    colours.clear();
    texts.clear();
}

void LanePainter::restyle(const QPalette& now) {
    palette = now;
    base = palette.color(QPalette::Base).rgb();
    text = palette.color(QPalette::Text).rgb();
    glow = palette.color(QPalette::Highlight).rgb();
    texts.clear();
    colours.clear();
    if (!timeline) {
        return;
    }
    const bool dark = palette.color(QPalette::Base).lightness() < 128;
    for (const SpanName& name : timeline->names()) {
        colours.push_back(barColour(name.operatorText(), dark).rgb());
    }
}

QRgb LanePainter::colourOf(const Lane& lane, const Lane::Piece& piece, const Emphasis& emphasis) const {
    const Span& span = lane.spans()[piece.longest];
    const std::uint32_t name = timeline->nameIdOf(span);
    const std::vector<bool>& matching = emphasis.matching;
    QRgb colour = colours[name];
    if (emphasis.elsewhere != nullptr) {
        const auto change = emphasis.elsewhere->changeOf(*timeline, span);
        colour = change ? changeColour(*change, palette).rgb() : mixed(base, text, paleShare);
    }
    double share = matching.empty() || matching[name] ? 1 : paleShare;
    if (piece.count > 1) {
        // Opacity decreases with the empty share.
        const double part = static_cast<double>(piece.busy) /
                            static_cast<double>(std::max<std::uint64_t>(piece.end - piece.start, 1));
        share *= emptiest + (1 - emptiest) * std::min(part, 1.0);
    }
    return share < 1 ? mixed(base, colour, share) : colour;
}

LanePainter::Bar LanePainter::barOf(const Lane::Piece& piece, const ZoomRange& view, double shift,
                                    const QRect& area, double scale, QRgb colour) const {
    const double left = std::max(view.pixelOf(static_cast<double>(piece.start) + shift), -1.0) * scale;
    const double right =
        std::min(view.pixelOf(static_cast<double>(piece.end) + shift), area.width() + 1.0) * scale;
    const auto first = static_cast<int>(left);
    return {first, std::max(static_cast<int>(right), first + 1), colour};
}

void LanePainter::fill(const Bar& bar, double scale) {
    const int gap = bar.right - bar.left > gapFrom * scale ? static_cast<int>(scale) : 0;
    const int first = std::max(bar.left, 0);
    const int last = std::min(bar.right - gap, static_cast<int>(strip.size()));
    if (first < last) {
        std::fill(strip.begin() + first, strip.begin() + last, bar.colour);
    }
}

/// Draws the strip, repeated to the height of the lane.
void LanePainter::flush(QPainter& painter, const QRect& area) {
    const double scale = painter.device()->devicePixelRatioF();
    const QSize size(static_cast<int>(strip.size()), static_cast<int>(area.height() * scale));
    if (lines.size() != size) {
        lines = QImage(size, QImage::Format_ARGB32_Premultiplied);
    }
    lines.setDevicePixelRatio(scale);
    for (int y = 0; y < size.height(); ++y) {
        std::memcpy(lines.scanLine(y), strip.data(), strip.size() * sizeof(QRgb));
    }
    painter.drawImage(area.topLeft(), lines);
}

void LanePainter::collect(const Lane& lane, const ZoomRange& view, double shift, const QRect& area) {
    pieces.clear();
    const double first = view.from() - shift;
    const double last = view.valueAt(area.width()) - shift + 1;
    if (last >= 0) {
        lane.collect(static_cast<std::uint64_t>(std::max(first, 0.0)), static_cast<std::uint64_t>(last),
                     static_cast<std::uint64_t>(view.perPixel()), pieces);
    }
}

/// Draws as many characters as fit. Text layout is the most expensive part of painting, so it is cached.
template <class Text>
void LanePainter::paintText(QPainter& painter, const QRect& room, quint64 key, Text name) {
    const QFontMetrics metrics = painter.fontMetrics();
    const int width = std::max(metrics.averageCharWidth(), 1);
    const auto fits = std::min<qsizetype>((room.width() - 2 * textMargin) / width, 255);
    if (fits < fewestLetters) {
        return;
    }
    const quint64 place = key << 8U | static_cast<quint64>(std::max<qsizetype>(fits, 0)) | (key & runNames);
    auto known = texts.find(place);
    if (known == texts.end()) {
        if (texts.size() > maxTexts) {
            texts.clear();
        }
        QStaticText made(metrics.elidedText(name(), Qt::ElideRight, static_cast<int>(fits) * width));
        made.setTextFormat(Qt::PlainText);
        made.setPerformanceHint(QStaticText::AggressiveCaching);
        made.prepare({}, painter.font());
        known = texts.insert(place, made);
    }
    painter.drawStaticText(room.left() + textMargin, room.top() + (room.height() - metrics.height()) / 2,
                           *known);
}

/// Operator and module on one line, or on two with the time on a third.
void LanePainter::paintLabels(QPainter& painter, const Lane& lane, const Lane::Piece& piece,
                              const QRect& room) {
    const Span& span = lane.spans()[piece.longest];
    const std::uint32_t id = timeline->nameIdOf(span);
    const SpanName& name = timeline->names()[id];
    const int line = painter.fontMetrics().height();
    const quint64 key = quint64{id} * 2;
    if (room.height() < 2 * line + textMargin) {
        paintText(painter, room, key, [&] { return toQString(name.text); });
        return;
    }
    const bool timed = room.height() >= 3 * line + textMargin;
    const int lines = 1 + (name.module.empty() ? 0 : 1) + (timed ? 1 : 0);
    QRect at(room.left(), room.top() + (room.height() - lines * line) / 2, room.width(), line);
    paintText(painter, at, key,
              [&] { return toQString(name.module.empty() ? name.text : name.operatorText()); });
    if (!name.module.empty()) {
        at.translate(0, line);
        paintText(painter, at, key + 1, [&] { return toQString(name.module); });
    }
    if (timed) {
        at.translate(textMargin, line);
        const QString time = timeText(static_cast<double>(span.end - span.start) / timeline->ticksPerUnit,
                                      timeline->blocks->options().target);
        // A cut number would be misleading.
        if (painter.fontMetrics().horizontalAdvance(time) <= at.width() - 2 * textMargin) {
            painter.drawText(at, Qt::AlignLeft | Qt::AlignVCenter, time);
        }
    }
}

void LanePainter::paintFrame(QPainter& painter, const Span& span, const QRect& bar,
                             const Emphasis& emphasis) const {
    if (!emphasis.chosen && !emphasis.hovered) {
        return;
    }
    const auto row = timeline->rowOf(span);
    if (!row || (row != emphasis.chosen && row != emphasis.hovered)) {
        return;
    }
    painter.setPen(QPen(QColor::fromRgb(row == emphasis.hovered ? glow : text), frameWidth));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(1, 1, -1, -1));
    painter.setPen(QColor::fromRgb(text));
}

/// A corner in the link colour, which no bar has.
void LanePainter::paintFlag(QPainter& painter, const Span& span, const QRect& bar,
                            const Emphasis& emphasis) const {
    const auto row = emphasis.pinned.empty() ? std::nullopt : timeline->rowOf(span);
    if (!row || bar.width() < flagSize || !std::ranges::binary_search(emphasis.pinned, *row)) {
        return;
    }
    const QPoint corner = bar.topLeft();
    const QPolygon flag{corner, corner + QPoint(2 * flagSize, 0), corner + QPoint(0, 2 * flagSize)};
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.color(QPalette::Link));
    painter.drawPolygon(flag);
    painter.restore();
}

void LanePainter::paintCurrent(QPainter& painter, const Span& span, const QRect& bar,
                               const Emphasis& emphasis) const {
    if (!emphasis.current || timeline->rowOf(span) != emphasis.current) {
        return;
    }
    painter.save();
    painter.setPen(QPen(currentColour(palette), currentWidth));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(1, 1, -1, -1));
    paintCurrentMark(painter, QRectF(bar.left(), bar.top(), currentArrow, currentArrow), palette);
    painter.restore();
}

void LanePainter::paintBand(QPainter& painter, const Span& span, const QRect& bar,
                            const ZoomRange& view) const {
    const inspector::Event* const event = timeline->eventOf(span);
    if (event == nullptr || event->samples.size() < 2) {
        return;
    }
    const double pixels = timeline->ticksPerUnit / view.perPixel();
    const double left = bar.left() + event->statistics.p10 * pixels;
    const double right = bar.left() + event->statistics.p90 * pixels;
    if (right - left < 1) {
        return;
    }
    QColor shade = QColor::fromRgb(text);
    shade.setAlpha(bandAlpha);
    painter.fillRect(QRectF(left, bar.top(), right - left, bandHeight), shade);
    painter.fillRect(QRectF(left, bar.bottom() + 1 - bandHeight, right - left, bandHeight), shade);
}

void LanePainter::paintLane(QPainter& painter, const Lane& lane, const ZoomRange& view, double shift,
                            const QRect& area, const Emphasis& emphasis) {
    const double scale = painter.device()->devicePixelRatioF();
    strip.assign(static_cast<std::size_t>(area.width() * scale), 0);
    collect(lane, view, shift, area);
    for (const Lane::Piece& piece : pieces) {
        fill(barOf(piece, view, shift, area, scale, colourOf(lane, piece, emphasis)), scale);
    }
    flush(painter, area);
    painter.setPen(QColor::fromRgb(text));
    for (const Lane::Piece& piece : pieces) {
        if (piece.count > 1) {
            continue;
        }
        const Bar bar = barOf(piece, view, shift, area, 1, 0);
        const int left = std::max(bar.left, 0);
        const int right = std::min(bar.right, area.width());
        const QRect room(area.left() + left, area.top(), right - left, area.height());
        const Span& span = lane.spans()[piece.longest];
        if (timeline->folded > 0 && bar.left >= 0) {
            paintBand(painter, span, room, view);
        }
        if (right - left >= nameRoom) {
            paintLabels(painter, lane, piece, room);
        }
        paintFlag(painter, span, room, emphasis);
        paintFrame(painter, span, room, emphasis);
        paintCurrent(painter, span, room, emphasis);
    }
}

void LanePainter::paintRuns(QPainter& painter, const ZoomRange& view, double shift, const QRect& area) {
    const double scale = painter.device()->devicePixelRatioF();
    strip.assign(static_cast<std::size_t>(area.width() * scale), 0);
    collect(timeline->runs, view, shift, area);
    for (const Lane::Piece& piece : pieces) {
        // Neighbours alternate, so that their boundary is visible.
        const double share = piece.count > 1 ? 0.25 : piece.first % 2 == 0 ? 0.3 : 0.18;
        fill(barOf(piece, view, shift, area, scale, mixed(base, text, share)), scale);
    }
    flush(painter, area);
    painter.setPen(QColor::fromRgb(text));
    for (const Lane::Piece& piece : pieces) {
        const Bar bar = barOf(piece, view, shift, area, 1, 0);
        const int left = std::max(bar.left, 0);
        const int right = std::min(bar.right, area.width());
        if (piece.count == 1 && right - left >= nameRoom) {
            paintText(painter, {area.left() + left, area.top(), right - left, area.height()},
                      runNames | piece.first, [&] { return QStringLiteral("run %1").arg(piece.first + 1); });
        }
    }
}

}  // namespace et::visualizers
