#include "app/studio/main_window.h"

#include "app/studio/appearance.h"
#include "app/studio/breadcrumb.h"
#include "app/studio/command_palette.h"
#include "app/studio/commands.h"
#include "app/studio/drop.h"
#include "app/studio/empty_page.h"
#include "app/studio/explain_dialog.h"
#include "app/studio/export_menu.h"
#include "app/studio/help.h"
#include "app/studio/history.h"
#include "app/studio/icons.h"
#include "app/studio/job_dialog.h"
#include "app/studio/key_figures.h"
#include "app/studio/navigator.h"
#include "app/studio/notice_bar.h"
#include "app/studio/panel_area.h"
#include "app/studio/panel_export.h"
#include "app/studio/panel_menus.h"
#include "app/studio/panels_menu.h"
#include "app/studio/perspective_bar.h"
#include "app/studio/recent_files.h"
#include "app/studio/run_process.h"
#include "app/studio/sample_maker.h"
#include "app/studio/session_opener.h"
#include "app/studio/session_saver.h"
#include "app/studio/side_rail.h"
#include "app/studio/start_command.h"
#include "app/studio/status_line.h"
#include "app/studio/time_unit_menu.h"
#include "app/studio/tours.h"
#include "app/studio/trace_menu.h"
#include "app/studio/unsaved_notes.h"
#include "app/studio/view_links.h"
#include "inspector/session/placement.h"
#include "visualizers/toolkit/shown_table.h"
#include "visualizers/toolkit/spoken_picture.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <utility>

