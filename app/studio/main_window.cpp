#include "app/studio/main_window.h"

#include "app/studio/breadcrumb.h"
#include "app/studio/command_palette.h"
#include "app/studio/drop.h"
#include "app/studio/empty_page.h"
#include "app/studio/export_menu.h"
#include "app/studio/file_dialog.h"
#include "app/studio/file_watch.h"
#include "app/studio/history.h"
#include "app/studio/job_dialog.h"
#include "app/studio/key_figures.h"
#include "app/studio/notice_bar.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspective_bar.h"
#include "app/studio/recent_files.h"
#include "app/studio/run_process.h"
#include "app/studio/sample_maker.h"
#include "app/studio/session_saver.h"
#include "app/studio/side_rail.h"
#include "app/studio/tours.h"
#include "app/studio/trace_menu.h"
#include "app/studio/unsaved_notes.h"
#include "visualizers/toolkit/spoken_picture.h"
#include "visualizers/toolkit/text.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

const QString geometryKey = QStringLiteral("window/geometry");
constexpr QSize firstSize{1280, 760};
constexpr int progressWidth = 120;

QStringList toLines(const std::vector<std::string>& lines) {
    QStringList shown;
    for (const std::string& line : lines) {
        shown.append(visualizers::toQString(line));
    }
    return shown;
}

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent)
    : QMainWindow(parent), store(settings), notes(shown) {
    setAcceptDrops(true);
    visualizers::installSpokenPictures();
    createWidgets();
    createStatusBar();
    createFileMenu();
    createViewMenu();
    createHelpMenu();
    connectLoader();
    connectSaver();
    restoreWindow();
    showSession();
}

MainWindow::~MainWindow() = default;

void MainWindow::createWidgets() {
    auto* const centre = new QWidget(this);
    timeUnits = new TimeUnitMenu(this);
    noticeBar = new NoticeBar(centre);
    emptyPage = new EmptyPage(centre);
    const auto openThem = [this](const std::vector<std::filesystem::path>& paths) { open(paths); };
    fixDialog = new JobDialog(store, openThem, this);
    panelArea = new PanelArea(
        {.opened = shown,
         .selection = chosen,
         .results = computed,
         .notes = notes,
         .settings = store,
         .timeUnits = *timeUnits,
         .open = openThem,
         .openAlone =
             [this](const std::vector<std::filesystem::path>& paths) {
                 sessionLoader.open(paths, options(), nullptr);
             },
         .openBeside = [this](const std::vector<std::filesystem::path>& paths) { openBeside(paths); },
         .askForFiles = [this] { askForFiles(); },
         .enter = [this](std::string_view id) { panelArea->enter(id); },
         .fix = [this](const JobRequest& request) { fixDialog->ask(request); }},
        centre);
    pages = new QStackedWidget(centre);
    perspectiveBar = new PerspectiveBar(*panelArea, centre);
    perspectiveBar->addTrail(*new Breadcrumb(shown, chosen, perspectiveBar));
    tourBar = new TourBar(
        [this](std::string_view id) {
            if (const Perspective* const found = findPerspective(id)) {
                panelArea->setPerspective(*found);
            }
        },
        centre);
    pages->addWidget(emptyPage);
    pages->addWidget(panelArea);
    auto* const layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(perspectiveBar);
    layout->addWidget(tourBar);
    layout->addWidget(noticeBar);
    auto* const body = new QHBoxLayout;
    body->setSpacing(0);
    sideRail = new SideRail(*panelArea, centre);
    body->addWidget(sideRail);
    body->addWidget(pages, 1);
    layout->addLayout(body, 1);
    setCentralWidget(centre);
    sessionSaver = new SessionSaver(shown, computed, notes, store, *panelArea, this);
    unsavedNotes = new UnsavedNotes(notes, *sessionSaver, this);
    connect(&notes, &visualizers::NoteModel::modifiedChanged, this, &QWidget::setWindowModified);
    commandPalette = new CommandPalette(this);
    sampleMaker = new SampleMaker(this);
    connect(sampleMaker, &SampleMaker::made, this, &MainWindow::open);
    connect(sampleMaker, &SampleMaker::failed, this,
            [this](const QString& problem) { noticeBar->setNotices(NoticeBar::Kind::Error, {problem}); });
    history = new History(shown, chosen, computed, *panelArea, this);
    watch = new FileWatch(this);
    connect(watch, &FileWatch::changed, this, &MainWindow::showChangedFiles);
    for (const PanelArea::Entry& entry : panelArea->entries()) {
        connect(entry.panel, &Panel::entryWanted, this, [this] {
            if (pages->currentWidget() != panelArea) {
                showSession();
            }
        });
        connect(entry.panel, &Panel::noticed, this, [this](const QString& line) {
            noticeBar->setNotices(NoticeBar::Kind::Error, line.isEmpty() ? QStringList() : QStringList{line});
        });
    }
    connect(emptyPage, &EmptyPage::openRequested, this, &MainWindow::askForFiles);
    connect(emptyPage, &EmptyPage::filesChosen, this, &MainWindow::open);
    connect(emptyPage, &EmptyPage::sampleWanted, this, &MainWindow::makeSample);
    connect(emptyPage, &EmptyPage::tourWanted, this, &MainWindow::startTour);
    connect(&shown, &visualizers::OpenSession::changed, this, &MainWindow::showSession);
    connect(&chosen, &visualizers::Selection::revealed, this, &MainWindow::showOperators);
}

