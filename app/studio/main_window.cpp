#include "app/studio/main_window.h"

#include "app/studio/appearance.h"
#include "app/studio/command_palette.h"
#include "app/studio/drop.h"
#include "app/studio/empty_page.h"
#include "app/studio/file_dialog.h"
#include "app/studio/file_watch.h"
#include "app/studio/help.h"
#include "app/studio/history.h"
#include "app/studio/key_figures.h"
#include "app/studio/notice_bar.h"
#include "app/studio/recent_files.h"
#include "app/studio/room_area.h"
#include "app/studio/session_saver.h"
#include "app/studio/trace_menu.h"
#include "visualizers/text.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
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
#include <array>

namespace et::studio {

namespace {

const QString geometryKey = QStringLiteral("window/geometry");
const QString appearanceKey = QStringLiteral("window/appearance");
constexpr QSize firstSize{1280, 760};
constexpr int progressWidth = 120;

struct AppearanceFacts {
    Appearance appearance;
    const char* name;  ///< untranslated
    const char* id;
};
constexpr std::array appearances{
    AppearanceFacts{Appearance::System, QT_TRANSLATE_NOOP("appearance", "As the Desktop"), "system"},
    AppearanceFacts{Appearance::Light, QT_TRANSLATE_NOOP("appearance", "Light"), "light"},
    AppearanceFacts{Appearance::Dark, QT_TRANSLATE_NOOP("appearance", "Dark"), "dark"},
};

QStringList toLines(const std::vector<std::string>& lines) {
    QStringList shown;
    for (const std::string& line : lines) {
        shown.append(visualizers::toQString(line));
    }
    return shown;
}

}  // namespace

MainWindow::MainWindow(QSettings& settings, QWidget* parent) : QMainWindow(parent), store(settings) {
    setAcceptDrops(true);
    createWidgets();
    createStatusBar();
    createFileMenu();
    createViewMenu();
    createRoomsMenu();
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
    roomArea =
        new RoomArea({.selection = chosen,
                      .settings = store,
                      .timeUnits = *timeUnits,
                      .open = [this](const std::vector<std::filesystem::path>& paths) { open(paths); }},
                     centre);
    pages = new QStackedWidget(centre);
    pages->addWidget(emptyPage);
    pages->addWidget(roomArea);
    auto* const layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(noticeBar);
    layout->addWidget(pages, 1);
    setCentralWidget(centre);
    sessionSaver = new SessionSaver(chosen, store, *roomArea, this);
    commandPalette = new CommandPalette(this);
    history = new History(chosen, *roomArea, this);
    watch = new FileWatch(this);
    connect(watch, &FileWatch::changed, this, &MainWindow::showChangedFiles);
    for (const RoomArea::Entry& entry : roomArea->entries()) {
        connect(entry.room, &Room::noticed, this, [this](const QString& line) {
            noticeBar->setNotices(NoticeBar::Kind::Error, line.isEmpty() ? QStringList() : QStringList{line});
        });
    }
    connect(emptyPage, &EmptyPage::openRequested, this, &MainWindow::askForFiles);
    connect(&chosen, &visualizers::Selection::sessionChanged, this, &MainWindow::showSession);
    connect(&chosen, &visualizers::Selection::revealed, this, &MainWindow::showOperators);
}

void MainWindow::createStatusBar() {
    figures = new QLabel(this);
    figures->setObjectName(QStringLiteral("figures"));
    figures->setTextFormat(Qt::PlainText);
    progress = new QProgressBar(this);
    progress->setRange(0, 0);
    progress->setMaximumWidth(progressWidth);
    cancelAction = new QAction(tr("Cancel Loading"), this);
    cancelAction->setShortcut(Qt::Key_Escape);
    auto* const cancel = new QToolButton(this);
    cancel->setDefaultAction(cancelAction);
    statusBar()->addWidget(figures, 1);
    statusBar()->addPermanentWidget(progress);
    statusBar()->addPermanentWidget(cancel);
    connect(cancelAction, &QAction::enabledChanged, cancel, &QWidget::setVisible);
}

void MainWindow::createFileMenu() {
    QMenu* const menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::askForFiles);
    besideAction = menu->addAction(tr("Open Trace &Beside…"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O),
                                   this, &MainWindow::askForTraces);
    traces = new TraceMenu(menu);
    menu->addMenu(traces);
    connect(traces, &TraceMenu::mainChosen, this, &MainWindow::makeMain);
    connect(traces, &TraceMenu::closeOthers, this, &MainWindow::closeOthers);
    recent = new RecentFiles(store, *menu->addMenu(tr("Open &Recent")), this);
    connect(recent, &RecentFiles::chosen, this, &MainWindow::open);
    menu->addAction(sessionSaver->action());
    menu->addAction(tr("&Reload"), QKeySequence(Qt::Key_F5), this, &MainWindow::reload);
    menu->addAction(tr("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W), this, &MainWindow::closeSession);
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::createViewMenu() {
    QMenu* const menu = menuBar()->addMenu(tr("&View"));
    menu->addAction(tr("Find &Command…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), this,
                    [this] { commandPalette->open(commandsOf(*menuBar())); });
    menu->addAction(tr("&Find"), QKeySequence::Find, this, [this] { roomArea->current().find(); });
    menu->addAction(tr("Copy &Picture"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C), this,
                    &MainWindow::copyPicture);
    menu->addSeparator();
    history->addTo(*menu);
    menu->addSeparator();
    menu->addMenu(timeUnits);
    connect(timeUnits, &TimeUnitMenu::changed, this, &MainWindow::rejoin);
    createAppearanceMenu(*menu->addMenu(tr("&Appearance")));
    menu->addAction(tr("Reset &Layout"), this, [this] { roomArea->resetLayout(); });
}

void MainWindow::createAppearanceMenu(QMenu& menu) {
    auto* const group = new QActionGroup(this);
    const QString stored = store.value(appearanceKey).toString();
    const bool known = std::ranges::any_of(
        appearances, [&](const AppearanceFacts& facts) { return stored == QLatin1String(facts.id); });
    const QString now = known ? stored : QLatin1String(appearances.front().id);
    for (const AppearanceFacts& facts : appearances) {
        QAction* const action = menu.addAction(QCoreApplication::translate("appearance", facts.name));
        action->setCheckable(true);
        action->setChecked(now == QLatin1String(facts.id));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, &facts] {
            apply(facts.appearance);
            store.setValue(appearanceKey, QLatin1String(facts.id));
        });
        if (action->isChecked() && facts.appearance != Appearance::System) {
            apply(facts.appearance);
        }
    }
}

void MainWindow::createRoomsMenu() {
    QMenu* const menu = menuBar()->addMenu(tr("&Rooms"));
    int number = 0;
    for (const RoomArea::Entry& entry : roomArea->entries()) {
        // 1 to 9, then 0; there are no more digits.
        const int digit = ++number <= 10 ? Qt::Key_0 + number % 10 : 0;
        const QKeySequence key = digit == 0 ? QKeySequence() : QKeySequence(Qt::CTRL | Qt::Key(digit));
        menu->addAction(entry.dock->windowTitle(), key, this,
                        [this, room = entry.room] { roomArea->enter(*room); });
    }
    menu->addSeparator();
    for (const RoomArea::Entry& entry : roomArea->entries()) {
        if (!entry.room->actions().isEmpty()) {
            menu->addMenu(tr("In %1").arg(entry.dock->windowTitle()))->addActions(entry.room->actions());
        }
    }
}

void MainWindow::createHelpMenu() {
    QMenu* const menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Keys"), QKeySequence(Qt::Key_Question), this,
                    [this] { showKeys(this, commandsOf(*menuBar())); });
    menu->addAction(tr("&About et-studio"), this, [this] { showAbout(this); });
}

void MainWindow::connectLoader() {
    connect(cancelAction, &QAction::triggered, &sessionLoader, &SessionLoader::cancel);
    connect(&sessionLoader, &SessionLoader::slow, this, [this] { setBusy(true); });
    connect(&sessionLoader, &SessionLoader::cancelled, this, [this] { setBusy(false); });
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
                }
            });
}

