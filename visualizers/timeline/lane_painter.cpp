#include "visualizers/timeline/lane_painter.h"

#include "visualizers/toolkit/name_colour.h"
#include "visualizers/toolkit/text.h"

#include <QFontMetrics>
#include <QPaintDevice>
#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int nameRoom = 28;  // pixels from which on a bar has its name
constexpr int gapFrom = 4;    // pixels from which on a bar leaves one free behind it
constexpr int textMargin = 3;
constexpr qsizetype maxTexts = 8192;
constexpr double paleShare = 0.19;
constexpr double emptiest = 0.3;
constexpr quint64 runNames = quint64{1} << 63U;

/// `share` of `colour` over `base`, both opaque.
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

void LanePainter::restyle(const QPalette& palette) {
    base = palette.color(QPalette::Base).rgb();
    text = palette.color(QPalette::Text).rgb();
    texts.clear();
    colours.clear();
    if (!timeline) {
        return;
    }
    const bool dark = palette.color(QPalette::Base).lightness() < 128;
    for (const std::string_view name : timeline->names) {
        colours.push_back(barColour(name, dark).rgb());
    }
}

QRgb LanePainter::colourOf(const Lane& lane, const Lane::Piece& piece,
                           const std::vector<bool>& matching) const {
    const std::uint32_t name = timeline->nameIds[lane.spans()[piece.longest].event];
    double share = matching.empty() || matching[name] ? 1 : paleShare;
    if (piece.count > 1) {
        // As pale as it is empty.
        const double part = static_cast<double>(piece.busy) /
                            static_cast<double>(std::max<std::uint64_t>(piece.end - piece.start, 1));
        share *= emptiest + (1 - emptiest) * std::min(part, 1.0);
    }
    return share < 1 ? mixed(base, colours[name], share) : colours[name];
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

/// The strip, drawn over and over until it is as high as the lane.
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

/// As many characters as there is room for; laying out text is what costs most, so it is kept.
template <class Text>
void LanePainter::paintText(QPainter& painter, const QRect& room, quint64 key, Text name) {
    const QFontMetrics metrics = painter.fontMetrics();
    const int width = std::max(metrics.averageCharWidth(), 1);
    const auto fits = std::min<qsizetype>((room.width() - 2 * textMargin) / width, 255);
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

void LanePainter::paintLane(QPainter& painter, const Lane& lane, const ZoomRange& view, double shift,
                            const QRect& area, const std::vector<bool>& matching) {
    const double scale = painter.device()->devicePixelRatioF();
    strip.assign(static_cast<std::size_t>(area.width() * scale), 0);
    collect(lane, view, shift, area);
    for (const Lane::Piece& piece : pieces) {
        fill(barOf(piece, view, shift, area, scale, colourOf(lane, piece, matching)), scale);
    }
    flush(painter, area);
    painter.setPen(QColor::fromRgb(text));
    for (const Lane::Piece& piece : pieces) {
        const Bar bar = barOf(piece, view, shift, area, 1, 0);
        const int left = std::max(bar.left, 0);
        const int right = std::min(bar.right, area.width());
        if (piece.count == 1 && right - left >= nameRoom) {
            const std::uint32_t name = timeline->nameIds[lane.spans()[piece.longest].event];
            paintText(painter, {area.left() + left, area.top(), right - left, area.height()}, name,
                      [&] { return toQString(timeline->names[name]); });
        }
    }
}

void LanePainter::paintRuns(QPainter& painter, const ZoomRange& view, double shift, const QRect& area) {
    const double scale = painter.device()->devicePixelRatioF();
    strip.assign(static_cast<std::size_t>(area.width() * scale), 0);
    collect(timeline->runs, view, shift, area);
    for (const Lane::Piece& piece : pieces) {
        // Neighbours differ, so that a person sees where one ends.
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
                      runNames | piece.first, [&] { return QObject::tr("run %1").arg(piece.first + 1); });
        }
    }
}

}  // namespace et::visualizers
