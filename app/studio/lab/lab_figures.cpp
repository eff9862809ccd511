#include "app/studio/lab/lab_figures.h"

#include "visualizers/lab/lab_text.h"

#include <functional>

namespace et::studio {

namespace {

using visualizers::LabFigures;
using Number = std::optional<double> LabFigures::*;

constexpr int labFiguresMargin = 6;

QString figureText(const std::optional<double>& value, const std::function<QString(double)>& text) {
    return value ? text(*value).toHtmlEscaped() : QStringLiteral("–");
}

QString errorText(double noise) {
    return noise > 0 ? QStringLiteral("%1 (%2)").arg(visualizers::labDecibels(noise),
                                                     visualizers::labPercent(noise))
                     : visualizers::labDecibels(noise);
}

}  // namespace

LabFiguresLabel::LabFiguresLabel(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("labFigures"));
    setAccessibleName(tr("Error, bytes and time of the chosen sites"));
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setMargin(labFiguresMargin);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setToolTip(
        tr("Error: power of the float model's outputs over that of the difference (SQNR), and the ratio of "
           "the amplitudes. Time: median of a run. Predictions add up what was measured of the sites."));
}

void LabFiguresLabel::show(const QString& title, const LabOutlook& outlook, const LabFigures& allInt8,
                           const LabFigures& allFloat) {
    const auto row = [&](const QString& name, Number number, const std::function<QString(double)>& text) {
        const bool measured = (outlook.measured.*number).has_value();
        const std::optional<double> value = measured ? outlook.measured.*number : outlook.predicted.*number;
        const QString state = measured            ? tr("measured")
                              : outlook.measuring ? tr("predicted; measuring…")
                              : value             ? tr("predicted")
                                                  : QString();
        return QStringLiteral("<tr><td>%1</td><td><b>%2</b></td><td>%3</td><td>%4</td><td>%5</td></tr>")
            .arg(name, figureText(value, text), state, figureText(allInt8.*number, text),
                 figureText(allFloat.*number, text));
    };
    QString html =
        QStringLiteral("<p style='margin:0'>%1</p><table cellpadding='2'>").arg(title.toHtmlEscaped());
    html += QStringLiteral("<tr><td></td><td>%1</td><td></td><td>%2</td><td>%3</td></tr>")
                .arg(tr("these sites"), tr("all in int8"), tr("all in float"));
    html += row(tr("error"), &LabFigures::noise, errorText);
    html += row(tr("bytes"), &LabFigures::bytes, visualizers::labBytes);
    html += row(tr("time"), &LabFigures::milliseconds, visualizers::labTime);
    html += QStringLiteral("</table>");
    const QString problem =
        outlook.problem.isEmpty() ? QString() : tr("not measured: %1").arg(outlook.problem);
    for (const QString& line : {problem, outlook.news}) {
        if (!line.isEmpty()) {
            html += QStringLiteral("<p style='margin:0'>%1</p>").arg(line.toHtmlEscaped());
        }
    }
    setText(html);
}

}  // namespace et::studio