void MainWindow::restoreWindow() {
    resize(firstSize);
    restoreGeometry(store.value(geometryKey).toByteArray());
    roomArea->restoreFrom(store);
}

void MainWindow::open(const std::vector<std::filesystem::path>& paths) {
    if (!paths.empty()) {
        sessionLoader.open(paths, options(), chosen.session());
    }
}

void MainWindow::openBeside(const std::vector<std::filesystem::path>& paths) {
    if (!paths.empty()) {
        sessionLoader.open(paths, options(), chosen.session(), Arrival::Beside);
    }
}

void MainWindow::askForFiles() {
    chooseFiles(this, store, tr("Open files that belong together"),
                [this](const std::vector<std::filesystem::path>& paths) { open(paths); });
}

void MainWindow::askForTraces() {
    chooseFiles(this, store, tr("Open traces beside the open one"),
                [this](const std::vector<std::filesystem::path>& paths) { openBeside(paths); });
}

void MainWindow::reload() {
    if (chosen.session()) {
        sessionLoader.reopen(chosen.session()->files, options());
    }
}

void MainWindow::makeMain(std::size_t other) {
    sessionLoader.reopen(withMainTrace(chosen.session()->files, other), options());
}

void MainWindow::closeOthers() {
    auto alone = std::make_shared<inspector::Session>(*chosen.session());
    alone->others.clear();
    alone->files.others.clear();
    chosen.setSession(std::move(alone));
}

