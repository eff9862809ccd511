#include "visualizers/graph/graph_legend.h"

#include "visualizers/graph/graph_style.h"
#include "visualizers/toolkit/text.h"

#include <QEvent>

namespace et::visualizers {

GraphLegend::GraphLegend(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("graphLegend"));
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setMargin(4);
}

void GraphLegend::show(const inspector::BoxColours& shown) {
    colours = shown;
    write();
}

void GraphLegend::write() {
    const GraphStyle style = GraphStyle::of(palette(), font());
    QString html = QStringLiteral("<b>%1</b>").arg(toQString(colours.title).toHtmlEscaped());
    for (const inspector::LegendEntry& entry : colours.legend) {
        // Non-breaking spaces keep a colour and its text on one line.
        QString words = toQString(entry.text).toHtmlEscaped();
        words.replace(QLatin1Char(' '), QStringLiteral("&nbsp;"));
        html += QStringLiteral(
                    " &nbsp; <span style=\"background-color:%1\">&nbsp;&nbsp;&nbsp;&nbsp;</span>&nbsp;%2")
                    .arg(style.fill(entry.colour).name(), words);
    }
    setText(html);
}

void GraphLegend::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && !colours.title.empty()) {
        write();
    }
    QLabel::changeEvent(event);
}

}  // namespace et::visualizers
