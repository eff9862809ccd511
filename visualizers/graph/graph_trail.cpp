#include "visualizers/graph/graph_trail.h"

#include "inspector/graph/graph_labels.h"
#include "visualizers/toolkit/text.h"

#include <QEvent>

namespace et::visualizers {

namespace {

const QString wholeGraph = QStringLiteral("graph");

QString link(const QString& target, const QString& text) {
    return QStringLiteral("<a href=\"%1\" style=\"text-decoration:none;color:COLOUR\">%2</a>")
        .arg(target, text.toHtmlEscaped());
}

}  // namespace

GraphTrail::GraphTrail(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("graphTrail"));
    setTextFormat(Qt::RichText);
    setMargin(4);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(this, &QLabel::linkActivated, this, [this](const QString& target) {
        bool isGroup = false;
        const unsigned number = target.toUInt(&isGroup);
        isGroup ? emit groupRequested(core::GraphGroupId(number)) : emit graphRequested();
    });
}

void GraphTrail::show(const core::ModelGraph& graph, std::optional<core::GraphGroupId> group,
                      const QString& last) {
    crumbs.clear();
    if (!last.isEmpty()) {
        crumbs.prepend(last.toHtmlEscaped());
    }
    for (; group; group = graph.group(*group).parent) {
        crumbs.prepend(link(QString::number(group->value), toQString(graph.group(*group).name)));
    }
    crumbs.prepend(link(wholeGraph, toQString(graph.name)));
    write();
}

void GraphTrail::write() {
    const QString colour = palette().color(QPalette::Link).name();
    QStringList coloured = crumbs;
    coloured.replaceInStrings(QStringLiteral("color:COLOUR"), QStringLiteral("color:") + colour);
    setText(coloured.join(QStringLiteral(" › ")));
}

void GraphTrail::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        write();
    }
    QLabel::changeEvent(event);
}

}  // namespace et::visualizers
