#include "app/studio/source/source_panel.h"

#include "app/studio/file_dialog.h"
#include "app/studio/path_mappings.h"
#include "app/studio/python_source.h"
#include "app/studio/source/mapping_dialog.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QLabel>
#include <QStackedLayout>
#include <QToolBar>
#include <QVBoxLayout>

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
      source(new visualizers::SourceView(context.selection, this)) {
    auto* const nothing =
        new QLabel(QStringLiteral("Open an ETRecord (or a program with stack traces) to see the "
                                  "model's Python source. A trace adds times per line."),
                   this);
    nothing->setObjectName(QStringLiteral("sourceHint"));
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
    auto* const page = new QWidget(this);
    auto* const pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    auto* const tools = new QToolBar(page);
    pageLayout->addWidget(tools);
    pageLayout->addWidget(source, 1);
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
    const auto add = [this](const QString& text, const QString& tip, const QKeySequence& key, auto slot) {
        auto* const action = new QAction(text, this);
        action->setToolTip(tip);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
    };
    add(QStringLiteral("Find F&ile…"), QStringLiteral("Locate the shown file"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), &SourcePanel::chooseFile);
    add(QStringLiteral("&Path Mappings…"),
        QStringLiteral("Map folders of the exporting machine to local folders"), QKeySequence(),
        &SourcePanel::editMappings);
}

bool SourcePanel::hasContent() const {
    return opened.session() && SourceBase::has(*opened.session());
}

void SourcePanel::find() {
    source->focusFilter();
}

QByteArray SourcePanel::saveState() const {
    return source->saveState();
}

void SourcePanel::restoreState(const QByteArray& state) {
    source->restoreState(state);
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
