#include "app/studio/delegates/delegates_panel.h"

#include "app/studio/file_dialog.h"
#include "app/studio/panel_command.h"
#include "app/tasks/tensors/save_tensors.h"
#include "visualizers/open_session.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QFile>
#include <QLabel>
#include <QStackedLayout>
#include <QToolButton>

#include <utility>

namespace et::studio {

using visualizers::Delegation;
using visualizers::toQString;

DelegatesPanel::DelegatesPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      joining(this),
      extracting(this),
      delegates(new visualizers::DelegatesView(context.selection, this)),
      store(context.settings),
      extractAction(addCommand(*this, QStringLiteral("E&xtract Payload…"), Qt::CTRL | Qt::Key_E,
                               [this] { choosePayloadFile(); })) {
    extractAction->setToolTip(QStringLiteral(
        "Write the bytes of this delegate to a file, with its named data and the files inside"));
    extractAction->setEnabled(false);
    auto* const button = new QToolButton(this);
    button->setObjectName(QStringLiteral("extractPayload"));
    button->setDefaultAction(extractAction);
    button->setAutoRaise(true);
    delegates->addTool(button);
    connect(delegates, &visualizers::DelegatesView::delegateChosen, this,
            [this] { extractAction->setEnabled(delegates->chosenDelegate() != nullptr); });
    QLabel* const nothing = visualizers::hintLabel("delegatesHint", this);
    nothing->setText(
        QStringLiteral("Open a program (.pte) or bundled program (.bpte) to see its delegates.\nAn ETRecord "
                       "adds Edge nodes, modules and Python lines; a trace adds times."));
    auto* const pages = new QStackedLayout(this);
    pages->addWidget(nothing);
    pages->addWidget(delegates);
    addActions(delegates->actions());
    setFocusProxy(delegates);
    connect(&opened, &visualizers::OpenSession::changed, this, [this, pages] {
        pages->setCurrentIndex(hasContent() ? 1 : 0);
        showSession();
    });
}

bool DelegatesPanel::hasContent() const {
    return opened.session() && opened.session()->program;
}

void DelegatesPanel::showSession() {
    shown = nullptr;
    delegates->setDelegation(nullptr);
    joining.forget();
    if (hasContent()) {
        joining.start([session = opened.session()] { return Delegation::build(session); },
                      [this](const std::shared_ptr<const Delegation>& joined) {
                          shown = joined;
                          delegates->setDelegation(joined);
                      });
    }
}

tasks::PayloadSettings DelegatesPanel::payloadSettings() const {
    const visualizers::DelegateRef& chosen = *delegates->chosenDelegate();
    const inspector::SessionFiles& files = shown->session->files;
    tasks::PayloadSettings settings{.model = !files.program.empty()  ? files.program
                                             : !files.bundle.empty() ? files.bundle
                                                                     : files.package,
                                    .method = std::string(shown->report.methods[chosen.method].method->name),
                                    .delegate = chosen.delegate};
    if (!files.tensorData.empty()) {
        settings.tensorData.push_back(files.tensorData);
    }
    return settings;
}

void DelegatesPanel::choosePayloadFile() {
    if (delegates->chosenDelegate() == nullptr) {
        emit noticed(QStringLiteral("Select a delegate to extract its payload."));
        return;
    }
    const tasks::PayloadSettings settings = payloadSettings();
    const QString name = QStringLiteral("%1_%2.bin")
                             .arg(toQString(tasks::makeFileName(settings.method)))
                             .arg(settings.delegate);
    chooseFileToSave(this, store,
                     {.title = QStringLiteral("Extract Payload"),
                      .folderKey = QStringLiteral("payloads/folder"),
                      .name = name},
                     [this](const std::filesystem::path& file) { extractPayload(file); });
}

void DelegatesPanel::extractPayload(const std::filesystem::path& file) {
    if (delegates->chosenDelegate() == nullptr) {
        return;
    }
    tasks::PayloadSettings settings = payloadSettings();
    settings.output = file;
    extracting.start(
        [from = shown, settings = std::move(settings)] {
            return tasks::extractPayload(*from->session->program, from->tensorData, settings);
        },
        [this](const core::Result<tasks::PayloadResult>& result) {
            emit noticed(result ? QStringLiteral("Saved to %1").arg(QFile::decodeName(result->file.c_str()))
                                : toQString(result.error().toString()));
        });
}

}  // namespace et::studio
