#include "tests/studio/screen_text.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <cstdlib>

namespace et::test {

namespace {

constexpr int screenDpi = 96;

/// Paint engine that draws nothing and records text.
class WordEngine : public QPaintEngine {
  public:
    WordEngine() : QPaintEngine(AllFeatures) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    [[nodiscard]] Type type() const override { return User; }
    void updateState(const QPaintEngineState& state) override { toDevice = state.transform(); }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}
    void drawRects(const QRectF*, int) override {}
    void drawRects(const QRect*, int) override {}
    void drawLines(const QLineF*, int) override {}
    void drawLines(const QLine*, int) override {}
    void drawEllipse(const QRectF&) override {}
    void drawEllipse(const QRect&) override {}
    void drawPoints(const QPointF*, int) override {}
    void drawPoints(const QPoint*, int) override {}
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        const QRectF box(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
        const QRect place = toDevice.mapRect(box).toAlignedRect();
        QRect shown = systemClip().boundingRect();
        if (painter()->hasClipping()) {
            shown &= toDevice.mapRect(painter()->clipBoundingRect()).toAlignedRect();
        }
        // A line counts as visible if more than half of its height is shown, so cut descenders are allowed.
        const QRect visible = place & shown;
        if (2 * visible.height() > place.height() && visible.width() > 0 &&
            !item.text().trimmed().isEmpty()) {
            constexpr int edge = 2;
            words.append({.text = item.text(),
                          .place = place,
                          .visible = visible,
                          .ink = painter()->pen().color().rgba(),
                          .cut = visible.width() + edge < place.width()});
        }
    }

    QList<SeenText> words;

  private:
    QTransform toDevice;
};

class WordDevice : public QPaintDevice {
  public:
    explicit WordDevice(const QSize& size) : extent(size) {}

    [[nodiscard]] QPaintEngine* paintEngine() const override { return &engine; }
    [[nodiscard]] const QList<SeenText>& words() const { return engine.words; }

  protected:
    [[nodiscard]] int metric(PaintDeviceMetric which) const override {
        switch (which) {
            case PdmWidth:
                return extent.width();
            case PdmHeight:
                return extent.height();
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY:
                return screenDpi;
            case PdmDepth:
                return 32;
            case PdmDevicePixelRatio:
                return 1;
            default:
                return QPaintDevice::metric(which);
        }
    }

  private:
    QSize extent;
    mutable WordEngine engine;
};

bool isOnLineOf(const SeenText& one, const SeenText& other) {
    return std::abs(one.place.center().y() - other.place.center().y()) <= 2;
}

}  // namespace

QList<SeenText> textsOnScreen(QWidget& window) {
    WordDevice device(window.size());
    window.render(&device, {}, {}, QWidget::DrawChildren);
    QList<SeenText> texts;
    // A text may be drawn in parts: one for each font, script or word.
    for (const SeenText& word : device.words()) {
        constexpr int joint = 2;
        const bool goesOn = !texts.isEmpty() && isOnLineOf(texts.back(), word) && !texts.back().cut &&
                            std::abs(word.place.left() - texts.back().place.right()) <= joint;
        if (goesOn) {
            texts.back().text += word.text;
            texts.back().place |= word.place;
            texts.back().visible |= word.visible;
            texts.back().cut = word.cut;
        } else {
            texts.append(word);
        }
    }
    std::ranges::stable_sort(texts, {}, [](const SeenText& each) { return each.place.top(); });
    return texts;
}

}  // namespace et::test
