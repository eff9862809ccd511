#include "app/studio/graph/graph_export.h"

#include "app/studio/file_dialog.h"
#include "inspector/graph/graph_dot.h"
#include "inspector/graph/graph_picture.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/graph/graph_image.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <string>

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

}  // namespace

GraphExport::GraphExport(visualizers::GraphCanvas& shown, QSettings& settings, QObject* parent)
    : QObject(parent), canvas(shown), store(settings) {
    auto* const save = new QAction(QStringLiteral("&Save the Graph as SVG, PNG or DOT…"), this);
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
                      .filters = QStringLiteral("SVG picture (*.svg);;PNG picture (*.png);;Graphviz (*.dot)"),
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
    if (ending != QLatin1String("svg") && ending != QLatin1String("png") && ending != QLatin1String("dot")) {
        return QStringLiteral("%1: file name must end in .svg, .png or .dot").arg(file);
    }
    QSaveFile out(file);
    bool good = out.open(QIODevice::WriteOnly);
    if (good && ending == QLatin1String("png")) {
        good = imageOf(canvas, maxPixels).save(&out, "PNG");
    } else if (good) {
        const std::string text = textOf(canvas, ending);
        good = out.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size());
    }
    return good && out.commit() ? QString()
                                : QStringLiteral("cannot write %1: %2").arg(file, out.errorString());
}

}  // namespace et::studio
