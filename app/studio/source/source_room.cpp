#include "app/studio/source/source_room.h"

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

SourceRoom::SourceRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      opened(context.opened),
      settings(context.settings),
      indexing(this),
      reading(this),
      source(new visualizers::SourceView(context.selection, this)) {
    auto* const nothing = new QLabel(tr("Open an ETRecord (or a program with stack traces) to see the "
                                        "model's Python source. A trace adds the time of each line."),
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
    connect(source, &visualizers::SourceView::fileWanted, this, &SourceRoom::readFile);
    connect(&opened, &visualizers::OpenSession::changed, this, [this, pages] {
        pages->setCurrentIndex(hasContent() ? 1 : 0);
        showSession();
    });
}

void SourceRoom::createTools() {
    const auto add = [this](const QString& text, const QString& tip, const QKeySequence& key, auto slot) {
        auto* const action = new QAction(text, this);
        action->setToolTip(tip);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
    };
    add(tr("Find F&ile…"), tr("Locate the shown file"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
        &SourceRoom::chooseFile);
    add(tr("&Path Mappings…"), tr("Map folders of the exporting machine to folders here"), QKeySequence(),
        &SourceRoom::editMappings);
}

bool SourceRoom::hasContent() const {
    return opened.session() && SourceBase::has(*opened.session());
}

void SourceRoom::find() {
    source->focusFilter();
}

QByteArray SourceRoom::saveState() const {
    return source->saveState();
}

void SourceRoom::restoreState(const QByteArray& state) {
    source->restoreState(state);
}

void SourceRoom::showSession() {
    reading.forget();
    indexing.forget();
    source->setBase(nullptr);
    if (hasContent()) {
        indexing.start([session = opened.session()] { return SourceBase::build(session); },
                       [this](const std::shared_ptr<const SourceBase>& built) { source->setBase(built); });
    }
}

void SourceRoom::readFile(const std::string& recorded) {
    reading.start(
        [recorded, mappings = storedMappings(settings), folders = sourceFolders(opened.session()->files)] {
            return readPython(recorded, mappings, folders);
        },
        [this](const SourceText& text) { source->setText(text); });
}

void SourceRoom::mapShownFile(const fs::path& file) {
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

void SourceRoom::chooseFile() {
    if (source->shownFile().empty()) {
        emit noticed(tr("select a stack frame first"));
        return;
    }
    chooseFileToOpen(this, settings,
                     {.title = tr("Find %1").arg(visualizers::toQString(source->shownFile())),
                      .filters = tr("Python (*.py);;All files (*)")},
                     [this](const fs::path& file) { mapShownFile(file); });
}

void SourceRoom::editMappings() {
    auto* const dialog = new MappingDialog(storedMappings(settings), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        storeMappings(settings, dialog->mappings());
        source->reload();
    });
    dialog->open();
}

}  // namespace et::studio
