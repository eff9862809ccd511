#include "app/studio/source/source_panel.h"

#include "app/studio/file_dialog.h"
#include "app/studio/panel_command.h"
#include "app/studio/path_mappings.h"
#include "app/studio/python_source.h"
#include "app/studio/source/mapping_dialog.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QLabel>
#include <QStackedLayout>
#include <QToolBar>

#include <algorithm>
#include <utility>
#include <vector>

namespace et::studio {

namespace fs = std::filesystem;
using inspector::PathMapping;
using visualizers::SourceBase;
using visualizers::SourceText;

SourcePanel::SourcePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      settings(context.settings),
      indexing(this),
      reading(this),
      source(new visualizers::SourceView(context.selection, context.debugger, this)) {
    QLabel* const nothing = visualizers::hintLabel("sourceHint", this);
    nothing->setText(
        QStringLiteral("Open an ETRecord (or a program with stack traces) to see the "
                       "model's Python source. A trace adds times per line."));
    auto* const page = new QWidget(this);
    auto* const tools = new QToolBar(page);
    visualizers::fillColumn(*page, {tools, source});
    auto* const pages = new QStackedLayout(this);
    pages->addWidget(nothing);
    pages->addWidget(page);
    createTools();
    tools->addActions(actions());
    addActions(source->actions());
    setFocusProxy(source);
    connect(source, &visualizers::SourceView::fileWanted, this, &SourcePanel::readFile);
    connect(&opened, &visualizers::OpenSession::changed, this, [this, pages] {
        pages->setCurrentIndex(hasContent() ? 1 : 0);
        showSession();
    });
}

void SourcePanel::createTools() {
    addCommand(*this, QStringLiteral("Find F&ile…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
               &SourcePanel::chooseFile)
        ->setToolTip(QStringLiteral("Locate the shown file"));
    addCommand(*this, QStringLiteral("&Path Mappings…"), {}, &SourcePanel::editMappings)
        ->setToolTip(QStringLiteral("Map folders of the exporting machine to local folders"));
}

bool SourcePanel::hasContent() const {
    return opened.session() && SourceBase::has(*opened.session());
}

void SourcePanel::showSession() {
    reading.forget();
    indexing.forget();
    source->setBase(nullptr);
    if (hasContent()) {
        indexing.start([session = opened.session()] { return SourceBase::build(session); },
                       [this](const std::shared_ptr<const SourceBase>& built) { source->setBase(built); });
    }
}

void SourcePanel::readFile(const std::string& recorded) {
    reading.start(
        [recorded, mappings = storedMappings(settings), folders = sourceFolders(opened.session()->files)] {
            return readPython(recorded, mappings, folders);
        },
        [this](const SourceText& text) { source->setText(text); });
}

void SourcePanel::mapShownFile(const fs::path& file) {
    if (source->shownFile().empty()) {
        return;
    }
    const PathMapping added = inspector::mappingBetween(source->shownFile(), file);
    std::vector<PathMapping> mappings = storedMappings(settings);
    std::erase_if(mappings, [&](const PathMapping& each) { return each.from == added.from; });
    mappings.push_back(added);
    storeMappings(settings, mappings);
    source->reload();
}

void SourcePanel::chooseFile() {
    if (source->shownFile().empty()) {
        emit noticed(QStringLiteral("select a stack frame first"));
        return;
    }
    chooseFileToOpen(this, settings,
                     {.title = QStringLiteral("Find %1").arg(visualizers::toQString(source->shownFile())),
                      .filters = QStringLiteral("Python (*.py);;All files (*)")},
                     [this](const fs::path& file) { mapShownFile(file); });
}

void SourcePanel::editMappings() {
    auto* const dialog = new MappingDialog(storedMappings(settings), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        storeMappings(settings, dialog->mappings());
        source->reload();
    });
    dialog->open();
}

}  // namespace et::studio
