#include "app/studio/lab/lab_figures.h"

#include "visualizers/lab/lab_study.h"
#include "visualizers/lab/lab_text.h"

#include <QStringList>

#include <array>
#include <utility>

namespace et::studio {

namespace {

using visualizers::LabFigures;
using Number = std::optional<double> LabFigures::*;

constexpr int labFiguresMargin = 6;

QString figureText(const std::optional<double>& value, QString (*text)(double)) {
    return value ? text(*value).toHtmlEscaped() : QStringLiteral("–");
}

QString errorText(double noise) {
    return noise > 0 && noise < visualizers::labNonFiniteNoise
               ? QStringLiteral("%1 (%2)").arg(visualizers::labDecibels(noise),
                                               visualizers::labPercent(noise))
               : visualizers::labDecibels(noise);
}

struct LabFigureRow {
    const char* name;  ///< untranslated
    Number number;
    QString (*text)(double);
};
constexpr std::array figureRows{LabFigureRow{"error", &LabFigures::noise, errorText},
                                LabFigureRow{"bytes", &LabFigures::bytes, visualizers::labBytes},
                                LabFigureRow{"time", &LabFigures::milliseconds, visualizers::labTime}};

/// The value of a figure, and its source.
std::pair<std::optional<double>, QString> valueOf(const PredictionQuality& outlook, Number number) {
    if (outlook.measured.*number) {
        return {outlook.measured.*number, QStringLiteral("measured")};
    }
    const std::optional<double> value = outlook.predicted.*number;
    const QString state = outlook.measuring && value ? QStringLiteral("predicted; measuring…")
                          : outlook.measuring        ? QStringLiteral("measuring…")
                          : value                    ? QStringLiteral("predicted")
                                                     : QString();
    return {value, state};
}

}  // namespace

LabFiguresLabel::LabFiguresLabel(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("labFigures"));
    setAccessibleName(QStringLiteral("Error, bytes and time of the chosen sites"));
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setMargin(labFiguresMargin);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setToolTip(QStringLiteral(
        "Error: SQNR, the power of the float model's outputs divided by that of the difference, and the "
        "ratio of the amplitudes. Time: median of a run. Predictions add up the measurements of single "
        "sites."));
}

void LabFiguresLabel::show(const QString& title, const PredictionQuality& outlook, const LabFigures& allInt8,
                           const LabFigures& allFloat) {
    shown = {.title = title, .outlook = outlook, .allInt8 = allInt8, .allFloat = allFloat};
    showAgain();
}

void LabFiguresLabel::setCompact(bool wanted) {
    if (compact != wanted) {
        compact = wanted;
        showAgain();
    }
}

void LabFiguresLabel::showAgain() {
    if (shown.title.isEmpty()) {
        return;
    }
    QString html = QStringLiteral("<p style='margin:0'>%1</p>").arg(shown.title.toHtmlEscaped());
    html += compact ? line() : table();
    const PredictionQuality& outlook = shown.outlook;
    const QString problem =
        outlook.problem.isEmpty() ? QString() : QStringLiteral("not measured: %1").arg(outlook.problem);
    for (const QString& each : {problem, outlook.news}) {
        if (!each.isEmpty()) {
            html += QStringLiteral("<p style='margin:0'>%1</p>").arg(each.toHtmlEscaped());
        }
    }
    setText(html);
}

QString LabFiguresLabel::line() const {
    QStringList parts;
    for (const LabFigureRow& each : figureRows) {
        const auto [value, state] = valueOf(shown.outlook, each.number);
        parts.append(QStringLiteral("%1 <b>%2</b> %3")
                         .arg(QString::fromUtf8(each.name), figureText(value, each.text), state));
    }
    return QStringLiteral("<p style='margin:0'>%1</p>").arg(parts.join(QStringLiteral(" · ")));
}

QString LabFiguresLabel::table() const {
    QString html =
        QStringLiteral("<table cellpadding='2'><tr><td></td><td>%1</td><td></td><td>%2</td><td>%3</td></tr>")
            .arg(QStringLiteral("these sites"), QStringLiteral("all in int8"),
                 QStringLiteral("all in float"));
    for (const LabFigureRow& each : figureRows) {
        const auto [value, state] = valueOf(shown.outlook, each.number);
        html += QStringLiteral("<tr><td>%1</td><td><b>%2</b></td><td>%3</td><td>%4</td><td>%5</td></tr>")
                    .arg(QString::fromUtf8(each.name), figureText(value, each.text), state,
                         figureText(shown.allInt8.*each.number, each.text),
                         figureText(shown.allFloat.*each.number, each.text));
    }
    return html + QStringLiteral("</table>");
}

}  // namespace et::studio
