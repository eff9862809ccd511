#include "visualizers/gap/gap_description.h"

#include "visualizers/gap/gap_model.h"
#include "visualizers/toolkit/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <array>

namespace et::visualizers {

namespace {

using inspector::GapOutput;
using inspector::GapSide;
using inspector::SideStatistics;

QString gapText(const char* text) {
    return QCoreApplication::translate("gap", text);
}

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
    StatisticTraits{QT_TRANSLATE_NOOP("gap", "min"),
                    [](const SideStatistics& side) { return gapNumberText(side.minimum); }},
    StatisticTraits{QT_TRANSLATE_NOOP("gap", "max"),
                    [](const SideStatistics& side) { return gapNumberText(side.maximum); }},
    StatisticTraits{QT_TRANSLATE_NOOP("gap", "mean"),
                    [](const SideStatistics& side) { return gapNumberText(side.mean); }},
    StatisticTraits{QT_TRANSLATE_NOOP("gap", "std"),
                    [](const SideStatistics& side) { return gapNumberText(side.deviation); }},
    StatisticTraits{QT_TRANSLATE_NOOP("gap", "p99 of |x|"),
                    [](const SideStatistics& side) { return gapNumberText(side.p99); }},
    StatisticTraits{QT_TRANSLATE_NOOP("gap", "zeros"),
                    [](const SideStatistics& side) { return QString::number(side.zeros); }},
    StatisticTraits{QT_TRANSLATE_NOOP("gap", "NaN"),
                    [](const SideStatistics& side) { return QString::number(side.nans); }},
    StatisticTraits{QT_TRANSLATE_NOOP("gap", "infinite"),
                    [](const SideStatistics& side) { return QString::number(side.infinities); }},
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
    return left == right ? left : gapText("reference %1, runtime %2").arg(left, right);
}

}  // namespace

QString operatorHtml(const inspector::GapReportRow& row) {
    QStringList lines;
    QString title = QStringLiteral("<b>%1</b>").arg(operatorText(row).toHtmlEscaped());
    if (!row.referenceOps.empty()) {
        title += QStringLiteral(" &nbsp;·&nbsp; ") + listText(row.referenceOps);
    }
    title += gapText(" &nbsp;·&nbsp; debug handle %1").arg(handlesText(row).toHtmlEscaped());
    lines.append(title);
    QStringList places;
    for (const std::string& each : {row.module, pythonLineOf(row)}) {
        if (!each.empty()) {
            places.append(escaped(each));
        }
    }
    if (!row.inputs.empty()) {
        places.append(gapText("inputs %1").arg(listText(row.inputs)));
    }
    if (!places.isEmpty()) {
        lines.append(places.join(QStringLiteral(" &nbsp;·&nbsp; ")));
    }
    if (row.own) {
        const QString verdict =
            row.own->diverges
                ? QStringLiteral("<span style='color:#d03a3a'>%1</span>").arg(escaped(row.own->reason))
                : gapText("within rounding");
        lines.append(gapText("own error %1 (%2 rounding steps), inherited %3, total %4: %5")
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
    text += tableRow({}, gapText("<b>reference</b>"), gapText("<b>runtime</b>"));
    for (const StatisticTraits& each : statistics) {
        text += tableRow(gapText(each.name), each.text(output.reference.statistics),
                         each.text(output.runtime.statistics));
    }
    text += QStringLiteral("</table><p></p><table cellspacing='0'>");
    for (const inspector::GapMetricTraits& each : inspector::gapMetrics) {
        const auto number = output.numbers[each.metric];
        text +=
            QStringLiteral("<tr>%1%2</tr>")
                .arg(cell(escaped(each.title), "left"), cell(number ? gapNumberText(*number) : gapText("–")));
    }
    text += QStringLiteral("</table>");
    if (output.quantization) {
        text += QStringLiteral("<p>%1</p>")
                    .arg(gapText("scale %1, zero point %2")
                             .arg(gapNumberText(output.quantization->scale))
                             .arg(output.quantization->zeroPoint));
    }
    return text;
}

QString summaryText(const inspector::GapReport& report) {
    QString text = counted(report.rows.size(), gapText("1 operator"), gapText("%1 operators"));
    if (!report.bisected) {
        return gapText("%1, inputs: %2").arg(text, toQString(report.inputs));
    }
    QStringList inputs;
    for (const std::string& each : report.triedInputs) {
        inputs.append(toQString(each));
    }
    const QString tried = inputs.join(QStringLiteral(", "));
    if (!report.firstDivergence) {
        return gapText("%1, none diverge (inputs: %2)").arg(text, tried);
    }
    const inspector::GapReportRow& row = report.rows[report.firstDivergence->row];
    text += gapText(", first divergence: %1, debug handle %2").arg(operatorText(row), handlesText(row));
    return report.divergesSometimes.empty() ? gapText("%1 (inputs: %2)").arg(text, tried)
                                            : gapText("%1 (inputs: %2; %3 on some inputs only)")
                                                  .arg(text, tried,
                                                       counted(report.divergesSometimes.size(),
                                                               gapText("1 diverges"), gapText("%1 diverge")));
}

}  // namespace et::visualizers
