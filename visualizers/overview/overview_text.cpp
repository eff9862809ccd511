#include "visualizers/overview/overview.h"

#include <QObject>

namespace et::visualizers {

namespace {

using Severity = OverviewLine::Severity;

struct SeverityInfo {
    Severity severity;
    const char* html;
    const char* plain;
};
constexpr SeverityInfo severities[] = {
    {Severity::Plain, "", ""},
    {Severity::Good, "✓ ", "✓ "},
    {Severity::Bad, "<b>▲</b> ", "▲ "},
};
const SeverityInfo& infoOf(Severity severity) {
    return severities[static_cast<std::size_t>(severity)];
}

QString textCell(const OverviewLine& line) {
    const QString text = line.link.isEmpty() ? line.text.toHtmlEscaped()
                                             : QStringLiteral("<a href=\"%1\">%2</a>")
                                                   .arg(line.link.toHtmlEscaped(), line.text.toHtmlEscaped());
    const QString detail =
        line.detail.isEmpty()
            ? QString()
            : QStringLiteral("<div><small>%1</small></div>").arg(line.detail.toHtmlEscaped());
    return QString::fromUtf8(infoOf(line.severity).html) + text + detail;
}

/// A cell of a Markdown table must be one line without the separator.
QString markdownCell(QString text) {
    return text.replace(u'\n', u' ').replace(u'|', QStringLiteral("\\|"));
}

}  // namespace

QString toHtml(const OverviewSection& section) {
    QString html = QStringLiteral("<table cellspacing=\"4\">");
    for (const OverviewLine& line : section.lines) {
        html += line.label.isEmpty()
                    ? QStringLiteral("<tr><td colspan=\"2\">%1</td></tr>").arg(textCell(line))
                    : QStringLiteral(
                          "<tr><td style=\"white-space: nowrap\"><b>%1</b>&nbsp;&nbsp;</td>"
                          "<td>%2</td></tr>")
                          .arg(line.label.toHtmlEscaped(), textCell(line));
    }
    return html + QStringLiteral("</table>");
}

QString toMarkdown(const std::vector<OverviewSection>& sections) {
    QString text;
    for (const OverviewSection& section : sections) {
        text += QStringLiteral("## %1\n\n| | |\n|---|---|\n").arg(section.title);
        for (const OverviewLine& line : section.lines) {
            const QString detail =
                line.detail.isEmpty() ? QString() : QStringLiteral(" — %1").arg(line.detail);
            text += QStringLiteral("| %1 | %2%3 |\n")
                        .arg(markdownCell(line.label), QString::fromUtf8(infoOf(line.severity).plain),
                             markdownCell(line.text + detail));
        }
        text += u'\n';
    }
    return text;
}

}  // namespace et::visualizers
