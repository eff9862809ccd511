#include "visualizers/graph/graph_details_pane.h"

#include "visualizers/toolkit/text.h"

#include <QTextBrowser>
#include <QVBoxLayout>

namespace et::visualizers {

namespace {

const QString textStyle = QStringLiteral(
    "h3 { margin-top: 2px; margin-bottom: 2px; } h4 { margin-top: 10px; margin-bottom: 2px; }"
    "p { margin-top: 0px; margin-bottom: 4px; }"
    "pre { margin-top: 0px; margin-bottom: 6px; white-space: pre-wrap; }"
    "td { padding-right: 8px; }");

QString sectionHtml(const inspector::DetailSection& section) {
    QString html = QStringLiteral("<h4>%1</h4>").arg(toQString(section.title).toHtmlEscaped());
    if (!section.rows.empty()) {
        html += QStringLiteral("<table>");
        for (const auto& [name, value] : section.rows) {
            html += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>")
                        .arg(toQString(name).toHtmlEscaped(), toQStringLines(value).toHtmlEscaped());
        }
        html += QStringLiteral("</table>");
    }
    if (!section.text.empty()) {
        html += QStringLiteral("<pre>%1</pre>").arg(toQStringLines(section.text).toHtmlEscaped());
    }
    return html;
}

}  // namespace

GraphDetailsPane::GraphDetailsPane(QWidget* parent) : QWidget(parent), text(new QTextBrowser(this)) {
    text->setObjectName(QStringLiteral("graphDetails"));
    text->setOpenLinks(false);
    text->setFrameShape(QFrame::NoFrame);
    text->document()->setDefaultStyleSheet(textStyle);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(text);
}

void GraphDetailsPane::show(const inspector::BoxInfo& info) {
    QString html = QStringLiteral("<h3>%1</h3><p>%2</p>")
                       .arg(toQString(info.title).toHtmlEscaped(), toQString(info.subtitle).toHtmlEscaped());
    for (const inspector::DetailSection& section : info.sections) {
        html += sectionHtml(section);
    }
    text->setHtml(html);
}

void GraphDetailsPane::showHint(const QString& hint) {
    text->clear();
    text->setPlaceholderText(hint);
}

QString GraphDetailsPane::plainText() const {
    return text->toPlainText();
}

}  // namespace et::visualizers
