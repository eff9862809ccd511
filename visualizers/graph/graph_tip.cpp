#include "visualizers/graph/graph_tip.h"

#include "visualizers/toolkit/text.h"

namespace et::visualizers {

QString graphTip(const GraphScene& scene, const inspector::BoxColours& fills, const QPointF& point,
                 double near) {
    if (const auto box = scene.boxAt(point)) {
        const std::string& note = fills.notes[*box];
        const QString text = toQStringLines(scene.labels()[*box].tooltip);
        return note.empty() ? text : text + QLatin1Char('\n') + toQStringLines(note);
    }
    if (const auto edge = scene.edgeAt(point, near)) {
        return toQStringLines(inspector::edgeTooltip(scene.graph(), scene.diagram().edges[*edge]));
    }
    const auto frame = scene.frameAt(point);
    if (!frame) {
        return {};
    }
    const core::GraphGroup& group = scene.graph().group(scene.diagram().groups[*frame].id);
    return toQStringLines(group.kind) + QLatin1Char(' ') + toQString(inspector::groupName(group));
}

}  // namespace et::visualizers