void MainWindow::createStatusBar() {
    figures = new QLabel(this);
    figures->setObjectName(QStringLiteral("figures"));
    figures->setTextFormat(Qt::PlainText);
    progress = new QProgressBar(this);
    progress->setRange(0, 0);
    progress->setMaximumWidth(progressWidth);
    cancelAction = new QAction(QStringLiteral("Cancel Loading"), this);
    cancelAction->setShortcut(Qt::Key_Escape);
    auto* const cancel = new QToolButton(this);
    cancel->setDefaultAction(cancelAction);
    statusBar()->addWidget(figures, 1);
    statusBar()->addPermanentWidget(progress);
    statusBar()->addPermanentWidget(cancel);
    connect(cancelAction, &QAction::enabledChanged, cancel, &QWidget::setVisible);
}

void MainWindow::connectLoader() {
    connect(cancelAction, &QAction::triggered, &sessionLoader, &SessionLoader::cancel);
    connect(&sessionLoader, &SessionLoader::slow, this, [this] { setBusy(true); });
    connect(&sessionLoader, &SessionLoader::cancelled, this, [this] {
        setBusy(false);
        emptyPage->setOpening(false);
    });
    connect(&sessionLoader, &SessionLoader::finished, this, &MainWindow::take);
    setBusy(false);
}

void MainWindow::connectSaver() {
    connect(sessionSaver, &SessionSaver::started, this, [this] { setBusy(true); });
    connect(cancelAction, &QAction::triggered, sessionSaver, [this] {
        sessionSaver->cancel();
        setBusy(false);
    });
    connect(sessionSaver, &SessionSaver::finished, this,
            [this](const QString& problem, const std::filesystem::path& path) {
                setBusy(false);
                noticeBar->setNotices(NoticeBar::Kind::Error,
                                      problem.isEmpty() ? QStringList() : QStringList{problem});
                if (problem.isEmpty()) {
                    recent->add({path});
                    showTitle();
                }
                if (path == sessionSaver->archive()) {
                    watch->watch({path});  // now the open file
                }
            });
}

void MainWindow::restoreWindow() {
    resize(firstSize);
    restoreGeometry(store.value(geometryKey).toByteArray());
    panelArea->restoreFrom(store);
}

void MainWindow::open(const std::vector<std::filesystem::path>& paths) {
    const std::vector<std::filesystem::path> files = withoutStores(takeLinks(paths));
    if (!files.empty()) {
        emptyPage->setOpening(!shown.session());
        sessionLoader.open(files, options(), shown.session());
    }
}

void MainWindow::openBeside(const std::vector<std::filesystem::path>& paths) {
    if (!paths.empty()) {
        sessionLoader.open(paths, options(), shown.session(), Arrival::Beside);
    }
}

void MainWindow::askForFiles() {
    chooseFilesToOpen(this, store, optionsForOpening(QStringLiteral("Open Files")),
                      [this](const std::vector<std::filesystem::path>& paths) { open(paths); });
}

void MainWindow::askForTraces() {
    chooseFilesToOpen(this, store, optionsForOpening(QStringLiteral("Open Traces Side by Side")),
                      [this](const std::vector<std::filesystem::path>& paths) { openBeside(paths); });
}

void MainWindow::reload() {
    if (shown.session()) {
        sessionLoader.reopen(shown.session()->files, options());
    }
}

void MainWindow::makeMain(std::size_t other) {
    sessionLoader.reopen(withMainTrace(shown.session()->files, other), options());
}

void MainWindow::closeOthers() {
    auto alone = std::make_shared<inspector::Session>(*shown.session());
    alone->others.clear();
    alone->files.others.clear();
    shown.open(std::move(alone));
}

