#pragma once

#include "visualizers/timeline/lane.h"
#include "visualizers/timeline/timeline.h"
#include "visualizers/timeline/timeline_difference.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QHash>
#include <QImage>
#include <QPalette>
#include <QRgb>
#include <QStaticText>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

class QPainter;

namespace et::visualizers {

/// Paints lanes of one timeline and caches colours and elided names between frames. The cost of a frame
/// depends on the screen's width.
class LanePainter {
  public:
    /// Null: nothing to paint.
    void setTimeline(std::shared_ptr<const Timeline> shown);
    /// Clears cached data that depends on colours and fonts.
    void restyle(const QPalette& now);

    /// Highlights of a lane.
    struct Emphasis {
        const std::vector<bool>& matching;  ///< by name; others are pale; empty: no filter
        std::optional<EventRef> chosen{};   ///< rows of this timeline, outlined in every run
        std::optional<EventRef> hovered{};
        const TimelineDifference* elsewhere = nullptr;  ///< differences shown on the bars; null: none
        std::span<const EventRef> pinned{};             ///< rows of this timeline with a flag, sorted
        std::optional<EventRef> current{};              ///< of the debugger: an arrow in every run
    };
    /// Paints a lane into `area` of a widget whose pixels `view` maps; `shift` ticks are added to all times
    /// of the timeline. A bar shows its operator and, if there is space, its module and time below.
    void paintLane(QPainter& painter, const Lane& lane, const ZoomRange& view, double shift,
                   const QRect& area, const Emphasis& emphasis);
    /// Paints the executions with their numbers.
    void paintRuns(QPainter& painter, const ZoomRange& view, double shift, const QRect& area);

  private:
    struct Bar {
        int left;
        int right;  ///< past the last pixel
        QRgb colour;
    };
    void collect(const Lane& lane, const ZoomRange& view, double shift, const QRect& area);
    [[nodiscard]] Bar barOf(const Lane::Piece& piece, const ZoomRange& view, double shift, const QRect& area,
                            double scale, QRgb colour) const;
    [[nodiscard]] QRgb colourOf(const Lane& lane, const Lane::Piece& piece, const Emphasis& emphasis) const;
    void fill(const Bar& bar, double scale);
    void flush(QPainter& painter, const QRect& area);
    void paintLabels(QPainter& painter, const Lane& lane, const Lane::Piece& piece, const QRect& room);
    void paintFrame(QPainter& painter, const Span& span, const QRect& bar, const Emphasis& emphasis) const;
    void paintFlag(QPainter& painter, const Span& span, const QRect& bar, const Emphasis& emphasis) const;
    void paintCurrent(QPainter& painter, const Span& span, const QRect& bar, const Emphasis& emphasis) const;
    /// For a typical run: paints the spread of the lengths of its middle runs.
    void paintBand(QPainter& painter, const Span& span, const QRect& bar, const ZoomRange& view) const;
    template <class Text>
    void paintText(QPainter& painter, const QRect& room, quint64 key, Text name);

    std::shared_ptr<const Timeline> timeline;
    std::vector<QRgb> colours;  ///< by name
    QPalette palette;
    QRgb base = 0;
    QRgb text = 0;
    QRgb glow = 0;
    std::vector<QRgb> strip;  ///< one pixel row of a lane in device pixels
    QImage lines;             ///< `strip` repeated to the height of a lane
    std::vector<Lane::Piece> pieces;
    QHash<quint64, QStaticText> texts;  ///< elided names
};

}  // namespace et::visualizers
