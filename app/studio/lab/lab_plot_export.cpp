#include "app/studio/lab/lab_plot_export.h"

#include "app/studio/file_dialog.h"
#include "app/studio/lab/lab_folder.h"
#include "visualizers/lab/pareto_widget.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace et::studio {

namespace {

constexpr QSize plotPage(900, 560);
constexpr int plotScale = 2;

/// White, independent of the theme: the picture is for documents.
QPalette pageColours() {
    QPalette colours;
    colours.setColor(QPalette::Base, Qt::white);
    colours.setColor(QPalette::Text, Qt::black);
    colours.setColor(QPalette::PlaceholderText, QColor(0x59, 0x59, 0x59));
    colours.setColor(QPalette::Highlight, QColor(0x00, 0x72, 0xb2));
    return colours;
}

QImage plotImage(const visualizers::ParetoWidget& plot) {
    QImage image(plotPage * plotScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(plotScale);
    QPainter painter(&image);
    painter.setLayoutDirection(Qt::LeftToRight);
    plot.paintPage(painter, QRectF(QPointF(), QSizeF(plotPage)), pageColours());
    return image;
}

QByteArray plotSvg(const visualizers::ParetoWidget& plot) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(plotPage);
    generator.setViewBox(QRect(QPoint(), plotPage));
    generator.setTitle(plot.accessibleName());
    QPainter painter(&generator);
    painter.setLayoutDirection(Qt::LeftToRight);
    plot.paintPage(painter, QRectF(QPointF(), QSizeF(plotPage)), pageColours());
    painter.end();
    return buffer.data();
}

}  // namespace

LabPlotExport::LabPlotExport(const visualizers::ParetoWidget& exported, QSettings& settings, QWidget* parent)
    : QObject(parent), plot(exported), store(settings), window(parent) {
}

void LabPlotExport::copy() const {
    QApplication::clipboard()->setImage(plotImage(plot));
}

void LabPlotExport::askAndSave() {
    chooseFileToSave(window, store,
                     {.title = QStringLiteral("Save the Plot"),
                      .filters = QStringLiteral("SVG picture (*.svg);;PNG picture (*.png)"),
                      .folderKey = labFolderKey,
                      .suffix = QStringLiteral("svg"),
                      .objectName = QStringLiteral("labPlot"),
                      .receiver = this},
                     [this](const std::filesystem::path& file) {
                         if (const QString problem = save(QFile::decodeName(file.c_str()));
                             !problem.isEmpty()) {
                             emit noticed(problem);
                         }
                     });
}

QString LabPlotExport::save(const QString& file) const {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending != QLatin1String("svg") && ending != QLatin1String("png")) {
        return QStringLiteral("%1: file name must end in .svg or .png").arg(file);
    }
    QSaveFile out(file);
    bool good = out.open(QIODevice::WriteOnly);
    if (good && ending == QLatin1String("png")) {
        good = plotImage(plot).save(&out, "PNG");
    } else if (good) {
        const QByteArray svg = plotSvg(plot);
        good = out.write(svg) == svg.size();
    }
    return good && out.commit() ? QString()
                                : QStringLiteral("cannot write %1: %2").arg(file, out.errorString());
}

}  // namespace et::studio
