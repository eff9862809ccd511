#pragma once

#include "inspector/graph/graph_overlay.h"
#include "visualizers/graph/graph_scene.h"
#include "visualizers/results.h"

#include <QComboBox>

#include <string_view>

namespace et::studio {

/// Selects the quantity shown by the colours of a graph.
class OverlayBox : public QComboBox {
    Q_OBJECT

  public:
    explicit OverlayBox(QWidget* parent);

    void choose(inspector::Overlay overlay) { setCurrentIndex(findData(static_cast<int>(overlay))); }
    /// Colours by the selected quantity. The gap and the site errors of the results are used if they belong
    /// to the method.
    [[nodiscard]] inspector::BoxColours coloursOf(const visualizers::GraphScene& scene,
                                                  const inspector::GraphNumbers& times,
                                                  const visualizers::Results& results,
                                                  std::string_view method) const;
};

}  // namespace et::studio
