#include "app/studio/main_window.h"

#include "app/studio/empty_page.h"
#include "app/studio/help.h"
#include "app/studio/key_figures.h"
#include "app/studio/notice_bar.h"
#include "app/studio/recent_files.h"
#include "visualizers/tables/event_view.h"
#include "visualizers/text.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace et::studio {

namespace {

const QString geometryKey = QStringLiteral("window/geometry");
const QString eventsKey = QStringLiteral("window/events");
const QString folderKey = QStringLiteral("window/folder");
constexpr QSize firstSize{1280, 760};
constexpr int progressWidth = 120;

std::vector<std::filesystem::path> localPaths(const QList<QUrl>& urls) {
    std::vector<std::filesystem::path> paths;
    for (const QUrl& url : urls) {
        if (url.isLocalFile()) {
            paths.emplace_back(QFile::encodeName(url.toLocalFile()).toStdString());
        }
    }
    return paths;
}

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
    createHelpMenu();
    connectLoader();
    restoreWindow();
    showSession();
}

MainWindow::~MainWindow() = default;

void MainWindow::createWidgets() {
    auto* const centre = new QWidget(this);
    noticeBar = new NoticeBar(centre);
    emptyPage = new EmptyPage(centre);
    eventView = new visualizers::EventView(chosen, centre);
    pages = new QStackedWidget(centre);
    pages->addWidget(emptyPage);
    pages->addWidget(eventView);
    auto* const layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(noticeBar);
    layout->addWidget(pages, 1);
    setCentralWidget(centre);
    connect(emptyPage, &EmptyPage::openRequested, this, &MainWindow::chooseFiles);
    connect(&chosen, &visualizers::Selection::sessionChanged, this, &MainWindow::showSession);
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
    menu->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::chooseFiles);
    recent = new RecentFiles(store, *menu->addMenu(tr("Open &Recent")), this);
    connect(recent, &RecentFiles::chosen, this, &MainWindow::open);
    menu->addAction(tr("&Reload"), QKeySequence(Qt::Key_F5), this, &MainWindow::reload);
    menu->addAction(tr("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W), this, &MainWindow::closeSession);
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::createViewMenu() {
    QMenu* const menu = menuBar()->addMenu(tr("&View"));
    menu->addActions(eventView->actions());
    menu->addSeparator();
    timeUnits = new TimeUnitMenu(this);
    menu->addMenu(timeUnits);
    eventView->addTool(timeUnits);
    connect(timeUnits, &TimeUnitMenu::changed, this, &MainWindow::rejoin);
}

void MainWindow::createHelpMenu() {
    QMenu* const menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Keys"), QKeySequence(Qt::Key_Question), this, [this] { showKeys(this); });
    menu->addAction(tr("&About et-studio"), this, [this] { showAbout(this); });
}

void MainWindow::connectLoader() {
    connect(cancelAction, &QAction::triggered, &sessionLoader, &SessionLoader::cancel);
    connect(&sessionLoader, &SessionLoader::slow, this, [this] { setBusy(true); });
    connect(&sessionLoader, &SessionLoader::cancelled, this, [this] { setBusy(false); });
    connect(&sessionLoader, &SessionLoader::finished, this, &MainWindow::take);
    setBusy(false);
}

void MainWindow::restoreWindow() {
    resize(firstSize);
    restoreGeometry(store.value(geometryKey).toByteArray());
    eventView->restoreState(store.value(eventsKey).toByteArray());
}

void MainWindow::open(const std::vector<std::filesystem::path>& paths) {
    if (!paths.empty()) {
        sessionLoader.open(paths, options(), chosen.session());
    }
}

void MainWindow::chooseFiles() {
    auto* const dialog = new QFileDialog(
        this, tr("Open a trace, with its record and debug buffer"), store.value(folderKey).toString(),
        tr("ExecuTorch files (*.etdp *.etdump *.etrecord *.bin);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::urlsSelected, this, [this, dialog](const QList<QUrl>& urls) {
        store.setValue(folderKey, dialog->directory().absolutePath());
        open(localPaths(urls));
    });
    dialog->open();
}

void MainWindow::reload() {
    if (chosen.session()) {
        sessionLoader.open(pathsOf(chosen.session()->files), options());
    }
}

void MainWindow::rejoin() {
    if (chosen.blocks()) {
        sessionLoader.rejoin(chosen.session(), options());
    }
}

void MainWindow::closeSession() {
    sessionLoader.cancel();
    noticeBar->setNotices(NoticeBar::Kind::Error, {});
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
        recent->add(pathsOf(outcome.session->files));
        chosen.setSession(outcome.session);
    }
}

void MainWindow::showSession() {
    const auto& session = chosen.session();
    const inspector::EventBlocks* const blocks = chosen.blocks();
    pages->setCurrentWidget(blocks ? static_cast<QWidget*>(eventView) : emptyPage);
    emptyPage->setRecordOnly(session && !blocks);
    noticeBar->setNotices(NoticeBar::Kind::Warning, blocks ? toLines(blocks->warnings()) : QStringList());
    figures->setText(session ? keyFigures(*session) : QString());
    const QString files = session ? fileNames(session->files) : QString();
    setWindowTitle(files.isEmpty() ? tr("et-studio") : tr("%1 — et-studio").arg(files));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localPaths(event->mimeData()->urls()).empty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    open(localPaths(event->mimeData()->urls()));
    event->acceptProposedAction();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    store.setValue(geometryKey, saveGeometry());
    store.setValue(eventsKey, eventView->saveState());
    QMainWindow::closeEvent(event);
}

}  // namespace et::studio
