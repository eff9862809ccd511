#include "visualizers/toolkit/description.h"

#include <utility>

namespace et::visualizers {

namespace {

QString escaped(const QString& text, bool code) {
    QString html = text.toHtmlEscaped();
    return code ? QStringLiteral("<pre>%1</pre>").arg(html) : html.replace(u'\n', QStringLiteral("<br>"));
}

QString linked(const QString& html, const QString& link) {
    return link.isEmpty() ? html : QStringLiteral("<a href=\"%1\">%2</a>").arg(link.toHtmlEscaped(), html);
}

QString row(const Detail& fact) {
    const QString image = fact.picture.isEmpty()
                              ? QString()
                              : QStringLiteral("<br><img src=\"%1\" alt=\"%2\">")
                                    .arg(fact.picture.toHtmlEscaped(), fact.label.toHtmlEscaped());
    const QString text = linked(escaped(fact.text, fact.code) + image, fact.link);
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

void addDetail(DetailSection& section, const QString& label, const QString& text, bool code) {
    if (!text.isEmpty()) {
        section.info.push_back({.label = label, .text = text, .code = code});
    }
}

void addSection(std::vector<DetailSection>& sections, DetailSection section) {
    if (!section.info.empty()) {
        sections.push_back(std::move(section));
    }
}

QString toHtml(const Description& description) {
    QString html = QStringLiteral("<h3>%1</h3><p>%2</p>")
                       .arg(description.title.toHtmlEscaped(), description.subtitle.toHtmlEscaped());
    for (const QString& warning : description.warnings) {
        html += QStringLiteral("<p>⚠ <b>%1</b></p>").arg(warning.toHtmlEscaped());
    }
    for (const DetailSection& section : description.sections) {
        html += QStringLiteral("<h4>%1</h4><table cellspacing=0 cellpadding=1>")
                    .arg(linked(section.title.toHtmlEscaped(), section.link));
        for (const Detail& fact : section.info) {
            html += row(fact);
        }
        html += QStringLiteral("</table>");
    }
    return html;
}

QString descriptionStyle() {
    return QStringLiteral(
        "h3 { margin-top: 2px; margin-bottom: 2px; } h4 { margin-top: 10px; margin-bottom: 2px; }"
        "p { margin-top: 0px; margin-bottom: 4px; }"
        "pre { margin-top: 0px; margin-bottom: 6px; white-space: pre-wrap; }"
        "a { text-decoration: none; }");
}

}  // namespace et::visualizers