/// The room in front, as it is on screen.
void MainWindow::copyPicture() const {
    QApplication::clipboard()->setPixmap(pages->currentWidget() == roomArea ? roomArea->current().grab()
                                                                            : pages->grab());
}

void MainWindow::showChangedFiles(const QStringList& names) {
    noticeBar->setNotices(
        NoticeBar::Kind::Note,
        names.isEmpty() ? names
                        : QStringList{tr("%1 changed on disk: F5 reads it again").arg(names.join(tr(", ")))});
}

void MainWindow::rejoin() {
    if (chosen.blocks()) {
        sessionLoader.rejoin(chosen.session(), options());
    }
}

void MainWindow::closeSession() {
    sessionLoader.cancel();
    watch->watch({});
    noticeBar->setNotices(NoticeBar::Kind::Error, {});
    noticeBar->setNotices(NoticeBar::Kind::Note, {});
    chosen.setSession(nullptr);
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
    noticeBar->setNotices(NoticeBar::Kind::Error, toLines(outcome.problems));
    if (outcome.session) {
        chosen.setSession(outcome.session);
        sessionSaver->cameFrom(outcome.archive);
        const std::filesystem::path archive = sessionSaver->archive();
        const auto paths = archive.empty() ? pathsOf(outcome.session->files) : std::vector{archive};
        recent->add(paths);
        noticeBar->setNotices(NoticeBar::Kind::Note, {});
        watch->watch(paths);
    }
}

void MainWindow::showSession() {
    const auto& session = chosen.session();
    const inspector::EventBlocks* const blocks = chosen.blocks();
    const bool any = roomArea->hasContent();
    pages->setCurrentWidget(any ? static_cast<QWidget*>(roomArea) : emptyPage);
    if (any) {
        roomArea->showContent();
    }
    QStringList warnings = session ? toLines(session->problems) : QStringList();
    warnings += blocks ? toLines(blocks->warnings()) : QStringList();
    noticeBar->setNotices(NoticeBar::Kind::Warning, warnings);
    figures->setText(session ? keyFigures(*session) : QString());
    const QString files = session ? fileNames(session->files) : QString();
    traces->setFiles(session ? session->files : inspector::SessionFiles());
    besideAction->setEnabled(blocks != nullptr);
    setWindowTitle(files.isEmpty() ? tr("et-studio") : tr("%1 — et-studio").arg(files));
}

void MainWindow::showOperators() {
    for (const RoomArea::Entry& entry : roomArea->entries()) {
        if (entry.facts->showsOperators && entry.room->hasContent()) {
            roomArea->enter(*entry.room);
            return;
        }
    }
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
    store.setValue(geometryKey, saveGeometry());
    roomArea->saveTo(store);
    QMainWindow::closeEvent(event);
}

}  // namespace et::studio
