#pragma once

#include "visualizers/gap/gap_plot_content.h"

#include <QPalette>

class QPainter;

namespace et::visualizers {

/// Paints a plot: stems with marks, circles for operators and squares for whole delegate calls; the first
/// divergence is marked.
void paintGapPlot(QPainter& painter, const GapPlotContent& content, const QPalette& palette);

}  // namespace et::visualizers
