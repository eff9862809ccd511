#pragma once

#include "inspector/graph/graph_overlay.h"

#include <QLabel>

namespace et::visualizers {

/// Legend of the colours of a graph, with as many lines as necessary.
class GraphLegend : public QLabel {
    Q_OBJECT

  public:
    explicit GraphLegend(QWidget* parent = nullptr);

    void show(const inspector::BoxColours& shown);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void write();

    inspector::BoxColours colours;
};

}  // namespace et::visualizers
