#include "app/studio/lab/lab_plot_export.h"

#include "app/studio/file_dialog.h"
#include "app/studio/lab/lab_folder.h"
#include "inspector/plot/scene.h"
#include "visualizers/lab/pareto_widget.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSaveFile>

namespace et::studio {

namespace {

constexpr QSize plotPage(900, 560);
constexpr int plotScale = 2;
constexpr int plotLetters = 11;  // font size of SVG pictures

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
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setLayoutDirection(Qt::LeftToRight);
    QFont font = plot.font();
    font.setPixelSize(plotLetters);
    painter.setFont(font);
    visualizers::paintScene(painter, plot.pageScene(plotPage), pageColours());
    return image;
}

}  // namespace

LabPlotExport::LabPlotExport(const visualizers::ParetoWidget& exported, QSettings& settings, QWidget* parent)
    : QObject(parent), plot(exported), store(settings), window(parent) {
}

void LabPlotExport::copy() const {
    QApplication::clipboard()->setImage(plotImage(plot));
}

void LabPlotExport::promptAndSave() {
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
        const std::string title = plot.accessibleName().toStdString();
        const std::string svg = svgText(plot.pageScene(plotPage), plotPage.width(), plotPage.height(),
                                        {.title = title, .isLight = true});
        good = out.write(QByteArray::fromStdString(svg)) == static_cast<qint64>(svg.size());
    }
    return good && out.commit() ? QString()
                                : QStringLiteral("cannot write %1: %2").arg(file, out.errorString());
}

}  // namespace et::studio
