#include "visualizers/events/event_description.h"

namespace et::visualizers {

namespace {

QString escaped(const QString& text, bool code) {
    QString html = text.toHtmlEscaped();
    return code ? QStringLiteral("<pre>%1</pre>").arg(html) : html.replace(u'\n', QStringLiteral("<br>"));
}

QString row(const Detail& fact) {
    const QString text = escaped(fact.text, fact.code);
    if (fact.label.isEmpty()) {
        return QStringLiteral("<tr><td colspan=2>%1</td></tr>").arg(text);
    }
    if (fact.code || fact.text.contains(u'\n')) {
        return QStringLiteral("<tr><td colspan=2><i>%1</i>%2%3</td></tr>")
            .arg(fact.label.toHtmlEscaped(), fact.code ? QString() : QStringLiteral("<br>"), text);
    }
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
        .arg(fact.label.toHtmlEscaped(), text);
}

}  // namespace

QString toHtml(const EventDescription& description) {
    QString html = QStringLiteral("<h3>%1</h3><p>%2</p>")
                       .arg(description.title.toHtmlEscaped(), description.subtitle.toHtmlEscaped());
    for (const QString& warning : description.warnings) {
        html += QStringLiteral("<p>⚠ <b>%1</b></p>").arg(warning.toHtmlEscaped());
    }
    for (const DetailSection& section : description.sections) {
        html += QStringLiteral("<h4>%1</h4><table cellspacing=0 cellpadding=1>")
                    .arg(section.title.toHtmlEscaped());
        for (const Detail& fact : section.info) {
            html += row(fact);
        }
        html += QStringLiteral("</table>");
    }
    return html;
}

}  // namespace et::visualizers
