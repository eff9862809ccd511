#include "app/studio/graph/graph_export.h"

#include "app/studio/file_dialog.h"
#include "app/studio/panel_export.h"
#include "inspector/graph/graph_dot.h"
#include "inspector/graph/graph_picture.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/graph/graph_image.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace et::studio {

namespace {

const QString graphFolderKey = QStringLiteral("graph/exportFolder");
constexpr double pictureScale = 2;
constexpr int maxPixels = 16'000;  // of a file, on the longer side
constexpr int maxCopied = 4'000;   // of the clipboard, on the longer side

/// The file content as text: SVG or DOT.
std::string textOf(const visualizers::GraphCanvas& canvas, const QString& ending) {
    const visualizers::GraphScene& scene = *canvas.scene();
    const inspector::GraphView view = scene.view(canvas.colours());
    return ending == QLatin1String("dot") ? inspector::graphDot(view)
                                          : inspector::graphPicture(view, scene.layout());
}

QImage imageOf(const visualizers::GraphCanvas& canvas, int pixels) {
    return visualizers::graphImage(*canvas.scene(), canvas.colours(), canvas.marks(),
                                   visualizers::GraphStyle::of(canvas.palette(), canvas.font()), pictureScale,
                                   pixels);
}

QByteArray pngOf(const QImage& image) {
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return content;
}

}  // namespace

ExplorerContent makeExplorerContent(const inspector::SessionFiles& files, inspector::Overlay overlay,
                                    inspector::GraphNumbers times, const core::ModelGraph& graph,
                                    const inspector::GapReport* gap) {
    const bool clusters =
        overlay == inspector::Overlay::Partition || overlay == inspector::Overlay::Quantized;
    const std::filesystem::path& source = !files.program.empty()  ? files.program
                                          : !files.bundle.empty() ? files.bundle
                                                                  : files.record;
    return {.label = source.filename().string(),
            .layers = clusters ? inspector::ExplorerLayers::Clusters : inspector::ExplorerLayers::Groups,
            .times = std::move(times),
            .gap = gap != nullptr ? inspector::placeGap(graph, *gap, inspector::GapMetric::Mse)
                                  : inspector::GraphNumbers{.title = {}, .unit = {}, .parts = {}}};
}

GraphExport::GraphExport(visualizers::GraphCanvas& shown, QSettings& settings, GetContent get,
                         QObject* parent)
    : QObject(parent), canvas(shown), store(settings), content(std::move(get)) {
    auto* const save =
        new QAction(QStringLiteral("&Save the Graph as SVG, PNG, DOT or for Model Explorer…"), this);
    save->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
    connect(save, &QAction::triggered, this, &GraphExport::promptAndSave);
    auto* const copy = new QAction(QStringLiteral("Copy the &Picture"), this);
    copy->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    connect(copy, &QAction::triggered, this, &GraphExport::copyPicture);
    for (QAction* const action : {save, copy}) {
        action->setShortcutContext(Qt::WidgetShortcut);
        canvas.addAction(action);
    }
}

void GraphExport::copyPicture() const {
    if (canvas.scene()) {
        QApplication::clipboard()->setImage(imageOf(canvas, maxCopied));
    }
}

void GraphExport::promptAndSave() {
    if (!canvas.scene()) {
        return;
    }
    chooseFileToSave(&canvas, store,
                     {.title = QStringLiteral("Save the graph"),
                      .filters = QStringLiteral("SVG picture (*.svg);;PNG picture (*.png);;Graphviz (*.dot);;"
                                                "Model Explorer (*.json)"),
                      .folderKey = graphFolderKey,
                      .suffix = QStringLiteral("svg"),
                      .receiver = this},
                     [this](const std::filesystem::path& file) {
                         if (const QString problem = save(QFile::decodeName(file.c_str()));
                             !problem.isEmpty()) {
                             emit noticed(problem);
                         }
                     });
}

QString GraphExport::save(const QString& file) const {
    const QString ending = QFileInfo(file).suffix().toLower();
    if (!canvas.scene()) {
        return QStringLiteral("no graph to save");
    }
    if (ending == QLatin1String("json")) {
        return saveForExplorer(file);
    }
    if (ending == QLatin1String("png")) {
        return writeContent(file, pngOf(imageOf(canvas, maxPixels)));
    }
    if (ending != QLatin1String("svg") && ending != QLatin1String("dot")) {
        return QStringLiteral("%1: file name must end in .svg, .png, .dot or .json").arg(file);
    }
    return writeContent(file, QByteArray::fromStdString(textOf(canvas, ending)));
}

QString GraphExport::saveForExplorer(const QString& file) const {
    const ExplorerContent from = content();
    const std::vector<bool> all;
    const inspector::ExplorerView view{
        .graph = canvas.scene()->graph(), .shown = all, .label = from.label, .layers = from.layers};
    QString problem = writeContent(file, QByteArray::fromStdString(inspector::explorerGraph(view)));
    const std::filesystem::path path(QFile::encodeName(file).toStdString());
    for (const inspector::ExplorerData& each : inspector::explorerData(view, from.times, from.gap)) {
        if (problem.isEmpty()) {
            problem = writeContent(QFile::decodeName(inspector::explorerDataPath(path, each).c_str()),
                                   QByteArray::fromStdString(each.json));
        }
    }
    return problem;
}

}  // namespace et::studio
