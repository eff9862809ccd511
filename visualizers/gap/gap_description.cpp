#include "visualizers/gap/gap_description.h"

#include "visualizers/gap/gap_model.h"
#include "visualizers/toolkit/text.h"

#include <QStringList>

#include <array>

namespace et::visualizers {

namespace {

using inspector::GapOutput;
using inspector::GapSide;
using inspector::SideStatistics;

QString escaped(std::string_view text) {
    return toQString(text).toHtmlEscaped();
}

QString listText(const std::vector<std::string>& texts) {
    QStringList all;
    for (const std::string& each : texts) {
        all.append(escaped(each));
    }
    return all.join(QStringLiteral(", "));
}

/// Name and text function of a statistic.
struct StatisticTraits {
    const char* name;
    QString (*text)(const SideStatistics& numbers);
};
constexpr std::array statistics{
    StatisticTraits{"min", [](const SideStatistics& side) { return gapNumberText(side.minimum); }},
    StatisticTraits{"max", [](const SideStatistics& side) { return gapNumberText(side.maximum); }},
    StatisticTraits{"mean", [](const SideStatistics& side) { return gapNumberText(side.mean); }},
    StatisticTraits{"std", [](const SideStatistics& side) { return gapNumberText(side.deviation); }},
    StatisticTraits{"p99 of |x|", [](const SideStatistics& side) { return gapNumberText(side.p99); }},
    StatisticTraits{"zeros", [](const SideStatistics& side) { return QString::number(side.zeros); }},
    StatisticTraits{"NaN", [](const SideStatistics& side) { return QString::number(side.nans); }},
    StatisticTraits{"infinite", [](const SideStatistics& side) { return QString::number(side.infinities); }},
};

QString cell(const QString& text, const char* align = "right") {
    return QStringLiteral("<td align='%1'>%2&nbsp;&nbsp;&nbsp;</td>").arg(QLatin1String(align), text);
}

QString tableRow(const QString& name, const QString& left, const QString& right) {
    return QStringLiteral("<tr>%1%2%3</tr>").arg(cell(name, "left"), cell(left), cell(right));
}

QString shapeText(const GapSide& side) {
    QStringList sizes;
    for (const std::int64_t each : side.sizes) {
        sizes.append(QString::number(each));
    }
    return QStringLiteral("%1 [%2]").arg(escaped(side.dtype), sizes.join(QStringLiteral(", ")));
}

QString shapesHtml(const GapOutput& output) {
    const QString left = shapeText(output.reference);
    const QString right = shapeText(output.runtime);
    return left == right ? left : QStringLiteral("reference %1, runtime %2").arg(left, right);
}

}  // namespace

QString operatorHtml(const inspector::GapReportRow& row) {
    QStringList lines;
    QString title = QStringLiteral("<b>%1</b>").arg(operatorText(row).toHtmlEscaped());
    if (!row.referenceOps.empty()) {
        title += QStringLiteral(" &nbsp;·&nbsp; ") + listText(row.referenceOps);
    }
    title += QStringLiteral(" &nbsp;·&nbsp; debug handle %1").arg(handlesText(row).toHtmlEscaped());
    lines.append(title);
    QStringList places;
    for (const std::string& each : {row.module, pythonLineOf(row)}) {
        if (!each.empty()) {
            places.append(escaped(each));
        }
    }
    if (!row.inputs.empty()) {
        places.append(QStringLiteral("inputs %1").arg(listText(row.inputs)));
    }
    if (!places.isEmpty()) {
        lines.append(places.join(QStringLiteral(" &nbsp;·&nbsp; ")));
    }
    if (row.own) {
        const QString verdict =
            row.own->diverges
                ? QStringLiteral("<span style='color:#d03a3a'>%1</span>").arg(escaped(row.own->reason))
                : QStringLiteral("within rounding");
        lines.append(QStringLiteral("own error %1 (%2 rounding steps), inherited %3, total %4: %5")
                         .arg(gapNumberText(row.own->own), gapNumberText(row.own->ownSteps),
                              gapNumberText(row.own->inherited), gapNumberText(row.own->total), verdict));
    }
    return lines.join(QStringLiteral("<br>"));
}

QString outputHtml(const GapOutput& output) {
    QString text = QStringLiteral("<p>%1</p>").arg(shapesHtml(output));
    if (!output.difference.empty()) {
        text += QStringLiteral("<p>%1</p>").arg(escaped(output.difference));
    }
    text += QStringLiteral("<table cellspacing='0'>");
    text += tableRow({}, QStringLiteral("<b>reference</b>"), QStringLiteral("<b>runtime</b>"));
    for (const StatisticTraits& each : statistics) {
        text += tableRow(QString::fromUtf8(each.name), each.text(output.reference.statistics),
                         each.text(output.runtime.statistics));
    }
    text += QStringLiteral("</table><p></p><table cellspacing='0'>");
    for (const inspector::GapMetricInfo& each : inspector::gapMetrics) {
        const auto number = output.numbers[each.metric];
        text += QStringLiteral("<tr>%1%2</tr>")
                    .arg(cell(escaped(each.title), "left"),
                         cell(number ? gapNumberText(*number) : QStringLiteral("–")));
    }
    text += QStringLiteral("</table>");
    if (output.quantization) {
        text += QStringLiteral("<p>%1</p>")
                    .arg(QStringLiteral("scale %1, zero point %2")
                             .arg(gapNumberText(output.quantization->scale))
                             .arg(output.quantization->zeroPoint));
    }
    return text;
}

QString summaryText(const inspector::GapReport& report) {
    QString text = counted(report.rows.size(), QStringLiteral("1 operator"), QStringLiteral("%1 operators"));
    if (!report.bisected) {
        return QStringLiteral("%1, inputs: %2").arg(text, toQString(report.inputs));
    }
    QStringList inputs;
    for (const std::string& each : report.triedInputs) {
        inputs.append(toQString(each));
    }
    const QString tried = inputs.join(QStringLiteral(", "));
    if (!report.firstDivergence) {
        return QStringLiteral("%1, none diverge (inputs: %2)").arg(text, tried);
    }
    const inspector::GapReportRow& row = report.rows[report.firstDivergence->row];
    const QString module = row.module.empty() ? QString() : QStringLiteral(" · ") + toQString(row.module);
    text += QStringLiteral(", first divergence: %1%2, debug handle %3")
                .arg(operatorText(row), module, handlesText(row));
    return report.divergesSometimes.empty()
               ? QStringLiteral("%1 (inputs: %2)").arg(text, tried)
               : QStringLiteral("%1 (inputs: %2; %3 on some inputs only)")
                     .arg(text, tried,
                          counted(report.divergesSometimes.size(), QStringLiteral("1 diverges"),
                                  QStringLiteral("%1 diverge")));
}

}  // namespace et::visualizers
