#include "app/studio/graph/overlay_box.h"

#include <array>

namespace et::studio {

using inspector::Overlay;

namespace {

struct OverlayName {
    Overlay overlay;
    const char* name;
};
constexpr std::array overlayNames{OverlayName{Overlay::Kind, "Operators"},
                                  OverlayName{Overlay::Time, "Time"},
                                  OverlayName{Overlay::Error, "Error"},
                                  OverlayName{Overlay::Bytes, "Bytes"},
                                  OverlayName{Overlay::Dtype, "Dtypes"},
                                  OverlayName{Overlay::Partition, "Partitions"},
                                  OverlayName{Overlay::Quantized, "Quantized clusters"},
                                  OverlayName{Overlay::Sensitivity, "Sensitivity"}};

}  // namespace

OverlayBox::OverlayBox(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("graphOverlay"));
    setToolTip(QStringLiteral("Colour by"));
    setSizeAdjustPolicy(AdjustToContents);
    for (const OverlayName& each : overlayNames) {
        addItem(QString::fromUtf8(each.name), static_cast<int>(each.overlay));
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
            numbers.title += ", calculated from older files";
        }
    } else if (overlay == Overlay::Error) {
        numbers.title = "Error: not calculated for this method (Accuracy, F9)";
    } else if (overlay == Overlay::Sensitivity) {
        const inspector::SiteErrors* const errors = results.siteErrors().get();
        const bool known = errors != nullptr && errors->method == method;
        numbers = known ? inspector::placeSiteErrors(scene.graph(), *errors)
                        : inspector::GraphNumbers{
                              .title = "Sensitivity: this method has not been measured (Quantize)",
                              .unit = {},
                              .parts = {}};
    }
    return inspector::coloursOf(scene.graph(), scene.diagram(), overlay, numbers);
}

}  // namespace et::studio