namespace et::studio {

namespace {

const QString geometryKey = QStringLiteral("window/geometry");
constexpr QSize firstSize{1280, 760};

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent)
    : QMainWindow(parent), store(settings), notes(shown) {
    setAcceptDrops(true);
    visualizers::installSpokenPictures();
    auto* const centre = new QWidget(this);
    createPanels(centre);
    createCentre(centre);
    createServices();
    connectPanels();
    statusLine = new StatusLine(*this);
    createFileMenu();
    createViewMenu();
    new PanelMenus(*menuBar(), *panelArea);
    createHelpMenu();
    connectServices();
    resize(firstSize);
    restoreGeometry(store.value(geometryKey).toByteArray());
    panelArea->restoreFrom(store);
    showSession();
}

MainWindow::~MainWindow() = default;

void MainWindow::createPanels(QWidget* centre) {
    timeUnits = new TimeUnitMenu(this);
    timeUnits->useSettings(store);
    noticeBar = new NoticeBar(centre);
    emptyPage = new EmptyPage(centre);
    const auto openThem = [this](const std::vector<std::filesystem::path>& paths) { open(paths); };
    jobDialog = new JobDialog(store, openThem, this);
    explainDialog = new ExplainDialog(shown, chosen, this);
    panelArea = new PanelArea(
        {.opened = shown,
         .selection = chosen,
         .results = computed,
         .notes = notes,
         .debugger = debugger,
         .settings = store,
         .timeUnits = *timeUnits,
         .open = openThem,
         .openAlone = [this](const std::vector<std::filesystem::path>& paths) { opener->openAlone(paths); },
         .addTraces = [this](const std::vector<std::filesystem::path>& paths) { addTraces(paths); },
         .promptForFiles = [this] { opener->promptForFiles(); },
         .enter = [this](std::string_view id) { panelArea->enter(id); },
         .fix = [this](const JobRequest& request) { jobDialog->ask(request); }},
        centre);
    new StartKey(*panelArea);
}

void MainWindow::createCentre(QWidget* centre) {
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
}

void MainWindow::createServices() {
    sessionSaver = new SessionSaver(shown, computed, notes, store, *panelArea, this);
    unsavedNotes = new UnsavedNotes(notes, *sessionSaver, this);
    connect(&notes, &visualizers::NoteModel::modifiedChanged, this, &QWidget::setWindowModified);
    navigator = std::make_unique<Navigator>(*panelArea);
    links = std::make_unique<ViewLinks>(*panelArea, chosen, computed);
    opener = std::make_unique<SessionOpener>(SessionOpenerContext{.session = shown,
                                                                  .settings = store,
                                                                  .timeUnits = *timeUnits,
                                                                  .notices = *noticeBar,
                                                                  .saver = *sessionSaver,
                                                                  .notes = *unsavedNotes,
                                                                  .navigator = *navigator,
                                                                  .links = *links},
                                             this);
    commandPalette = new CommandPalette(this);
    sampleMaker = new SampleMaker(this);
    connect(sampleMaker, &SampleMaker::made, this, &MainWindow::open);
    connect(sampleMaker, &SampleMaker::failed, this, &MainWindow::showProblem);
    history = new History(shown, chosen, computed, *panelArea, this);
}

void MainWindow::connectPanels() {
    for (const PanelArea::Entry& entry : panelArea->entries()) {
        connect(entry.panel, &Panel::entryWanted, this, [this] {
            if (pages->currentWidget() != panelArea) {
                showSession();
            }
        });
        connect(entry.panel, &Panel::noticed, this, &MainWindow::showProblem);
    }
    connect(emptyPage, &EmptyPage::openRequested, opener.get(), &SessionOpener::promptForFiles);
    connect(emptyPage, &EmptyPage::filesChosen, this, &MainWindow::open);
    connect(emptyPage, &EmptyPage::sampleWanted, this, &MainWindow::makeSample);
    connect(emptyPage, &EmptyPage::tourWanted, this, &MainWindow::startTour);
    connect(&shown, &visualizers::OpenSession::changed, this, &MainWindow::showSession);
    connect(&chosen, &visualizers::Selection::revealed, this, [this] { navigator->showOperators(); });
}

void MainWindow::createFileMenu() {
    QMenu* const menu = menuBar()->addMenu(QStringLiteral("&File"));
    menu->addAction(icon("open"), QStringLiteral("&Open…"), QKeySequence::Open, opener.get(),
                    &SessionOpener::promptForFiles);
    besideAction = menu->addAction(icon("side-by-side"), QStringLiteral("Open Side &by Side…"),
                                   QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O), opener.get(),
                                   &SessionOpener::promptForTraces);
    traces = new TraceMenu(menu);
    menu->addMenu(traces);
    connect(traces, &TraceMenu::mainChosen, opener.get(), &SessionOpener::makeMain);
    connect(traces, &TraceMenu::closeOthers, opener.get(), &SessionOpener::closeOthers);
    recent = new RecentFiles(store, *menu->addMenu(QStringLiteral("Open &Recent")), this);
    connect(recent, &RecentFiles::chosen, this, &MainWindow::open);
    menu->addActions(sessionSaver->actions());
    exports = new ExportMenu(store, *sessionSaver, menu);
    menu->addMenu(exports);
    connect(exports, &ExportMenu::pictureWanted, this,
            [this](const QString& name) { showProblem(writePicture(panelArea->current(), name)); });
    connect(exports, &ExportMenu::tableWanted, this, [this](const QString& name) {
        const QAbstractItemView* const table = tableOf(panelArea->current());
        showProblem(table == nullptr ? QStringLiteral("This panel has no table.")
                                     : writeTable(visualizers::shownTable(*table), name));
    });
    connect(exports, &ExportMenu::ended, this,
            [this](const QString& problem, const QString& note, const QString& file) {
                showProblem(problem);
                noticeBar->setNotices(NoticeBar::Kind::Note,
                                      note.isEmpty() ? QStringList() : QStringList{note});
                if (!file.isEmpty()) {
                    noticeBar->addButton(QStringLiteral("Open"),
                                         [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
                }
            });
    auto* const reload =
        menu->addAction(icon("reload"), QStringLiteral("&Reload"), opener.get(), &SessionOpener::reload);
    // F5 continues a debugged program while the debugger is visible.
    reload->setShortcuts({Qt::Key_F5, Qt::CTRL | Qt::Key_R});
    for (QAction* const each :
         {reload, menu->addAction(icon("close"), QStringLiteral("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W),
                                  opener.get(), &SessionOpener::close)}) {
        const auto follow = [this, each] { each->setEnabled(shown.session() != nullptr); };
        connect(&shown, &visualizers::OpenSession::changed, each, follow);
        follow();
    }
    menu->addSeparator();
    menu->addAction(QStringLiteral("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::createViewMenu() {
    QMenu* const menu = menuBar()->addMenu(QStringLiteral("&View"));
    menu->addAction(icon("command"), QStringLiteral("Find &Command…"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), this, [this] {
                        commandPalette->open(collectCommands(*menuBar()) +
                                             operatorCommands(shown.blocks(), chosen, *commandPalette));
                    });
    menu->addAction(icon("find"), QStringLiteral("&Find"), QKeySequence::Find, this,
                    [this] { panelArea->current().find(); });
    menu->addAction(icon("picture"), QStringLiteral("Copy &Picture"),
                    QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C), this, [this] {
                        QApplication::clipboard()->setPixmap(pages->currentWidget() == panelArea
                                                                 ? panelArea->current().grab()
                                                                 : pages->grab());
                    });
    menu->addAction(icon("link"), QStringLiteral("Copy &Link to This View"),
                    QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_L), this, &MainWindow::copyLink);
    menu->addSeparator();
    history->addTo(*menu);
    menu->addSeparator();
    menu->addMenu(timeUnits);
    connect(timeUnits, &TimeUnitMenu::changed, opener.get(), &SessionOpener::rejoin);
    addAppearances(*menu->addMenu(QStringLiteral("&Appearance")), store);
    menu->addSeparator();
    addPanels(*menu->addMenu(QStringLiteral("Pa&nels")), *menuBar(), *panelArea);
    perspectiveBar->addTo(*menu);
}

void MainWindow::createHelpMenu() {
    QMenu* const menu = menuBar()->addMenu(QStringLiteral("&Help"));
    menu->addAction(icon("keys"), QStringLiteral("&Keys"), QKeySequence(Qt::Key_Question), this, [this] {
        showKeys(this, collectCommands(*menuBar()), panelArea->current().accessibleName());
    });
    QMenu* const tourMenu = menu->addMenu(icon("tour"), QStringLiteral("&Tours"));
    for (std::size_t i = 0; i < tours().size(); ++i) {
        tourMenu->addAction(tours()[i].titleText(), this, [this, i] { startTour(i); });
    }
    menu->addAction(icon("find"), QStringLiteral("&Explain a Log…"), explainDialog, &QDialog::show);
    menu->addAction(icon("find"), QStringLiteral("Explain the &Clipboard"), QKeySequence::Paste, this,
                    [this] { explainDialog->explainText(QApplication::clipboard()->text()); });
    menu->addAction(icon("sample"), QStringLiteral("Open a &Sample"), this, &MainWindow::makeSample);
    menu->addAction(QStringLiteral("&About et-studio"), this, [this] { showAbout(this); });
}

void MainWindow::connectServices() {
    connect(&statusLine->cancelAction(), &QAction::triggered, &opener->loader(), &SessionLoader::cancel);
    connect(opener.get(), &SessionOpener::busyChanged, statusLine, &StatusLine::setBusy);
    connect(opener.get(), &SessionOpener::openingChanged, emptyPage, &EmptyPage::setOpening);
    connect(opener.get(), &SessionOpener::filesShown, recent, &RecentFiles::add);
    connect(opener.get(), &SessionOpener::archiveChanged, this, &MainWindow::showTitle);
    statusLine->setBusy(false);
    connect(sessionSaver, &SessionSaver::started, statusLine, [this] { statusLine->setBusy(true); });
    connect(&statusLine->cancelAction(), &QAction::triggered, sessionSaver, [this] {
        sessionSaver->cancel();
        statusLine->setBusy(false);
    });
    connect(sessionSaver, &SessionSaver::finished, this,
            [this](const QString& problem, const std::filesystem::path& path) {
                statusLine->setBusy(false);
                showProblem(problem);
                if (problem.isEmpty()) {
                    recent->add({path});
                    showTitle();
                }
            });
}

void MainWindow::open(const std::vector<std::filesystem::path>& paths) {
    opener->open(paths);
}

void MainWindow::addTraces(const std::vector<std::filesystem::path>& paths) {
    opener->addTraces(paths);
}

SessionLoader& MainWindow::loader() {
    return opener->loader();
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
        navigator->follow(session.get());
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
    QStringList warnings = session ? noticeLines(session->problems) : QStringList();
    warnings += blocks ? noticeLines(blocks->warnings()) : QStringList();
    noticeBar->setNotices(NoticeBar::Kind::Warning, warnings);
    statusLine->setFigures(session ? keyFigures(*session) : QString());
    exports->setFiles(session ? session->files : inspector::SessionFiles());
    emptyPage->setRecent(recent->sets());
    traces->setFiles(session ? session->files : inspector::SessionFiles());
    besideAction->setEnabled(blocks != nullptr);
    showTitle();
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

void MainWindow::showProblem(const QString& problem) {
    noticeBar->setNotices(NoticeBar::Kind::Error, problem.isEmpty() ? QStringList() : QStringList{problem});
}

/// Copies the link as a command, with the session file if there is one: unsaved sessions have none.
void MainWindow::copyLink() {
    if (!shown.session()) {
        return;
    }
    const std::filesystem::path archive = sessionSaver->savedFile();
    const QString command =
        links->command(archive.empty() ? pathsOf(shown.session()->files) : std::vector{archive});
    QApplication::clipboard()->setText(command);
    noticeBar->setNotices(NoticeBar::Kind::Note, {QStringLiteral("Copied: %1").arg(command)});
}

/// Writes the sample used by the tours, and opens it.
void MainWindow::makeSample() {
    sampleMaker->make(RunProcess::findProgram(store));
}

/// Starts a tour on the session, or on a sample if nothing is open.
void MainWindow::startTour(std::size_t tour) {
    if (shown.session()) {
        tourBar->start(tour);
    } else {
        waitingTour = tour;
        makeSample();
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasText() || !localPaths(*event->mimeData()).empty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    const std::vector<std::filesystem::path> paths = localPaths(*event->mimeData());
    if (paths.empty()) {
        explainDialog->explainText(event->mimeData()->text());
    } else if (paths.size() == 1 && ExplainDialog::isLog(paths.front())) {
        explainDialog->explainFile(paths.front());
    } else {
        open(paths);
    }
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
