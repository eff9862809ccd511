#include "app/studio/graph/overlay_box.h"

#include <array>

namespace et::studio {

using inspector::Overlay;

namespace {

struct OverlayName {
    Overlay overlay;
    const char* name;
};
constexpr std::array overlayNames{
    OverlayName{Overlay::Kind, QT_TRANSLATE_NOOP("et::studio::OverlayBox", "Operators")},
    OverlayName{Overlay::Time, QT_TRANSLATE_NOOP("et::studio::OverlayBox", "Time")},
    OverlayName{Overlay::Error, QT_TRANSLATE_NOOP("et::studio::OverlayBox", "Error")},
    OverlayName{Overlay::Bytes, QT_TRANSLATE_NOOP("et::studio::OverlayBox", "Bytes")},
    OverlayName{Overlay::Dtype, QT_TRANSLATE_NOOP("et::studio::OverlayBox", "Dtypes")},
    OverlayName{Overlay::Partition, QT_TRANSLATE_NOOP("et::studio::OverlayBox", "Partitions")},
    OverlayName{Overlay::Quantized, QT_TRANSLATE_NOOP("et::studio::OverlayBox", "Quantized clusters")},
    OverlayName{Overlay::Sensitivity, QT_TRANSLATE_NOOP("et::studio::OverlayBox", "Sensitivity")}};

}  // namespace

OverlayBox::OverlayBox(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("graphOverlay"));
    setToolTip(tr("Colour by"));
    setSizeAdjustPolicy(AdjustToContents);
    for (const OverlayName& each : overlayNames) {
        addItem(tr(each.name), static_cast<int>(each.overlay));
    }
}

inspector::BoxColours OverlayBox::coloursOf(const visualizers::GraphScene& scene,
                                            const inspector::GraphNumbers& times,
                                            const visualizers::Results& results,
                                            std::string_view method) const {
    const inspector::GapReport* const gap = results.gap().get();
    const auto overlay = static_cast<Overlay>(currentData().toInt());
    inspector::GraphNumbers numbers;
    if (overlay == Overlay::Time) {
        numbers = times;
        numbers.title = times.parts.empty() ? "Time: no trace of this method is open" : times.title;
    } else if (overlay == Overlay::Error && gap != nullptr && gap->method == method) {
        numbers = inspector::placeGap(scene.graph(), *gap, inspector::GapMetric::Mse);
        if (!results.wholeGap()->otherSets.empty()) {
            numbers.title += ", inputs: " + gap->inputs;
        }
        if (results.gapIsStale()) {
            numbers.title += ", of older files";
        }
    } else if (overlay == Overlay::Error) {
        numbers.title = "Error: the gap of this method is not calculated yet";
    } else if (overlay == Overlay::Sensitivity) {
        const inspector::SiteErrors* const errors = results.siteErrors().get();
        const bool known = errors != nullptr && errors->method == method;
        numbers =
            known
                ? inspector::placeSiteErrors(scene.graph(), *errors)
                : inspector::GraphNumbers{
                      .title = "Sensitivity: the Lab has not measured this method", .unit = {}, .parts = {}};
    }
    return inspector::coloursOf(scene.graph(), scene.diagram(), overlay, numbers);
}

}  // namespace et::studio