void MainWindow::showChangedFiles(const QStringList& names) {
    noticeBar->setNotices(NoticeBar::Kind::Note,
                          names.isEmpty()
                              ? names
                              : QStringList{QStringLiteral("%1 changed on disk; press F5 to reload")
                                                .arg(names.join(QStringLiteral(", ")))});
}

void MainWindow::rejoin() {
    if (shown.blocks()) {
        sessionLoader.rejoin(shown.session(), options());
    }
}

void MainWindow::closeSession() {
    unsavedNotes->settle([this] {
        sessionLoader.cancel();
        watch->watch({});
        noticeBar->setNotices(NoticeBar::Kind::Error, {});
        noticeBar->setNotices(NoticeBar::Kind::Note, {});
        shown.open(nullptr);
        sessionSaver->opened({});
        showTitle();
    });
}

void MainWindow::setBusy(bool busy) {
    progress->setVisible(busy);
    cancelAction->setEnabled(busy);
    figures->setEnabled(!busy);
}

inspector::JoinOptions MainWindow::options() const {
    inspector::JoinOptions join;
    join.source = timeUnits->source();
    join.target = timeUnits->target();
    return join;
}

void MainWindow::take(const LoadOutcome& outcome) {
    setBusy(false);
    emptyPage->setOpening(false);
    noticeBar->setNotices(NoticeBar::Kind::Error, toLines(outcome.problems) + linkProblems);
    if (!outcome.session) {
        return;
    }
    const bool goesOn = outcome.archive.empty() && shareFiles(shown.session().get(), *outcome.session);
    if (goesOn) {
        showOutcome(outcome);
    } else {
        unsavedNotes->settle([this, outcome] {
            showOutcome(outcome);
            sessionSaver->opened(outcome.archive, outcome.inUse);
            showTitle();
        });
    }
}

void MainWindow::showOutcome(const LoadOutcome& outcome) {
    shown.open(outcome.session);
    showOtherProgram(outcome.otherProgram);
    followLink();
    const std::filesystem::path archive = outcome.archive.empty() ? sessionSaver->archive() : outcome.archive;
    const auto paths = archive.empty() ? pathsOf(outcome.session->files) : std::vector{archive};
    recent->add(paths);
    rememberOpenFolder(store, paths);
    noticeBar->setNotices(NoticeBar::Kind::Note, {});
    watch->watch(paths);
}

void MainWindow::showSession() {
    const auto& session = shown.session();
    const inspector::EventBlocks* const blocks = shown.blocks();
    const bool any = panelArea->hasContent();
    perspectiveBar->setVisible(any);
    sideRail->setVisible(any);
    if (any && pages->currentWidget() != panelArea) {  // set the size before its panels are shown
        centralWidget()->layout()->activate();
        panelArea->resize(pages->size());
    }
    if (any) {
        choosePerspective();
    }
    pages->setCurrentWidget(any ? static_cast<QWidget*>(panelArea) : emptyPage);
    if (any) {
        panelArea->showContent();
        if (waitingTour) {
            tourBar->start(*std::exchange(waitingTour, std::nullopt));
        }
    } else {
        tourBar->stop();
    }
    QStringList warnings = session ? toLines(session->problems) : QStringList();
    warnings += blocks ? toLines(blocks->warnings()) : QStringList();
    noticeBar->setNotices(NoticeBar::Kind::Warning, warnings);
    figures->setText(session ? keyFigures(*session) : QString());
    exports->setFiles(session ? session->files : inspector::SessionFiles());
    emptyPage->setRecent(recent->sets());
    traces->setFiles(session ? session->files : inspector::SessionFiles());
    besideAction->setEnabled(blocks != nullptr);
    showTitle();
}

/// Writes the sample used by the tours, and opens it.
void MainWindow::makeSample() {
    sampleMaker->make(RunProcess::findProgram(store));
}

/// Shows the session file if there is one, else the files.
void MainWindow::showTitle() {
    const auto& session = shown.session();
    const std::filesystem::path archive = sessionSaver->savedFile();
    const QString name = !session          ? QString()
                         : archive.empty() ? fileNames(session->files)
                                           : visualizers::toQString(archive.filename().string());
    setWindowTitle(name.isEmpty() ? QStringLiteral("et-studio")
                                  : QStringLiteral("%1[*] — et-studio").arg(name));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localPaths(*event->mimeData()).empty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    open(localPaths(*event->mimeData()));
    event->acceptProposedAction();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (notes.modified()) {
        event->ignore();
        unsavedNotes->settle([this] { close(); });
        return;
    }
    store.setValue(geometryKey, saveGeometry());
    panelArea->saveTo(store);
    QMainWindow::closeEvent(event);
}

}  // namespace et::studio
