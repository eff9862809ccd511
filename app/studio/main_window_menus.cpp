#include "app/studio/appearance_menu.h"
#include "app/studio/command_palette.h"
#include "app/studio/export_menu.h"
#include "app/studio/help.h"
#include "app/studio/history.h"
#include "app/studio/icons.h"
#include "app/studio/main_window.h"
#include "app/studio/notice_bar.h"
#include "app/studio/operator_commands.h"
#include "app/studio/panel_area.h"
#include "app/studio/panel_export.h"
#include "app/studio/panels_menu.h"
#include "app/studio/perspective_bar.h"
#include "app/studio/recent_files.h"
#include "app/studio/session_saver.h"
#include "app/studio/tours.h"
#include "app/studio/trace_menu.h"
#include "visualizers/toolkit/shown_table.h"

#include <QApplication>
#include <QClipboard>
#include <QMenuBar>
#include <QStackedWidget>

namespace et::studio {

void MainWindow::createFileMenu() {
    QMenu* const menu = menuBar()->addMenu(QStringLiteral("&File"));
    menu->addAction(icon("open"), QStringLiteral("&Open…"), QKeySequence::Open, this,
                    &MainWindow::askForFiles);
    besideAction =
        menu->addAction(icon("side-by-side"), QStringLiteral("Open Side &by Side…"),
                        QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O), this, &MainWindow::askForTraces);
    traces = new TraceMenu(menu);
    menu->addMenu(traces);
    connect(traces, &TraceMenu::mainChosen, this, &MainWindow::makeMain);
    connect(traces, &TraceMenu::closeOthers, this, &MainWindow::closeOthers);
    recent = new RecentFiles(store, *menu->addMenu(QStringLiteral("Open &Recent")), this);
    connect(recent, &RecentFiles::chosen, this, &MainWindow::open);
    menu->addActions(sessionSaver->actions());
    exports = new ExportMenu(store, menu);
    menu->addMenu(exports);
    connect(exports, &ExportMenu::pictureWanted, this, &MainWindow::savePicture);
    connect(exports, &ExportMenu::tableWanted, this, &MainWindow::saveTable);
    connect(exports, &ExportMenu::ended, this, [this](const QString& problem, const QString& note) {
        tellProblem(problem);
        noticeBar->setNotices(NoticeBar::Kind::Note, note.isEmpty() ? QStringList() : QStringList{note});
    });
    menu->addAction(icon("reload"), QStringLiteral("&Reload"), QKeySequence(Qt::Key_F5), this,
                    &MainWindow::reload);
    menu->addAction(icon("close"), QStringLiteral("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W), this,
                    &MainWindow::closeSession);
    menu->addSeparator();
    menu->addAction(QStringLiteral("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::createViewMenu() {
    QMenu* const menu = menuBar()->addMenu(QStringLiteral("&View"));
    menu->addAction(icon("command"), QStringLiteral("Find &Command…"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), this, &MainWindow::openPalette);
    menu->addAction(icon("find"), QStringLiteral("&Find"), QKeySequence::Find, this,
                    [this] { panelArea->current().find(); });
    menu->addAction(icon("picture"), QStringLiteral("Copy &Picture"),
                    QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C), this, &MainWindow::copyPicture);
    menu->addAction(icon("link"), QStringLiteral("Copy &Link to This View"),
                    QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_L), this, &MainWindow::copyLink);
    menu->addSeparator();
    history->addTo(*menu);
    menu->addSeparator();
    menu->addMenu(timeUnits);
    connect(timeUnits, &TimeUnitMenu::changed, this, &MainWindow::rejoin);
    addAppearances(*menu->addMenu(QStringLiteral("&Appearance")), store);
    menu->addSeparator();
    addPanels(*menu->addMenu(QStringLiteral("Pa&nels")), *menuBar(), *panelArea);
    perspectiveBar->addTo(*menu);
}

void MainWindow::createHelpMenu() {
    QMenu* const menu = menuBar()->addMenu(QStringLiteral("&Help"));
    menu->addAction(icon("keys"), QStringLiteral("&Keys"), QKeySequence(Qt::Key_Question), this, [this] {
        showKeys(this, commandsOf(*menuBar()), panelArea->current().accessibleName());
    });
    QMenu* const tourMenu = menu->addMenu(icon("tour"), QStringLiteral("&Tours"));
    for (std::size_t i = 0; i < tours().size(); ++i) {
        tourMenu->addAction(tours()[i].titleText(), this, [this, i] { startTour(i); });
    }
    menu->addAction(icon("sample"), QStringLiteral("Open a &Sample"), this, &MainWindow::makeSample);
    menu->addAction(QStringLiteral("&About et-studio"), this, [this] { showAbout(this); });
}

void MainWindow::openPalette() {
    commandPalette->open(commandsOf(*menuBar()) + operatorCommands(shown.blocks(), chosen, *commandPalette));
}

/// Copies a screenshot of the active panel.
void MainWindow::copyPicture() const {
    QApplication::clipboard()->setPixmap(pages->currentWidget() == panelArea ? panelArea->current().grab()
                                                                             : pages->grab());
}

/// Saves a picture of the active panel.
void MainWindow::savePicture(const QString& file) {
    tellProblem(writePicture(panelArea->current(), file));
}

void MainWindow::saveTable(const QString& file) {
    const QAbstractItemView* const table = tableOf(panelArea->current());
    tellProblem(table == nullptr ? QStringLiteral("This panel has no table.")
                                 : writeTable(visualizers::shownTable(*table), file));
}

void MainWindow::tellProblem(const QString& problem) {
    noticeBar->setNotices(NoticeBar::Kind::Error, problem.isEmpty() ? QStringList() : QStringList{problem});
}

}  // namespace et::studio
